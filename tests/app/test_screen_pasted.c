/*
 * Pasted text does not act: no slash word, no @PATH, no letter. Each way into the input is tested with a file name and a command. Typed
 * text acts.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "program.h"
#include "stage.h"
#include "support/check.h"

#define SECRET "KEY-4711"
#define K_UNDO "\x1F"
#define K_REDO "\x1B/"
#define K_KILL "\x15"
#define K_YANK "\x19"

static void open_stage(struct stage *s, const struct stage_options *options)
{
	struct stage_options turning = options ? *options : (struct stage_options){ 0 };

	turning.turns = true;
	stage_open(s, &turning);
	home_write(s->home, "secret.txt", SECRET);
	home_write(s->home, "b/secret.txt", "the other one");
}

static bool row_is(struct pty *p, const void *expected)
{
	return !strcmp(pty_row(p, pty_rows(p) - 2), expected);
}

/* Sends the input; true if the file was sent with it. */
static bool sends_secret(struct stage *s)
{
	pty_press(s->pty, "\r");
	if (!hand_accept(s->server))
		return false;
	bool sent = strstr(hand_body(s->server), SECRET) != NULL;
	hand_whole(s->server, "Fine.", "stop");
	PTY_SEES(s->pty, "Fine.");
	STAGE_OVER(s);
	pty_press(s->pty, "/new\r");
	PTY_SEES(s->pty, "A live view");
	return sent;
}

#define CHECK_SENT(s, what) CHECK(sends_secret(s), "%s", what)
#define CHECK_KEPT(s, what) CHECK(!sends_secret(s) && strstr(hand_body((s)->server), "@~/secret.txt"), "%s: %s", what, hand_body((s)->server))

/* --- files --- */

/* Checks that a mention, written in one way, attaches nothing and that the hairline says so. */
static void check_text(struct stage *s, const char *way)
{
	if (!PTY_SEES(s->pty, "@~/secret.txt goes as a name, Alt-i attaches it"))
		printf("(%s)\n", way);
	CHECK_KEPT(s, way);
}

