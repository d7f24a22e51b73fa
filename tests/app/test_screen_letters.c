/* What is typed while a pane, a card or a search has the focus: what acts there, what is written into the input, and where the focus is after. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "stage.h"
#include "support/check.h"

#define F8 "\x1B[19~"
#define F9 "\x1B[20~"
#define READING "jkgGdfoy{}()[]/? " /* with an answer, and without errors or hits to go to */

static bool input_is(struct pty *p, const void *expected)
{
	return !strcmp(pty_row(p, pty_rows(p) - 2), expected);
}

static bool hairline_has(struct pty *p, const void *words)
{
	return strstr(pty_row(p, pty_rows(p) - 3), words) != NULL;
}

#define INPUT_IS(s, text) pty_wait((s)->pty, input_is, (text), "the input " text, __FILE__, __LINE__)
#define PAGE_HAS_FOCUS(s) pty_wait((s)->pty, hairline_has, "\u2500\u2500 page \u2500", "the focus of the page", __FILE__, __LINE__)

static void stage_open_page(struct stage *s)
{
	stage_open_answered(s);
	pty_send(s->pty, "\t");
	PAGE_HAS_FOCUS(s);
}

/* --- panes --- */

static void what_does_not_read_is_written_into_the_input(void)
{
	struct stage s;
	char typed[2] = "", row[8];

	stage_open_answered(&s);
	for (int c = '!'; c <= '~'; c++) {
		if (strchr(READING, c))
			continue;
		typed[0] = (char)c;
		snprintf(row, sizeof row, " > %c", c);
		pty_send(s.pty, "\t");
		PAGE_HAS_FOCUS(&s);
		pty_send(s.pty, typed);
		CHECK(pty_wait(s.pty, input_is, row, typed, __FILE__, __LINE__), "%s", typed);
		pty_send(s.pty, "\x15");
		INPUT_IS(&s, " >");
		CHECK(pty_find_row(s.pty, "1 turn ") > 0, "%s: nothing was sent", typed);
	}
	pty_send(s.pty, "\t");
	PAGE_HAS_FOCUS(&s);
	pty_send(s.pty, "\u00E9\u6F22");
	INPUT_IS(&s, " > \u00E9\u6F22");
	stage_close(&s);
}

/* The rest of the word follows. */
static void a_prompt_typed_in_a_pane_is_a_prompt(void)
{
	static const char *const prompts[] = { "read it again", "edit that", "continue", "undo", "Retry?", "answer me", "xylophone" };
	struct stage s;
	char row[64];

	stage_open_answered(&s);
	for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++) {
		pty_send(s.pty, "\t");
		PAGE_HAS_FOCUS(&s);
		pty_type(s.pty, prompts[i]);
		snprintf(row, sizeof row, " > %s", prompts[i]);
		CHECK(pty_wait(s.pty, input_is, row, prompts[i], __FILE__, __LINE__), "%s", prompts[i]);
		pty_send(s.pty, "\x15");
		INPUT_IS(&s, " >");
	}
	pty_send(s.pty, "\t");
	PAGE_HAS_FOCUS(&s);
	pty_type(s.pty, "read it");
	pty_send(s.pty, "\r");
	CU_ASSERT_TRUE(hand_accept(s.server) && stage_sent(&s, "read it"));
	hand_whole(s.server, "Done.", "stop");
	PTY_SEES(s.pty, "2 turns");
	stage_close(&s);
}

/* A draft is gone on with. */
static void letters_go_on_with_the_draft(void)
{
	struct stage s;

	stage_open_answered(&s);
	pty_send(s.pty, "a dra");
	INPUT_IS(&s, " > a dra");
	pty_send(s.pty, K_SHIFT_TAB);
	PAGE_HAS_FOCUS(&s);
	pty_send(s.pty, "\x1B[1;5F"); /* Ctrl-End scrolls */
	pty_send(s.pty, "vw");
	INPUT_IS(&s, " > a dravw");
	stage_close(&s);
}

