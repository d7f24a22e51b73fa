/* Replays on the full screen: tapes and plain bodies, stepping, and commands that do not work. */

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "program.h"
#include "stage.h"
#include "support/check.h"

#define TAPE \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"provider\":\"far\",\"model\":\"asked\",\"started\":\"2020-02-03T04:05:06Z\"}\n" \
	"{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n" \
	"{\"t\":2,\"body\":\"data: {\\\"id\\\":\\\"i1\\\",\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"one \\\"}}]}\\n\\n\"}\n" \
	"{\"t\":100000,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"two\\\"}}]}\\n\\n\"}\n" \
	"{\"t\":100001,\"body\":\"data: [DONE]\\n\\n\"}\n" \
	"{\"t\":100002,\"end\":\"closed\"}\n"

#define CALL_BODY \
	"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"at\\\":7}\"}}]}," \
	"\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"

#define EMPTY_BODY "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

static struct pty *replay(const char *name, const char *content, const char *speed)
{
	const char *file = folder_file(name, content);

	return pty_start(&(struct pty_options){ .arguments = LIST("replay", "--speed", speed, file), .environment = LIST("TZ=UTC"), .turns = true });
}

static void leave(struct pty *p)
{
	pty_send(p, "q");
	PTY_ENDS(p, 0);
	PTY_RESTORED(p);
	pty_free(p);
	folder_remove();
}

static void a_tape_plays_and_steps(void)
{
	struct pty *p = replay("a.tape", TAPE, "1");

	PTY_SEES(p, "one");
	PTY_SEES(p, "04:05"); /* time of the recording, not of the replay */
	PTY_SEES(p, "playing");
	pty_send(p, " ");
	PTY_SEES(p, "paused");
	PTY_SEES(p, "space go on");
	pty_send(p, ".");
	PTY_SEES(p, "one two");
	pty_send(p, "..");
	PTY_SEES(p, "frame 3 of 3");
	PTY_SEES(p, "at the end");
	CU_ASSERT_EQUAL(pty_find_row(p, "space"), -1); /* the tape has ended */
	pty_send(p, " ");
	PTY_SEES(p, "the replay is at its end");
	PTY_LOSES_LATER(p, "the replay is at its end");
	pty_send(p, ".");
	PTY_SEES(p, "the replay is at its end");
	leave(p);
}

/* In both directions, and by what one looks for; the state after each is exact (tests/ui/test_seek.c looks at every cell). */
static void a_tape_is_walked_both_ways(void)
{
	struct pty *p = replay("a.tape", TAPE, "1");

	PTY_SEES(p, "one");
	pty_send(p, " ");
	PTY_SEES(p, "paused");
	pty_send(p, "...");
	PTY_SEES(p, "at the end");
	pty_send(p, ",");
	PTY_SEES(p, "frame 3 of 3");
	PTY_SEES(p, "paused");
	pty_send(p, ",,");
	PTY_LOSES(p, "two");
	pty_send(p, ":");
	PTY_SEES(p, "one two");
	pty_send(p, ";");
	PTY_LOSES(p, "two");
	pty_send(p, "9");
	PTY_SEES(p, "90.002 s of 100.002 s");
	pty_send(p, "\x1b[C");
	PTY_SEES(p, "95.002 s of 100.002 s");
	pty_send(p, "\x1b[1;2D");
	PTY_SEES(p, "94.002 s of 100.002 s");
	pty_send(p, "w");
	PTY_SEES(p, "frame 2 of 3");
	PTY_SEES(p, "one two");
	pty_send(p, "w");
	PTY_SEES(p, "no gap of a second or more ahead");
	pty_send(p, "R");
	PTY_SEES(p, "no reasoning before this");
	pty_send(p, "0");
	PTY_SEES(p, "frame 0 of 3");
	PTY_LOSES(p, "one");
	pty_send(p, ",");
	PTY_SEES(p, "the replay is at its start");
	leave(p);
}