static void a_pasted_name_is_text(void)
{
	struct stage s;

	open_stage(&s, NULL);
	pty_paste(s.pty, "look @~/secret.txt here");
	check_text(&s, "in brackets");
	pty_press(s.pty, "look @~/secret.txt here");
	check_text(&s, "without brackets");
	pty_press(s.pty, "look\r@~/secret.txt\r");
	check_text(&s, "several lines without brackets");
	pty_press(s.pty, "look @~/secret.tx\t"); /* a tab in a burst chooses nothing */
	PTY_WAIT(s.pty, row_is, " > look @~/secret.tx");
	pty_press(s.pty, "\x7F");
	pty_press(s.pty, "t");
	check_text(&s, "with a tab");
	pty_press(s.pty, "look @~/secret.txt\r"); /* sent before the offer was shown */
	PTY_SEES(s.pty, "@~/secret.txt was sent as text, because it arrived at once");
	hand_accept(s.server);
	CHECK(!strstr(hand_body(s.server), SECRET), "%s", hand_body(s.server));
	hand_whole(s.server, "Fine.", "stop");
	PTY_SEES(s.pty, "Fine.");
	STAGE_OVER(&s);
	pty_press(s.pty, "/new\r");
	PTY_SEES(s.pty, "A live view");
	pty_paste(s.pty, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n@~/secret.txt\n");
	check_text(&s, "a chip");
	pty_paste(s.pty, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n@~/secret.txt\n");
	pty_press(s.pty, K_ALT("e"));
	PTY_SEES(s.pty, "   @~/secret.txt");
	check_text(&s, "a chip that was opened");
	stage_close(&s);
}

static void a_pasted_name_is_not_laundered(void)
{
	struct stage s;

	open_stage(&s, NULL);
	pty_paste(s.pty, "@~/secret.txt");
	pty_press(s.pty, K_KILL);
	pty_press(s.pty, K_YANK);
	check_text(&s, "killed and yanked");
	pty_paste(s.pty, "@~/secret.txt");
	pty_press(s.pty, K_UNDO);
	PTY_WAIT(s.pty, row_is, " >");
	pty_press(s.pty, K_REDO);
	check_text(&s, "undone and done again");
	pty_type(s.pty, "@");
	pty_paste(s.pty, "~/secret.txt");
	check_text(&s, "behind a typed @");
	pty_paste(s.pty, "~/secret.txt");
	pty_press(s.pty, "\x01@");
	check_text(&s, "before it a typed @");
	pty_paste(s.pty, "@~/secre.txt");
	pty_press(s.pty, K_LEFT K_LEFT K_LEFT K_LEFT);
	pty_press(s.pty, "t");
	check_text(&s, "a letter typed in it");
	pty_type(s.pty, "a ");
	pty_paste(s.pty, "@~/secret.txt");
	pty_press(s.pty, "\x17\x17"); /* both words in one kill */
	pty_press(s.pty, K_YANK);
	check_text(&s, "killed with typed words");
	stage_close(&s);
}

/* A mention from an earlier input, prompt or file does not attach. */
static void an_earlier_name_is_text(void)
{
	struct stage s;

	open_stage(&s, NULL);
	pty_type(s.pty, "read @~/secret.txt");
	CHECK_SENT(&s, "typed");
	pty_press(s.pty, K_UP);
	PTY_WAIT(s.pty, row_is, " > read @~/secret.txt");
	check_text(&s, "an earlier prompt");
	pty_press(s.pty, "\x12");
	PTY_SEES_LATER(s.pty, "earlier prompts");
	pty_press(s.pty, "\r");
	PTY_WAIT(s.pty, row_is, " > read @~/secret.txt");
	check_text(&s, "an earlier prompt that was searched");
	stage_close(&s);
}

static void a_draft_is_text(void)
{
	struct stage s;

	open_stage(&s, NULL);
	pty_type(s.pty, "read @~/secret.txt");
	pty_signal(s.pty, SIGTERM);
	PTY_ENDS(s.pty, 128 + SIGTERM);
	pty_free(s.pty);
	s.pty = pty_start(&(struct pty_options){ .home = s.home });
	PTY_WAIT(s.pty, row_is, " > read @~/secret.txt");
	check_text(&s, "a draft");
	stage_close(&s);
}

static void what_an_editor_writes_is_text(void)
{
	struct stage s;

	open_stage(&s, &(struct stage_options){ .environment = LIST("VISUAL=sh -c 'printf \"more @~/secret.txt\" >> \"$0\"'") });
	pty_press(s.pty, "\x07");
	PTY_WAIT(s.pty, row_is, " > more @~/secret.txt");
	check_text(&s, "an editor");
	stage_close(&s);
	open_stage(&s, &(struct stage_options){ .environment = LIST("VISUAL=sed -i 's/teh/the/; s/$/ please/'") });
	pty_type(s.pty, "read teh @~/secret.txt");
	pty_press(s.pty, "\x07");
	PTY_WAIT(s.pty, row_is, " > read the @~/secret.txt please");
	check_text(&s, "between changed words");
	pty_type(s.pty, "@~/secret.txt teh");
	pty_press(s.pty, "\x07");
	PTY_WAIT(s.pty, row_is, " > @~/secret.txt the please");
	CHECK_SENT(&s, "before changed words");
	stage_close(&s);
}

/* As a terminal pastes the name of a dropped file; a folder, a file that is not there and a path among words are text and no more. */
static void a_pasted_path_of_a_file_is_offered(void)
{
	static const char *const others[] = { "/tmp", "/nowhere/at/all.txt", "see /etc/passwd" };
	char text[340], path[300];
	struct stage s;

	open_stage(&s, NULL);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		pty_paste(s.pty, others[i]);
		PTY_SEES(s.pty, " > ");
		pty_press(s.pty, "x");
		pty_wait(s.pty, pty_shows, others[i], others[i], __FILE__, __LINE__);
		CHECK(pty_hides(s.pty, "attaches it"), "%s\n%s", others[i], pty_dump(s.pty));
		pty_press(s.pty, K_CTRL('u'));
		pty_wait(s.pty, pty_hides, others[i], others[i], __FILE__, __LINE__);
	}
	snprintf(path, sizeof path, "%s", home_path(s.home, "secret.txt"));
	snprintf(text, sizeof text, "'%s' ", path);
	pty_paste(s.pty, text);
	PTY_SEES(s.pty, "secret.txt goes as a name, Alt-i attaches it");
	pty_press(s.pty, K_ALT("i"));
	PTY_SEES_LATER(s.pty, "1 file attached");
	PTY_LOSES(s.pty, "goes as a name");
	pty_press(s.pty, "\r");
	hand_accept(s.server);
	CHECK(strstr(hand_body(s.server), SECRET) != NULL, "%s", hand_body(s.server));
	stage_close(&s);
}

/* Typed twice, or by /attach too, it goes once. */
static void a_file_goes_once(void)
{
	struct stage s;

	open_stage(&s, NULL);
	pty_type(s.pty, "/attach ~/secret.txt");
	pty_press(s.pty, "\r");
	PTY_SEES_LATER(s.pty, "1 file attached");
	pty_type(s.pty, "/attach ~/secret.txt");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "secret.txt goes with the next prompt already");
	pty_type(s.pty, "@~/secret.txt @~/secret.txt @~/b/secret.txt ");
	pty_press(s.pty, "\r");
	hand_accept(s.server);
	const char *first = strstr(hand_body(s.server), SECRET);
	CHECK(first && !strstr(first + 1, SECRET) && strstr(hand_body(s.server), "the other one"), "%s", hand_body(s.server));
	hand_whole(s.server, "Fine.", "stop");
	PTY_SEES(s.pty, "Fine.");
	STAGE_OVER(&s);
	pty_press(s.pty, K_ALT("u")); /* the prompt returns with its files, which are not read again */
	PTY_SEES(s.pty, "Enter sends it in place of the old one");
	home_write(s.home, "secret.txt", "changed");
	pty_press(s.pty, "\r");
	hand_accept(s.server);
	first = strstr(hand_body(s.server), SECRET);
	CHECK(first && !strstr(first + 1, SECRET) && !strstr(hand_body(s.server), "changed"), "%s", hand_body(s.server));
	stage_drop(&s);
}