static void letters_that_read_scroll_and_fold(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	hand_reasoning(s.server, "A long thought.\n");
	stage_rows(&s, 1, 60);
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, "\t");
	PTY_SEES(s.pty, "row 60");
	pty_send(s.pty, "g");
	PTY_SEES(s.pty, "reasoned");
	pty_send(s.pty, "f");
	PTY_SEES(s.pty, "A long thought.");
	pty_send(s.pty, " ");
	PTY_LOSES(s.pty, "A long thought.");
	pty_send(s.pty, "G");
	PTY_SEES(s.pty, "row 60");
	pty_send(s.pty, "{");
	PTY_LOSES(s.pty, "row 60");
	pty_send(s.pty, "+"); /* there is no error to go to */
	INPUT_IS(&s, " > +");
	stage_close(&s);
}

/* --- cards --- */

/* A sheet that is read is in nobody's way. Its own letters read. */
static void text_goes_past_a_card_into_the_input(void)
{
	static const struct { const char *opens, *shows; } cards[] = {
		{ "\x0F", "Details of the last turn" }, { K_ALT("o"), "Request of the last turn" }, { K_ALT("t"), "Tree" },
	};
	struct stage s;

	stage_open_answered(&s);
	for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
		pty_send(s.pty, cards[i].opens);
		CHECK(pty_wait(s.pty, pty_shows, cards[i].shows, cards[i].shows, __FILE__, __LINE__), "%s", cards[i].shows);
		pty_type(s.pty, "a word");
		INPUT_IS(&s, " > a word");
		CHECK(pty_find_row(s.pty, cards[i].shows) < 0, "%s", pty_dump(s.pty));
		pty_send(s.pty, "\x15");
		INPUT_IS(&s, " >");
		pty_send(s.pty, cards[i].opens);
		CHECK(pty_wait(s.pty, pty_shows, cards[i].shows, cards[i].shows, __FILE__, __LINE__), "%s", cards[i].shows);
		pty_paste(s.pty, "yes, pasted");
		INPUT_IS(&s, " > yes, pasted");
		pty_send(s.pty, "\x15");
		INPUT_IS(&s, " >");
	}
	CHECK(pty_find_row(s.pty, "1 turn ") > 0, "%s", pty_dump(s.pty));
	stage_close(&s);
}

/* --- the focus --- */

static const struct { const char *opens, *shows, *closes; } takers[] = {
	{ K_F1, "Help", K_ESC },       { "\x0F", "Details of", K_ESC }, { F9, "Settings", K_ESC },      { K_ALT("t"), "Tree", K_ESC },
	{ K_F2, "Model", K_ESC },      { K_F4, "Provider", K_ESC },     { "\x10", "Commands", K_ESC },  { K_F6, "Conversations", K_ESC },
	{ "\x06", "search", K_ESC },   { "\x12", "earlier prompts", K_ESC },                         { K_ALT("v"), "y copy", K_ESC },
	{ F8, "Esc close", K_ESC },    { F8, "Esc close", F8 },         { K_ALT("o"), "Request of", K_ESC },
};

/* From the page to the page, from the input to the input. */
static void the_focus_goes_back(void)
{
	struct stage s;

	stage_open_answered(&s);
	for (size_t i = 0; i < 2 * (sizeof takers / sizeof *takers); i++) {
		bool from_page = i % 2;
		const char *shows = takers[i / 2].shows;

		if (from_page) {
			pty_send(s.pty, "\t");
			PAGE_HAS_FOCUS(&s);
		}
		pty_send(s.pty, takers[i / 2].opens);
		CHECK(pty_wait(s.pty, pty_shows, shows, shows, __FILE__, __LINE__), "%s", shows);
		pty_press(s.pty, takers[i / 2].closes);
		if (from_page) {
			CHECK(PAGE_HAS_FOCUS(&s), "%s", shows);
			pty_send(s.pty, K_ESC);
			PTY_LOSES(s.pty, "\u2500\u2500 page");
		}
		CHECK(pty_wait(s.pty, pty_hides, shows, shows, __FILE__, __LINE__), "%s", shows);
		pty_send(s.pty, "z");
		CHECK(INPUT_IS(&s, " > z"), "%s", shows);
		pty_send(s.pty, "\x7F");
		INPUT_IS(&s, " >");
	}
	stage_close(&s);
}