#define SESSION_TAPE \
	"{\"weir_tape\":1,\"protocol\":\"mcp\",\"transport\":\"stdio\"}\n" \
	"{\"t\":1,\"out\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"initialize\\\"}\"}\n" \
	"{\"t\":2,\"in\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"result\\\":{\\\"deep\\\":\\\"\\u001b[31m\\\"}}\"}\n" \
	"{\"t\":100002,\"out\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"method\\\":\\\"notifications/initialized\\\"}\"}\n" \
	"{\"t\":100003,\"end\":\"closed\"}\n"

/* The messages of a session with an MCP server are its frames. */
static void a_session_is_played(void)
{
	struct pty *p = replay("mcp.tape", SESSION_TAPE, "1");

	PTY_SEES(p, "client  request        1  initialize");
	PTY_SEES(p, "server  answer         1  initialize");
	pty_send(p, " ");
	PTY_SEES(p, "paused");
	pty_send(p, ",");
	PTY_LOSES(p, "answer  ");
	PTY_SEES(p, "frame 1 of 3");
	pty_send(p, "..");
	PTY_SEES(p, "notification      notifications/initialized");
	PTY_SEES(p, "frame 3 of 3");
	CHECK(pty_find_row(p, "token") < 0 && pty_find_row(p, "tok/s") < 0, "%s", pty_dump(p)); /* no model has said it */
	pty_send(p, "\x1b[19~"); /* F8 */
	PTY_SEES(p, "client: notification");
	PTY_SEES(p, "\"method\":");
	pty_send(p, "k");
	PTY_SEES(p, "server: answer 1 initialize");
	PTY_SEES(p, "\"deep\": ");
	PTY_SEES(p, "frame 2 of 3");
	leave(p);
}

#define RUN_TAPE \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n" \
	"{\"t\":1,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"tool_calls\\\":[{\\\"index\\\":0,\\\"id\\\":\\\"c\\\"," \
	"\\\"function\\\":{\\\"name\\\":\\\"touch\\\",\\\"arguments\\\":\\\"{}\\\"}}]},\\\"finish_reason\\\":\\\"tool_calls\\\"}]}\\n\\n" \
	"data: [DONE]\\n\\n\"}\n{\"t\":2,\"end\":\"closed\"}\n" \
	"{\"t\":3,\"run\":1,\"call\":0,\"id\":\"c\",\"name\":\"touch\",\"origin\":\"settings\",\"arguments\":\"{}\"}\n" \
	"{\"t\":4,\"run\":1,\"from\":\"output\",\"text\":\"step one\\n\"}\n{\"t\":100000,\"run\":1,\"from\":\"output\",\"text\":\"step \\u001b[31mtwo\\n\"}\n" \
	"{\"t\":100001,\"run\":1,\"state\":\"error\",\"ms\":99997,\"result\":\"step two\\n[exit status 3]\"}\n"

/* What ran is shown as it was, forward and back, and nothing runs. */
static void runs_are_played(void)
{
	struct pty *p = replay("run.tape", RUN_TAPE, "1");

	PTY_SEES(p, "call 1  touch");
	PTY_SEES(p, "step one");
	PTY_SEES(p, "running");
	pty_send(p, " ");
	PTY_SEES(p, "paused");
	pty_send(p, "..");
	PTY_SEES(p, "[exit status 3]");
	PTY_SEES(p, "failed");
	PTY_SEES(p, "100.0 s");
	pty_send(p, ",");
	PTY_SEES(p, "two");
	PTY_SEES(p, "running");
	PTY_LOSES(p, "exit status");
	pty_send(p, ",,");
	PTY_LOSES(p, "step one");
	pty_send(p, ",");
	PTY_LOSES(p, "call 1  touch");
	PTY_LOSES(p, "running");
	pty_send(p, ".....");
	PTY_SEES(p, "[exit status 3]");
	pty_send(p, "\x1b[19~"); /* F8 */
	PTY_SEES(p, "run: 1 ends: error after 99997 ms");
	leave(p);
}

#define ASKED_TAPE \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"model\":\"asked\",\"request\":{\"messages\":[{\"role\":\"user\",\"content\":\"Why so?\"}]}}\n" \
	"{\"t\":2,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"because\\\"}}]}\\n\\n\"}\n" \
	"{\"t\":3,\"end\":\"cut\"}\n"