/* --- commands --- */

static void check_prompt(struct stage *s, const char *way, const char *sent)
{
	pty_press(s->pty, "\r");
	if (!hand_accept(s->server))
		return;
	CHECK(strstr(hand_body(s->server), sent) && !strstr(hand_body(s->server), "\"system\""), "%s: %s", way, hand_body(s->server));
	hand_whole(s->server, "Fine.", "stop");
	PTY_SEES(s->pty, "Fine.");
	STAGE_OVER(s);
	pty_press(s->pty, "/new\r");
	PTY_SEES(s->pty, "A live view");
}

static void a_pasted_command_is_a_prompt(void)
{
	static const char *const pasted[] = { "/quit", "/system Obey.", "/attach ~/secret.txt", "/new", "/ quit", "/system\nObey." };
	struct stage s;

	open_stage(&s, NULL);
	for (size_t i = 0; i < sizeof pasted / sizeof *pasted; i++) {
		char start[20];

		pty_paste(s.pty, pasted[i]);
		PTY_SEES(s.pty, " is text, it was not typed");
		snprintf(start, sizeof start, "\"%.*s", (int)strcspn(pasted[i], "\n"), pasted[i]);
		check_prompt(&s, pasted[i], start);
	}
	pty_paste(s.pty, "/system 1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11");
	PTY_SEES(s.pty, "[pasted ");
	check_prompt(&s, "a chip", "/system 1");
	pty_type(s.pty, "x\x02/");
	pty_paste(s.pty, "quit");
	pty_press(s.pty, "\x0B");
	check_prompt(&s, "behind a typed slash", "\"/quit\"");
	pty_paste(s.pty, "/quit");
	pty_press(s.pty, K_UNDO);
	PTY_WAIT(s.pty, row_is, " >");
	pty_press(s.pty, K_REDO);
	check_prompt(&s, "undone and done again", "\"/quit\"");
	pty_press(s.pty, "/system\rObey.\r");
	PTY_SEES(s.pty, " is text, it was not typed");
	check_prompt(&s, "lines without brackets", "/system");
	pty_press(s.pty, K_UP);
	PTY_SEES(s.pty, " is text, it was not typed");
	check_prompt(&s, "an earlier prompt", "/system");
	stage_close(&s);
}

/* A line in one burst may have been typed ahead, so it runs; but a command that reads a file waits for a separate Enter. */
static void a_line_at_once_reads_no_file(void)
{
	static const char *const lines[] = { "/attach ~/secret.txt\r", "x\x02/attach ~/secret.txt\x0B" };
	struct stage s;

	open_stage(&s, NULL);
	pty_press(s.pty, "/theme mono\r");
	PTY_LOSES(s.pty, "Commands");
	for (size_t i = 0; i < 2; i++) {
		pty_press(s.pty, lines[i]);
		PTY_WAIT(s.pty, row_is, " > /attach ~/secret.txt");
		CHECK(pty_hides(s.pty, "attached"), "%s", lines[i]);
		if (i == 0)
			PTY_SEES(s.pty, "/attach arrived at once, like a paste: Enter runs it");
		pty_press(s.pty, "\r");
		PTY_SEES(s.pty, "goes with the next prompt");
		pty_type(s.pty, "x\x02/attach off\x0B\r");
		PTY_LOSES(s.pty, "attached");
	}
	stage_close(&s);
}

/* --- letters and answers --- */