static void after_a_search_one_writes_on(void)
{
	struct stage s;

	stage_open_answered(&s);
	pty_send(s.pty, "draft: ");
	INPUT_IS(&s, " > draft:");
	pty_send(s.pty, "\x06");
	PTY_SEES(s.pty, "search");
	pty_type(s.pty, "day");
	PTY_SEES(s.pty, "1 of 1");
	pty_send(s.pty, "\r");
	INPUT_IS(&s, " > draft:");
	PTY_SEES(s.pty, "Alt-n older   Alt-N newer");
	pty_send(s.pty, K_ALT("n"));
	PTY_SEES(s.pty, "there is no older hit");
	pty_type(s.pty, "read on");
	INPUT_IS(&s, " > draft: read on");
	CHECK(pty_find_row(s.pty, "1 turn ") > 0, "%s", pty_dump(s.pty));
	stage_close(&s);
}

/* --- a slash and the name of a command --- */

static void stage_runs(struct stage *s, const char *opens, const char *shows, const char *line)
{
	if (opens)
		pty_send(s->pty, opens);
	if (shows)
		CHECK(pty_wait(s->pty, pty_shows, shows, shows, __FILE__, __LINE__), "%s", shows);
	pty_type(s->pty, line);
	pty_press(s->pty, "\r");
}

static void a_command_is_one_wherever_it_is_typed(void)
{
	static const struct { const char *opens, *shows, *line; } places[] = {
		{ "\t", "\u2500\u2500 page", "/private" }, { "\x06", "search", "/private" }, { K_F2, "Model", "/private" }, { K_F5, "Theme", "/private" },
		{ "\x12", "earlier prompts", "/private" }, { F8, "Esc close", "/private" },   { "\x10", "Commands", "/private" }, { NULL, NULL, "/private" },
		{ "\t", "\u2500\u2500 page", "/Private" },  { NULL, NULL, " /private" },       { "\x06", "search", " /PRIVATE" },
		{ K_ALT("v"), "y copy", "/private" },
	};
	struct stage s;

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		stage_open_answered(&s);
		stage_runs(&s, places[i].opens, places[i].shows, places[i].line);
		CHECK(PTY_SEES(s.pty, "private from here on"), "%s", places[i].shows ? places[i].shows : "input");
		CHECK(pty_find_row(s.pty, "hand  private") > 0, "%s", pty_dump(s.pty));
		stage_drop(&s);
	}
	stage_open_answered(&s);
	stage_runs(&s, "/", "Commands", "system");
	PTY_SEES(s.pty, "system prompt");
	stage_runs(&s, NULL, NULL, "/private");
	PTY_SEES(s.pty, "private from here on");
	pty_send(s.pty, "x");
	INPUT_IS(&s, " > x");
	stage_drop(&s);
}

/* Not the result of the tool either: it would be sent. */
static void a_command_is_no_result(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "weather?");
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}");
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	stage_runs(&s, K_ALT("a"), "Tool call 1 of 1", "/private");
	PTY_SEES(s.pty, "private from here on");
	PTY_LOSES(s.pty, "Tool call 1 of 1");
	stage_runs(&s, K_ALT("a"), "Tool call 1 of 1", "/tmp is full");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "/tmp is full"));
	stage_drop(&s);
}

static bool is_on_disk(const struct stage *s, const char *text)
{
	char command[600];

	snprintf(command, sizeof command, "grep -rqaF '%s' %s", text, home_path(s->home, ""));
	return system(command) == 0;
}

static void what_follows_private_is_not_kept(void)
{
	struct stage s;

	stage_open_page(&s);
	stage_runs(&s, NULL, NULL, "/private");
	PTY_SEES(s.pty, "private from here on");
	stage_runs(&s, NULL, NULL, "what is sesame?");
	hand_accept(s.server);
	hand_whole(s.server, "A seed.", "stop");
	PTY_SEES(s.pty, "2 turns");
	pty_signal(s.pty, 15);
	PTY_ENDS(s.pty, 128 + 15);
	CHECK(is_on_disk(&s, "Good day.") && !is_on_disk(&s, "sesame") && !is_on_disk(&s, "A seed."), "only what was said before is kept");
	stage_drop(&s);
}