/* The prompt of each is on its page. */
static void several_tapes_are_walked(void)
{
	char *first = mem_dup_z(folder_file("a.tape", TAPE)), *second = mem_dup_z(folder_file("asked.tape", ASKED_TAPE));
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", "--speed", "max", first, second, "/nowhere"), .environment = LIST("TZ=UTC") });

	PTY_SEES(p, "one two");
	PTY_SEES(p, "replay 1 of 3");
	pty_send(p, "{");
	PTY_SEES(p, "this is the first tape");
	pty_send(p, "}");
	PTY_SEES(p, "Why so?");
	PTY_SEES(p, "because");
	PTY_SEES(p, "replay 2 of 3");
	PTY_LOSES(p, "one two");
	pty_send(p, "}");
	PTY_SEES(p, "/nowhere");
	PTY_SEES(p, "because");
	pty_send(p, "{");
	PTY_SEES(p, "one two");
	mem_free(first);
	mem_free(second);
	leave(p);
}

static void loop_range_and_speed(void)
{
	const char *file = folder_file("a.tape", TAPE);
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", "--range", "50-60", "--loop", file), .columns = 100 });

	PTY_SEES(p, "50.0");
	PTY_SEES(p, "1x");
	pty_send(p, ">");
	PTY_SEES(p, "2x");
	pty_send(p, "<<");
	PTY_SEES(p, "0.5x");
	pty_send(p, "=");
	PTY_SEES(p, "1x");
	pty_send(p, "\x1b[C"); /* Right: the clock of the tests is the real one here */
	pty_send(p, "\x1b[C");
	pty_send(p, "L");
	PTY_SEES(p, "no loop");
	pty_send(p, "I");
	PTY_SEES(p, "range from");
	pty_send(p, "?");
	PTY_SEES(p, "Replay, 1 of 2");
	PTY_SEES(p, "5 s back or on");
	pty_send(p, K_ESC);
	PTY_LOSES(p, "Replay, 1 of 2");
	leave(p);
}

static void a_tape_is_followed_while_it_is_written(void)
{
	const char *path = folder_file("a.tape", "{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"model\":\"asked\"}\n");
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", "--follow", path), .environment = LIST("TZ=UTC") });

	PTY_SEES(p, "following");
	const struct str lines = STR(TAPE);
	FILE *file = fopen(path, "a");
	struct str rest = str_skip(lines, str_find(lines, STR("\n")) + 1);
	size_t half = str_find(rest, STR("{\"t\":100000"));
	fwrite(rest.ptr, 1, half, file);
	fflush(file);
	PTY_SEES(p, "one");
	PTY_SEES(p, "frame 1 of 1");
	fwrite(rest.ptr + half, 1, rest.len - half, file);
	fclose(file);
	PTY_SEES(p, "one two");
	PTY_SEES(p, "at the end");
	leave(p);
}

/* What runs comes behind the end, and is shown as it comes, unless one has gone back. */
static void runs_are_followed(void)
{
	const char *path = folder_file("run.tape", "{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"model\":\"asked\"}\n");
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", "--follow", path), .environment = LIST("TZ=UTC") });
	struct str rest = str_skip(STR(RUN_TAPE), str_find(STR(RUN_TAPE), STR("\n")) + 1);
	size_t runs = str_find(rest, STR("{\"t\":3")), late = str_find(rest, STR("{\"t\":100000,")), last = str_find(rest, STR("{\"t\":100001,"));
	FILE *file = fopen(path, "a");

	fwrite(rest.ptr, 1, runs, file);
	fflush(file);
	PTY_SEES(p, "The model asks for 1 tool call.");
	PTY_SEES(p, "at the end");
	fwrite(rest.ptr + runs, 1, late - runs, file);
	fflush(file);
	PTY_SEES(p, "step one");
	PTY_SEES(p, "running");
	pty_send(p, ",");
	PTY_LOSES(p, "step one");
	fwrite(rest.ptr + late, 1, last - late, file);
	fflush(file);
	PTY_SEES(p, "of 5");
	CHECK(pty_find_row(p, "two") < 0, "%s", pty_dump(p));
	pty_send(p, "..");
	PTY_SEES(p, "two");
	fwrite(rest.ptr + last, 1, rest.len - last, file);
	fclose(file);
	PTY_SEES(p, "of 6");
	pty_send(p, " ");
	PTY_SEES(p, "[exit status 3]");
	leave(p);
}