static void in_a_pane_letters_that_were_pasted_are_text(void)
{
	static const char *const ways[] = { "hello quit dear", "d", "?" };
	struct stage s;

	open_stage(&s, NULL);
	stage_turn(&s, "hi", "Fine.");
	for (size_t i = 0; i < 3; i++) {
		char row[40];

		pty_press(s.pty, "\t");
		PTY_SEES(s.pty, "Esc back");
		pty_paste(s.pty, ways[i]);
		snprintf(row, sizeof row, " > %s", ways[i]);
		PTY_WAIT(s.pty, row_is, row);
		pty_press(s.pty, K_KILL);
	}
	pty_press(s.pty, "\t");
	PTY_SEES(s.pty, "Esc back");
	pty_press(s.pty, ways[0]); /* without brackets */
	PTY_WAIT(s.pty, row_is, " > hello quit dear");
	pty_press(s.pty, K_KILL);
	pty_paste(s.pty, "?");
	PTY_WAIT(s.pty, row_is, " > ?");
	pty_press(s.pty, K_KILL "?abcd");
	PTY_WAIT(s.pty, row_is, " > ?abcd");
	pty_press(s.pty, K_KILL);
	pty_press(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "y copy the response id");
	pty_paste(s.pty, "y");
	PTY_WAIT(s.pty, row_is, " > y");
	pty_press(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "y copy the response id");
	pty_press(s.pty, "yes, quiet");
	PTY_WAIT(s.pty, row_is, " > yyes, quiet");
	CHECK(!pty_has_written(s.pty, "\x1B]52;"), "a sheet");
	pty_press(s.pty, K_KILL);
	pty_press(s.pty, K_ALT("v"));
	PTY_SEES(s.pty, "o other end");
	pty_paste(s.pty, "y");
	pty_press(s.pty, "lazy");
	pty_settle(s.pty);
	CHECK(pty_shows(s.pty, "o other end") && !pty_has_written(s.pty, "\x1B]52;"), "a selection");
	pty_press(s.pty, K_ESC);
	PTY_LOSES(s.pty, "o other end");
	stage_close(&s);
}

static void a_replay_takes_no_paste(void)
{
	const char *tape = folder_file("a.sse", "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Told.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", "--speed", "max", tape) });

	PTY_SEES(p, "Told.");
	pty_paste(p, "q");
	pty_press(p, "quit\r");
	pty_settle(p);
	CHECK(!pty_is_over(p, NULL), "it ended");
	pty_press(p, "q");
	PTY_ENDS(p, 0);
	pty_free(p);
	folder_remove();
}

static void the_result_of_a_call_waits_for_its_own_enter(void)
{
	struct stage s;

	open_stage(&s, NULL);
	stage_begin(&s, "go");
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}");
	hand_finish(s.server, "tool_calls");
	PTY_SEES(s.pty, "The model asks for 1 tool call.");
	pty_press(s.pty, K_ALT("a"));
	PTY_SEES(s.pty, "Tool call 1 of 1");
	pty_press(s.pty, "some result\r");
	PTY_SEES(s.pty, "Enter gives it");
	pty_paste(s.pty, " pasted\n");
	PTY_SEES(s.pty, "some result pasted");
	pty_press(s.pty, "\r");
	hand_accept(s.server);
	CHECK(stage_sent(&s, "some result pasted"), "%s", hand_body(s.server));
	stage_drop(&s);
}

/* A paste that contains the closing bracket sequence. */
static void what_follows_a_paste_at_once_does_not_act(void)
{
	struct stage s;

	open_stage(&s, NULL);
	pty_paste(s.pty, "one \x1B[201~\x03\x03\x1B[200~two \x1B[201~\r\x04\x1BOP\x1Bxthree");
	PTY_WAIT(s.pty, row_is, " > one two three");
	check_prompt(&s, "an end in a paste", "\"one two three\"");
	stage_close(&s);
}

/* --- elsewhere --- */

static void words_of_ask_are_text(void)
{
	struct hand *server = hand_new();
	struct program p;
	char url[80], word[300];

	snprintf(url, sizeof url, "http://127.0.0.1:%u/v1", hand_port(server));
	snprintf(word, sizeof word, "@%s", folder_file("secret.txt", SECRET));
	program_start(&p, ARGS("ask", "--base-url", url, "-m", "m", word), NULL);
	program_send(&p, str_from(word));
	program_end_input(&p);
	hand_say(server, "Fine.");
	CHECK(program_wait(&p) == 0 && !strstr(hand_body(server), SECRET) && strstr(hand_body(server), word), "%s", hand_body(server));
	program_free(&p);
	hand_free(server);
	folder_remove();
}

const struct suite suite_screen_pasted = { "screen_pasted", (const struct test[]){
	TEST(a_pasted_name_is_text),
	TEST(a_pasted_name_is_not_laundered),
	TEST(an_earlier_name_is_text),
	TEST(a_draft_is_text),
	TEST(what_an_editor_writes_is_text),
 TEST(a_pasted_path_of_a_file_is_offered),
	TEST(a_file_goes_once),
	TEST(a_pasted_command_is_a_prompt),
	TEST(a_line_at_once_reads_no_file),
	TEST(in_a_pane_letters_that_were_pasted_are_text),
	TEST(a_replay_takes_no_paste),
	TEST(the_result_of_a_call_waits_for_its_own_enter),
	TEST(what_follows_a_paste_at_once_does_not_act),
	TEST(words_of_ask_are_text),
	{ 0 },
} };
