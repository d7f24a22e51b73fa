/* The inspector on the full screen: of a finished and of a running answer, in a replay, and of frames that are not harmless. */
#include <string.h>

#include "program.h"
#include "stage.h"
#include "support/check.h"

#define F8 "\x1B[19~"
#define CHUNK(text) "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"}}]}\n\n"
#define STOP "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

static void ask_and_answer(struct stage *s, const char *body)
{
	stage_begin(s, "go");
	hand_send(s->server, body);
	hand_close(s->server);
	STAGE_STATE(s, "ready");
}

/* The row of the list under the cursor, which ends at the frame beside it. */
static bool cursor_is_on(struct pty *p, const void *words)
{
	for (unsigned r = 0; r < 24; r++) {
		const char *row = pty_row(p, r), *bar = strstr(row, "\u2502"), *found = strstr(row, words);

		if (row[0] == '>' && bar && found && found < bar)
			return true;
	}
	return false;
}

#define CURSOR_ON(p, words) pty_wait((p), cursor_is_on, (words), "the cursor on " words, __FILE__, __LINE__)

static void a_finished_answer_is_inspected(void)
{
	struct stage s;

	stage_open(&s, NULL);
	ask_and_answer(&s, CHUNK("alpha ") CHUNK("beta") ": still here\n\n" STOP);
	pty_send(s.pty, F8);
	PTY_SEES(s.pty, "Esc close");
	PTY_SEES(s.pty, "frame 1 of 5");
	CURSOR_ON(s.pty, "begin");
	pty_send(s.pty, "jj");
	CURSOR_ON(s.pty, "text  beta");
	PTY_SEES(s.pty, "became text");
	pty_send(s.pty, "j");
	PTY_SEES(s.pty, ": still here");
	pty_send(s.pty, "k\r");
	PTY_SEES(s.pty, "\"choices\": [ \u2026 ]");
	pty_send(s.pty, "\x06"); /* a slash would name the command */
	PTY_SEES(s.pty, "Enter find");
	pty_send(s.pty, "stop\r");
	CURSOR_ON(s.pty, "finish");
	pty_send(s.pty, "/");
	PTY_SEES(s.pty, "Enter find");
	pty_send(s.pty, "beta\r");
	CURSOR_ON(s.pty, "text  beta");
	pty_send(s.pty, "xx"); /* of text */
	PTY_SEES(s.pty, "frames: begin");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc close");
	stage_close(&s);
}

/* From the page to the frame that wrote the text at its place, and the frame's words are marked there. */
static void the_page_finds_the_frame_and_back(void)
{
	struct stage s;

	stage_open(&s, NULL);
	ask_and_answer(&s, CHUNK("one ") CHUNK("two ") CHUNK("three") STOP);
	pty_send(s.pty, "/search two\r");
	PTY_SEES(s.pty, "1 of 1");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "Esc done");
	pty_send(s.pty, "\t" F8);
	CURSOR_ON(s.pty, "text  two");
	pty_send(s.pty, "j");
	CURSOR_ON(s.pty, "text  three");
	PTY_WAIT(s.pty, pty_shows, "one two three");
	stage_drop(&s);
}

static void a_running_answer_is_followed_or_held(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	hand_send(s.server, CHUNK("alpha "));
	PTY_SEES(s.pty, "alpha");
	pty_send(s.pty, F8);
	CURSOR_ON(s.pty, "text  alpha");
	hand_send(s.server, CHUNK("beta "));
	CURSOR_ON(s.pty, "text  beta");
	pty_send(s.pty, "F");
	PTY_SEES(s.pty, "F follow");
	hand_send(s.server, CHUNK("gamma "));
	PTY_SEES(s.pty, "of 4");
	CURSOR_ON(s.pty, "text  beta");
	pty_send(s.pty, "F");
	CURSOR_ON(s.pty, "text  gamma");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc close");
	STAGE_STATE(&s, "streaming"); /* Esc closed the inspector, it did not stop the answer */
	hand_send(s.server, STOP);
	hand_close(s.server);
	STAGE_STATE(&s, "ready");
	stage_close(&s);
}

#define TAPE \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"model\":\"asked\",\"started\":\"2020-02-03T04:05:06Z\"}\n" \
	"{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n" \
	"{\"t\":2,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"one \\\"}}]}\\n\\n\"}\n" \
	"{\"t\":100000,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"two\\\"}}]}\\n\\n\"}\n" \
	"{\"t\":100001,\"body\":\"data: [DONE]\\n\\n\"}\n{\"t\":100002,\"end\":\"closed\"}\n"

/* Each moves the other. */
static void the_player_and_the_inspector_move_together(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", folder_file("a.tape", TAPE)), .environment = LIST("TZ=UTC") });

	PTY_SEES(p, "one");
	pty_send(p, " ");
	PTY_SEES(p, "paused");
	pty_send(p, F8);
	CURSOR_ON(p, "text  one");
	pty_send(p, ".");
	CURSOR_ON(p, "text  two");
	PTY_SEES(p, "one two");
	pty_send(p, "k");
	PTY_LOSES(p, "one two");
	CURSOR_ON(p, "text  one");
	PTY_SEES(p, "frame 1 of 3   0.002 s \u2500"); /* both lines say the same place */
	PTY_SEES(p, "frame 1 of 3 \u2500\u2500 0.002 s of 100.002 s");
	pty_send(p, K_ESC);
	PTY_LOSES(p, "Esc close");
	pty_send(p, "q");
	PTY_ENDS(p, 0);
	pty_free(p);
	folder_remove();
}

/* Escapes, controls and bytes that are not UTF-8 stay what they are: text. */
static void frames_cannot_act(void)
{
	struct stage s;

	stage_open(&s, NULL);
	ask_and_answer(&s, ": \x1B]0;owned\x07\x1B[2J\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xff ok\"}}]}\n\ndata: {oops\x1B[31m}\n\n" STOP);
	pty_send(s.pty, F8);
	PTY_SEES(s.pty, "frame 1 of 5");
	pty_send(s.pty, "j");
	CURSOR_ON(s.pty, "comment");
	PTY_SEES(s.pty, "]0;owned");
	pty_send(s.pty, "j");
	PTY_SEES(s.pty, "! it is not valid UTF-8, and was");
	pty_send(s.pty, "JJJJJJJJ");
	PTY_SEES(s.pty, "\u2039ff\u203a ok");
	pty_send(s.pty, "j");
	PTY_SEES(s.pty, "! text in it is not JSON");
	CHECK(stage_titles_are_its_own(s.pty), "%s", "a frame set the title");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc close");
	stage_close(&s);
}

const struct suite suite_screen_inspect = { "screen_inspect", (const struct test[]){
	TEST(a_finished_answer_is_inspected), TEST(the_page_finds_the_frame_and_back), TEST(a_running_answer_is_followed_or_held),
 TEST(the_player_and_the_inspector_move_together), TEST(frames_cannot_act), { 0 },
} };