/* Another round is played below the one before, and its frames take the place of those in the inspector. */
static void rounds_are_walked(void)
{
	char *first = mem_dup_z(folder_file("run.tape", RUN_TAPE)), *second = mem_dup_z(folder_file("a.tape", TAPE));
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", "--round", "1", first, second), .rows = 40, .columns = 110 });

	PTY_SEES(p, "step one");
	PTY_SEES(p, "replay 1 of 2");
	pty_send(p, " ");
	PTY_SEES(p, "paused");
	pty_send(p, "..");
	PTY_SEES(p, "at the end");
	PTY_SEES(p, "[exit status 3]");
	pty_send(p, " ");
	PTY_SEES(p, "replay 2 of 2");
	PTY_SEES(p, "step two \u2026"); /* the result, folded */
	PTY_SEES(p, "one");
	CHECK(pty_find_row(p, "step two") < pty_find_row(p, "one"), "%s", pty_dump(p));
	pty_send(p, "{");
	PTY_SEES(p, "replay 1 of 2");
	PTY_LOSES(p, "exit status");
	pty_send(p, " \x1b[19~"); /* F8 */
	PTY_SEES(p, "1 begins");
	pty_send(p, "\t}");
	PTY_SEES(p, "replay 2 of 2");
	PTY_SEES(p, "\"content\": \"one \"");
	mem_free(first);
	mem_free(second);
	leave(p);
}

/* The ring has removed the oldest tape: the others are played, and that is told behind the replay. */
static void a_round_without_a_tape_is_left_out(void)
{
	struct stage s;
	char pattern[300];
	glob_t found;

	stage_open(&s, &(struct stage_options){ .settings = "[tool f]\ncommand = echo ran it\napprove = always\n" });
	CU_ASSERT_TRUE(stage_ask(&s, "run it"));
	hand_begin(s.server);
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}");
	hand_finish(s.server, "tool_calls");
	CU_ASSERT_TRUE(hand_accept(s.server));
	hand_whole(s.server, "It ran.", "stop");
	PTY_SEES(s.pty, "It ran.");
	STAGE_OVER(&s);
	snprintf(pattern, sizeof pattern, "%s/.local/state/weir/tapes/*.tape", s.home);
	CU_ASSERT_FATAL(glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc == 2);
	CU_ASSERT(unlink(found.gl_pathv[0]) == 0);
	globfree(&found);
	pty_enter(s.pty, "/replay");
	PTY_SEES(s.pty, "at the end");
	pty_send(s.pty, "q");
	PTY_SEES(s.pty, "1 of the 2 rounds of this turn has no tape any more");
	stage_close(&s);
}

/* The wheel over the timeline and a click on it. */
static void the_mouse_moves_on_the_timeline(void)
{
	struct pty *p = replay("a.tape", TAPE, "1");
	char bytes[60];

	PTY_SEES(p, "one");
	pty_send(p, " ");
	PTY_SEES(p, "paused");
	int row = pty_find_row(p, "replay");
	snprintf(bytes, sizeof bytes, "\x1b[<0;79;%dM\x1b[<0;79;%dm", row + 2, row + 2);
	pty_send(p, bytes);
	PTY_SEES(p, "frame 3 of 3");
	snprintf(bytes, sizeof bytes, "\x1b[<64;40;%dM", row + 2);
	pty_send(p, bytes);
	PTY_SEES(p, "99.002 s of 100.002 s");
	PTY_SEES(p, "frame 1 of 3");
	leave(p);
}