/* What may become a command is not searched, and Enter does not run the beginning of a name. Other words are searched as they are typed. */
static void a_slash_in_a_pane_searches_what_is_no_command(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "a good day", "Good day, private model.");
	pty_send(s.pty, "\t");
	PAGE_HAS_FOCUS(&s);
	pty_type(s.pty, "/PRIV");
	PTY_SEES(s.pty, "\u2500\u2500 command");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "\u2500\u2500 command");
	pty_type(s.pty, "/priv");
	PTY_SEES(s.pty, "\u2500\u2500 command");
	CHECK(pty_find_row(s.pty, "1 of 1") < 0, "it is not searched: %s", pty_dump(s.pty));
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "there is no command /priv; the nearest is /private; to search: Ctrl-F");
	pty_type(s.pty, "ate");
	PTY_SEES(s.pty, "Enter runs /private");
	pty_send(s.pty, "\x06");
	PTY_SEES(s.pty, "1 of 1   Enter stay");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "n older   N newer");
	CHECK(pty_find_row(s.pty, "hand  private") < 0, "%s", pty_dump(s.pty));
	pty_type(s.pty, "/good");
	PTY_SEES(s.pty, "2 of 2   Enter stay");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "n older   N newer");
	pty_send(s.pty, "n");
	PTY_SEES(s.pty, "1 of 2");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "1 of 2");
	PAGE_HAS_FOCUS(&s);
	stage_close(&s);
}

/* Pasted words are words. */
static void what_is_pasted_after_a_slash_is_searched(void)
{
	struct stage s;

	stage_open_page(&s);
	pty_send(s.pty, "/");
	PTY_SEES(s.pty, "search");
	pty_paste(s.pty, "private");
	PTY_SEES(s.pty, "not found");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "nothing was found");
	CHECK(pty_find_row(s.pty, "hand  private") < 0, "%s", pty_dump(s.pty));
	stage_close(&s);
}

#define TAPE \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"provider\":\"far\",\"model\":\"asked\",\"started\":\"2020-02-03T04:05:06Z\"}\n" \
	"{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n" \
	"{\"t\":2,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"one \\\"}}]}\\n\\n\"}\n" \
	"{\"t\":50000,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"two\\\"}}]}\\n\\n\"}\n" \
	"{\"t\":100000,\"body\":\"data: [DONE]\\n\\n\"}\n" \
	"{\"t\":100002,\"end\":\"closed\"}\n"

static void a_replay_takes_commands_too(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", folder_file("a.tape", TAPE)), .environment = LIST("TZ=UTC") });

	PTY_SEES(p, "one");
	pty_send(p, " ");
	PTY_SEES(p, "paused");
	pty_type(p, "/seek 60");
	PTY_SEES(p, "Enter runs /seek");
	pty_press(p, "\r");
	PTY_SEES(p, "60.000 s of 100.002 s");
	PTY_SEES(p, "one two");
	pty_send(p, F8);
	PTY_SEES(p, "Esc close");
	pty_type(p, "/seek #1");
	PTY_SEES(p, "Enter runs /seek");
	pty_press(p, "\r");
	PTY_LOSES(p, "one two");
	pty_type(p, "/retry");
	pty_press(p, "\r");
	PTY_SEES(p, "this does not work in a replay");
	pty_send(p, K_ESC);
	PTY_LOSES(p, "Esc close");
	pty_type(p, "/two");
	PTY_SEES(p, "not found");
	pty_press(p, K_ESC);
	PTY_LOSES(p, "not found");
	pty_send(p, "q");
	PTY_ENDS(p, 0);
	pty_free(p);
	folder_remove();
}

const struct suite suite_screen_letters = { "screen_letters", (const struct test[]){
	TEST(what_does_not_read_is_written_into_the_input),
	TEST(a_prompt_typed_in_a_pane_is_a_prompt),
	TEST(letters_go_on_with_the_draft),
	TEST(letters_that_read_scroll_and_fold),
	TEST(text_goes_past_a_card_into_the_input),
	TEST(the_focus_goes_back),
	TEST(after_a_search_one_writes_on),
	TEST(a_command_is_one_wherever_it_is_typed),
	TEST(a_command_is_no_result),
	TEST(what_follows_private_is_not_kept),
	TEST(a_slash_in_a_pane_searches_what_is_no_command),
	TEST(what_is_pasted_after_a_slash_is_searched),
	TEST(a_replay_takes_commands_too),
	{ 0 },
} };