/* A replay has no provider: keys, letters and slash words say so, and nothing is sent. */
static void a_replay_asks_nobody(void)
{
	static const char *const attempts[] = { K_ALT("r"), K_ALT("a"), "\x10retry\r", "\x10new\r" };
	struct pty *p = replay("call.sse", CALL_BODY, "max");

	PTY_SEES(p, "The model asks for 1 tool call.");
	CU_ASSERT_EQUAL(pty_find_row(p, "Alt-a"), -1);
	for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
		pty_send(p, attempts[i]);
		PTY_SEES(p, "does not work in a replay");
		pty_settle(p);
	}
	PTY_SEES(p, "at the end");
	leave(p);
}

static void a_replay_is_searched(void)
{
	struct pty *p = replay("call.sse", CALL_BODY, "max");

	PTY_SEES(p, "The model asks for 1 tool call.");
	pty_send(p, "/7");
	PTY_SEES(p, "1 of 1");
	pty_send(p, "\r");
	PTY_SEES(p, "1 of 1   n older   N newer   Esc done");
	pty_send(p, K_ESC);
	PTY_SEES(p, "q leave");
	leave(p);
}

static void an_empty_answer_is_said_to_be_empty(void)
{
	struct pty *p = replay("empty.sse", EMPTY_BODY, "max");

	PTY_SEES(p, "The answer is empty (stop).");
	leave(p);
}

/* The key that unfolds is named where there is something to unfold. */
static void folding_is_offered_where_it_works(void)
{
	struct pty *p = replay("call.sse", CALL_BODY, "max");

	PTY_SEES(p, "Ctrl-T unfold");
	pty_send(p, K_CTRL('t'));
	PTY_SEES(p, "Ctrl-T fold");
	leave(p);
	p = replay("empty.sse", EMPTY_BODY, "max");
	PTY_SEES(p, "The answer is empty (stop).");
	PTY_SEES(p, "Ctrl-O details");
	CHECK(pty_find_row(p, "Ctrl-T") < 0, "%s", pty_dump(p));
	leave(p);
}

static void a_long_name_leaves_room_for_the_figures(void)
{
	struct pty *p = replay("a-name-that-is-much-too-long-to-stand-beside-the-figures-of-the-timeline.sse", EMPTY_BODY, "max");

	PTY_SEES(p, "replay");
	PTY_SEES(p, "at the end");
	pty_resize(p, 12, 40);
	PTY_SEES(p, "2 of 2");
	leave(p);
}

/* As by an upgrade while it runs: the kernel then tells its path with " (deleted)" behind it. */
static void a_program_that_was_replaced_is_found(void)
{
	struct stage s;
	char command[1000];

	stage_open(&s, &(struct stage_options){ .script = "cp \"$0\" ~/weir && exec ~/weir \"$@\"" });
	stage_turn(&s, "hello", "Good day.");
	snprintf(command, sizeof command, "cd '%s' && cp weir newer && mv newer weir", s.home);
	CU_ASSERT_EQUAL(system(command), 0);
	pty_enter(s.pty, "/replay");
	PTY_SEES(s.pty, "q leave");
	pty_send(s.pty, "q");
	PTY_LOSES(s.pty, "q leave");
	STAGE_STATE(&s, "ready"); /* the chat has the terminal again: it reads the Ctrl-C */
	stage_close(&s);
}

const struct suite suite_screen_replay = { "screen_replay", (const struct test[]){
	TEST(a_tape_plays_and_steps),
	TEST(a_tape_is_walked_both_ways), TEST(a_session_is_played), TEST(runs_are_played),
	TEST(several_tapes_are_walked), TEST(rounds_are_walked), TEST(a_round_without_a_tape_is_left_out), TEST(runs_are_followed),
	TEST(loop_range_and_speed),
	TEST(a_tape_is_followed_while_it_is_written),
	TEST(the_mouse_moves_on_the_timeline),
	TEST(a_replay_asks_nobody),
	TEST(a_replay_is_searched),
	TEST(an_empty_answer_is_said_to_be_empty),
	TEST(folding_is_offered_where_it_works),
	TEST(a_long_name_leaves_room_for_the_figures),
	TEST(a_program_that_was_replaced_is_found),
	{ 0 },
} };
