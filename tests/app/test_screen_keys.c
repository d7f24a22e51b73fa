/* Keys, the palette, slash words, help, details and the input of the full screen. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "stage.h"
#include "support/check.h"

static void open_with_a_turn(struct stage *s)
{
	stage_open(s, NULL);
	stage_turn(s, "hello", "Good day.");
}

/* --- the input --- */

static void new_lines_do_not_send(void)
{
	static const char *const keys[] = { "\n", "\x1B\r" }; /* Ctrl-J, Alt-Enter */

	for (size_t i = 0; i < 2; i++) {
		struct stage s;

		stage_open(&s, NULL);
		pty_send(s.pty, "one");
		pty_send(s.pty, keys[i]);
		pty_send(s.pty, "two");
		PTY_SEES(s.pty, "   two");
		CHECK(pty_find_row(s.pty, "> one") == 21 && pty_find_row(s.pty, "   two") == 22, "key %zu: the input has grown upwards", i);
		pty_send(s.pty, "\r");
		hand_accept(s.server);
		CHECK(stage_sent(&s, "one\\ntwo"), "key %zu", i);
		stage_close(&s);
	}
}

static void a_paste_with_new_lines_does_not_send(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_paste(s.pty, "first\rsecond\r\nthird\x1B[31m\a\n");
	PTY_SEES(s.pty, "> first");
	PTY_SEES(s.pty, "   second");
	PTY_SEES(s.pty, "   third");
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, "A live view"); /* nothing was sent */
	pty_send(s.pty, "end\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "first\\nsecond\\nthird"));
	CHECK(!strstr(hand_body(s.server), "\\u001b"), "no control byte came in by the paste: %s", hand_body(s.server));
	stage_close(&s);
}

/* A paste without brackets: line ends are not Enter, and a slash or a question mark opens nothing. */
static void a_paste_without_brackets_does_not_send(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "/first\rsecond\r\n?third\r");
	PTY_SEES(s.pty, "> /first");
	PTY_SEES(s.pty, "   second");
	PTY_SEES(s.pty, "   ?third");
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, "A live view");
	pty_send(s.pty, "end\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "/first\\nsecond\\n?third\\nend"));
	stage_close(&s);
}

static void blank_prompts_are_not_sent(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "\r");
	pty_send(s.pty, "   \r");
	pty_settle(s.pty);
	PTY_SEES(s.pty, "A live view");
	stage_close(&s);
}

static void a_long_input_takes_a_third_and_scrolls(void)
{
	struct stage s;

	stage_open(&s, NULL);
	for (int i = 1; i <= 30; i++)
		pty_send(s.pty, "poem\n");
	pty_send(s.pty, "the last");
	PTY_SEES(s.pty, "   the last");
	CHECK(pty_find_row(s.pty, "poem") >= 14, "a third at most: from row %d", pty_find_row(s.pty, "poem"));
	CU_ASSERT_EQUAL(pty_cursor_row(s.pty), 22);
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void up_and_down_walk_earlier_prompts(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "alpha", "A.");
	stage_turn(&s, "beta", "B.");
	pty_send(s.pty, "draft");
	PTY_SEES(s.pty, " > draft");
	pty_send(s.pty, K_UP);
	PTY_SEES(s.pty, " > beta");
	pty_send(s.pty, K_UP K_UP);
	PTY_SEES(s.pty, " > alpha");
	pty_send(s.pty, K_DOWN);
	PTY_SEES(s.pty, " > beta");
	pty_send(s.pty, K_DOWN);
	PTY_SEES(s.pty, " > draft");
	pty_send(s.pty, K_UP K_UP "\r");
	hand_accept(s.server);
	CHECK(strstr(hand_body(s.server), "alpha") != strrchr(hand_body(s.server), 'a'), "sent again: %s", hand_body(s.server));
	stage_close(&s);
}

static void lines_are_edited_as_in_a_shell(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "one two three");
	pty_send(s.pty, "\x17");             /* Ctrl-W */
	PTY_LOSES(s.pty, "three");
	pty_send(s.pty, "\x01" "zero ");     /* Ctrl-A */
	PTY_SEES(s.pty, " > zero one two");
	pty_send(s.pty, "\x1B" "f" "\x0B");  /* Alt-f, Ctrl-K */
	PTY_LOSES(s.pty, "two");
	PTY_SEES(s.pty, " > zero one");
	pty_send(s.pty, "\x15");             /* Ctrl-U */
	PTY_LOSES(s.pty, "zero");
	stage_close(&s);
}

/* --- palette and slash words --- */

static void the_palette_lists_every_command_with_its_key(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 68 });
	pty_send(s.pty, K_CTRL('p'));
	PTY_SEES(s.pty, "Commands");
	PTY_SEES(s.pty, "/retry");
	PTY_SEES(s.pty, "Alt-r");
	PTY_SEES(s.pty, "/theme");
	PTY_SEES(s.pty, "F5");
	PTY_SEES(s.pty, "/quit");
	pty_send(s.pty, "detai");
	PTY_LOSES(s.pty, "/quit");
	PTY_SEES(s.pty, "/details");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "no turn yet");
	PTY_LOSES(s.pty, "Commands");
	pty_send(s.pty, K_CTRL('p'));
	PTY_SEES(s.pty, "Commands");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Commands");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void a_slash_opens_the_palette_and_runs_what_is_typed(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "/");
	PTY_SEES(s.pty, "Commands");
	pty_send(s.pty, "model m-77");
	PTY_SEES(s.pty, "model m-77");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "model m-77 from the next turn on");
	PTY_SEES(s.pty, "hand \u00b7 m-77");
	stage_ask(&s, "hi");
	CU_ASSERT_TRUE(stage_sent(&s, "\"m-77\""));
	stage_close(&s);
}

static void a_slash_inside_a_line_is_typed(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "a/b? yes");
	CU_ASSERT_TRUE(stage_sent(&s, "a/b? yes"));
	stage_close(&s);
}

static void commands_that_want_words_wait_for_them_in_the_input(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "\x10" "attach\r");
	PTY_LOSES(s.pty, "Esc back");
	PTY_SEES(s.pty, " > /attach");
	home_write(s.home, "note.txt", "The note says 4711.\n");
	pty_enter(s.pty, "~/note.txt");
	PTY_SEES(s.pty, "goes with the next prompt");
	stage_ask(&s, "what does it say?");
	CU_ASSERT_TRUE(stage_sent(&s, "The note says 4711."));
	PTY_SEES(s.pty, "attached  note.txt");
	stage_close(&s);
}

static void slash_words_set_what_the_next_turn_sends(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "/system Speak like a pirate.\r");
	PTY_SEES(s.pty, "system prompt set");
	pty_send(s.pty, "/reasoning high\r");
	PTY_SEES(s.pty, "reasoning high from the next turn on");
	stage_turn(&s, "hi", "Ahoy.");
	CU_ASSERT_TRUE(stage_sent(&s, "Speak like a pirate."));
	CU_ASSERT_TRUE(stage_sent(&s, "\"high\""));
	pty_send(s.pty, "/new\r");
	PTY_SEES(s.pty, "a new conversation");
	PTY_LOSES(s.pty, "Ahoy.");
	stage_ask(&s, "again");
	CHECK(!strstr(hand_body(s.server), "Ahoy."), "%s", hand_body(s.server));
	stage_close(&s);
}

/* Without an argument nothing is dropped; the current value is shown. */
static void what_is_set_is_shown_and_dropped_by_off(void)
{
	static const struct { const char *line, *sees; } acts[] = {
		{ "/system Be brief.", "system prompt set" },
		{ "/tools", "no tools set" },
		{ "/tools ~/tools.json", "from the next turn on" },
		{ "/tools", "/tools.json; /tools off drops them" },
		{ "/schema", "no schema set" },
		{ "/schema ~/schema.json", "from the next turn on" },
		{ "/schema", "/schema.json; /schema off drops it" },
		{ "/attach ~/schema.json", "goes with the next prompt" },
		{ "/attach", "1 file goes with the next prompt; /attach off drops it" },
	};
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 160 });
	home_write(s.home, "tools.json", "[{\"type\":\"function\",\"function\":{\"name\":\"look_up\",\"parameters\":{\"type\":\"object\"}}}]");
	home_write(s.home, "schema.json", "{\"type\":\"object\",\"title\":\"form\"}");
	for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
		pty_enter(s.pty, acts[i].line);
		if (!strcmp(acts[i].line, "/attach")) /* the palette writes it into the input first */
			pty_enter(s.pty, "");
		pty_wait(s.pty, pty_shows, acts[i].sees, acts[i].line, __FILE__, __LINE__);
	}
	stage_turn(&s, "one", "One.");
	CHECK(stage_sent(&s, "Be brief.") && stage_sent(&s, "look_up") && stage_sent(&s, "json_schema"), "%s", hand_body(s.server));
	pty_enter(s.pty, "/system off");
	PTY_SEES(s.pty, "no system prompt, from the next turn on");
	pty_enter(s.pty, "/tools off");
	PTY_SEES(s.pty, "no tools any more");
	pty_enter(s.pty, "/schema off");
	PTY_SEES(s.pty, "no schema any more");
	stage_ask(&s, "two");
	CHECK(!stage_sent(&s, "Be brief.") && !stage_sent(&s, "look_up") && !stage_sent(&s, "json_schema"), "%s", hand_body(s.server));
	stage_close(&s);
}

/* Bare /system shows it where it can be written: several lines, Enter keeps them, Esc leaves it as it was; the draft comes back. */
static void the_system_prompt_is_written_in_the_input(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_type(s.pty, "a draft");
	pty_send(s.pty, K_CTRL('p'));
	PTY_SEES(s.pty, "Commands");
	pty_enter(s.pty, "system");
	PTY_SEES(s.pty, "system prompt \u2500");
	PTY_SEES(s.pty, "Enter keep");
	PTY_LOSES(s.pty, "a draft");
	pty_type(s.pty, "/Be brief? ");
	pty_press(s.pty, K_CTRL('j'));
	pty_type(s.pty, "Be kind.");
	PTY_SEES(s.pty, "> /Be brief?");
	PTY_LOSES(s.pty, "Commands");
	pty_press(s.pty, K_CTRL('r'));
	PTY_SEES(s.pty, "one of them first");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "system prompt set");
	PTY_SEES(s.pty, "> a draft");
	pty_press(s.pty, "\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "\"/Be brief? \\nBe kind.\""));
	hand_whole(s.server, "Yes.", "stop");
	PTY_SEES(s.pty, "Yes.");
	pty_enter(s.pty, "/system");
	PTY_SEES(s.pty, "Be kind.");
	pty_type(s.pty, " Or not.");
	PTY_SEES(s.pty, "Or not.");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, "as it was");
	PTY_LOSES(s.pty, "Or not.");
	stage_ask(&s, "again");
	CU_ASSERT_TRUE(stage_sent(&s, "Be kind.\""));
	hand_whole(s.server, "No.", "stop");
	pty_enter(s.pty, "/system");
	PTY_SEES(s.pty, "Enter keep");
	pty_press(s.pty, K_CTRL('u'));
	pty_press(s.pty, "\x08");
	pty_press(s.pty, K_CTRL('u'));
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "no system prompt, from the next turn on");
	stage_ask(&s, "third");
	CU_ASSERT_FALSE(stage_sent(&s, "Be kind."));
	stage_close(&s);
}

/* The text under way is neither a prompt nor the draft of the next run. */
static void the_system_prompt_is_no_draft(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_enter(s.pty, "/system");
	PTY_SEES(s.pty, "Enter keep");
	pty_type(s.pty, "Half a rule");
	PTY_SEES(s.pty, "> Half a rule");
	pty_press(s.pty, K_CTRL('c'));
	PTY_LOSES(s.pty, "Half a rule");
	pty_enter(s.pty, "/system");
	PTY_SEES(s.pty, "Enter keep");
	pty_type(s.pty, "Half a rule");
	PTY_SEES(s.pty, "> Half a rule");
	pty_signal(s.pty, 15);
	PTY_ENDS(s.pty, 128 + 15);
	CHECK(access(home_path(s.home, ".local/state/weir/draft"), F_OK) != 0, "it was kept as a draft");
	stage_drop(&s);
}

static void a_new_conversation_keeps_the_draft(void)
{
	struct stage s;

	open_with_a_turn(&s);
	pty_send(s.pty, "half a thought\x10" "new\r");
	PTY_SEES(s.pty, "a new conversation");
	PTY_LOSES(s.pty, "Good day.");
	PTY_SEES(s.pty, " > half a thought");
	stage_close(&s);
}

static void unknown_slash_words_are_told(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "/frobnicate\r");
	PTY_SEES(s.pty, "there is no command /frobnicate");
	PTY_SEES(s.pty, " > /frobnicate"); /* kept for correction */
	PTY_SEES(s.pty, "A live view");
	stage_close(&s);
}

/* A word that is not the name of a command runs none, however similar it is. */
static void unknown_slash_words_run_nothing(void)
{
	static const struct { const char *line, *sees; } words[] = {
		{ "/hepl", "there is no command /hepl; the nearest is /help" },
		{ "/modle m-2", "there is no command /modle; the nearest is /model" },
		{ "/nwe", "there is no command /nwe; the nearest is /new" },
		{ "/cl", "there is no command /cl; the nearest is /clear" },
		{ "/thme", "there is no command /thme; the nearest is /theme" },
		{ "/zzzzzzzz", "there is no command /zzzzzzzz; /help lists them" },
		{ "/source", "there is no command /source; the nearest is /raw" }, /* whose description contains the word */
		{ "/calls", "/calls belongs to the linear mode" },
		{ "/resume", "conversations are not stored yet" },
		{ "/sessions", "conversations are not stored yet" },
		{ "/export", "there is no export yet" },
		{ "/compact", "there is no compacting yet" },
	};
	static const char *const forms[] = { "%s", "x\x02%s\x0B" }; /* into the palette, and into the input */
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 120 });
	stage_turn(&s, "hello", "Good day.");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		for (size_t form = 0; form < 2; form++) {
			char line[64];

			if (form && !strcmp(words[i].line, "/source")) /* no list is open there */
				continue;
			snprintf(line, sizeof line, forms[form], words[i].line);
			pty_enter(s.pty, line);
			pty_wait(s.pty, pty_shows, words[i].sees, line, __FILE__, __LINE__);
			snprintf(line, sizeof line, " > %s", words[i].line);
			pty_wait(s.pty, pty_shows, line, line, __FILE__, __LINE__); /* to be corrected */
			PTY_SEES(s.pty, "Good day.");
			pty_send(s.pty, "\x15");
			pty_send(s.pty, "\x0C");
			pty_wait(s.pty, pty_hides, line, "the input is cleared", __FILE__, __LINE__);
		}
	stage_close(&s);
}

static void words_from_elsewhere_do_what_they_do_there(void)
{
	static const struct { const char *line, *sees; } words[] = {
		{ "/cost", "Details of the last turn" }, { "/status", "Details of the last turn" }, { "/models", "fetching ..." },
		{ "/models m-7", "model m-7 from the next turn on" }, { "/undo", "the last prompt" }, { "/clear", "a new conversation" },
		{ "/exit", NULL }, { "/q", NULL },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct stage s;

		open_with_a_turn(&s);
		pty_enter(s.pty, words[i].line);
		if (words[i].sees)
			pty_wait(s.pty, pty_shows, words[i].sees, words[i].line, __FILE__, __LINE__);
		else
			PTY_ENDS(s.pty, 0);
		stage_drop(&s);
	}
}

static int find_heading(struct pty *p, const char *heading)
{
	for (unsigned row = 0; row < pty_rows(p); row++)
		if (str_is(str_trim(str_from(pty_row(p, row))), heading))
			return (int)row;
	return -1;
}

static void the_palette_is_grouped_until_one_types(void)
{
	static const char *const groups[] = { "Conversation", "Model", "View", "Copy", "Files", "Program" };
	struct stage s;
	int row = -1;

	stage_open(&s, &(struct stage_options){ .rows = 68 });
	pty_send(s.pty, "/");
	PTY_SEES(s.pty, "/quit");
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		CHECK(find_heading(s.pty, groups[i]) > row, "%s", groups[i]);
		row = find_heading(s.pty, groups[i]);
	}
	CHECK(pty_find_row(s.pty, "/pause") < 0, "it does nothing here");
	pty_send(s.pty, "cop");
	PTY_LOSES(s.pty, "/quit");
	CHECK(find_heading(s.pty, "Copy") < 0, "no headings between rows in another order");
	CHECK(pty_find_row(s.pty, " > /copy") > 0 && pty_find_row(s.pty, "/id") > pty_find_row(s.pty, " > /copy"), "names go first");
	CHECK(pty_find_row(s.pty, "/protocol") < 0, "its letters are not in their order");
	stage_close(&s);
}

/* Enter runs the command that was named or moved to. */
static void the_palette_runs_what_is_meant(void)
{
	struct stage s;

	open_with_a_turn(&s);
	pty_enter(s.pty, "/"); /* no command is named yet */
	PTY_SEES(s.pty, "Commands");
	pty_enter(s.pty, "deta");
	PTY_SEES(s.pty, "Details of the last turn");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details of the last turn");
	pty_enter(s.pty, "/dtl"); /* letters of a command */
	PTY_SEES(s.pty, "there is no command /dtl; the nearest is /details");
	pty_send(s.pty, "\x15\x10" "dtl" K_UP "\r");
	PTY_SEES(s.pty, "Details of the last turn");
	stage_close(&s);
}

static void what_finds_nothing_to_do_is_told(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "hello", "Ahoy.");
	pty_send(s.pty, "\x14");
	PTY_SEES(s.pty, "there is no reasoning and no tool call to unfold");
	stage_close(&s);
}

static void slash_quit_leaves(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "/quit\r");
	PTY_ENDS(s.pty, 0);
	PTY_RESTORED(s.pty);
	stage_drop(&s);
}

/* --- help and details --- */

static void help_opens_by_key_and_closes(void)
{
	static const char *const keys[] = { K_F1, "?" };

	for (size_t i = 0; i < 2; i++) {
		struct stage s;

		stage_open(&s, NULL);
		pty_send(s.pty, keys[i]);
		PTY_SEES(s.pty, "Help");
		PTY_SEES(s.pty, "new line (also Alt-Enter)");
		pty_send(s.pty, K_END);
		PTY_SEES(s.pty, "new line, where the");
		pty_send(s.pty, K_ESC);
		PTY_LOSES(s.pty, "Help");
		PTY_SEES(s.pty, "A live view");
		stage_close(&s);
	}
}

static void help_lists_what_the_demo_answers_to(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .rows = 130 });

	PTY_SEES(p, "A live view");
	pty_send(p, "/help\r");
	PTY_SEES(p, "two tools, parallel");
	PTY_SEES(p, "refuse, refusal");
	pty_free(p);
}

static void details_show_the_response_id(void)
{
	struct stage s;

	open_with_a_turn(&s);
	pty_send(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "Details of the last turn");
	PTY_SEES(s.pty, "response id  chatcmpl-hand");
	PTY_SEES(s.pty, "outcome      complete");
	PTY_SEES(s.pty, "finish       stop");
	PTY_SEES(s.pty, "prompt      12");
	pty_send(s.pty, "y");
	PTY_SEES(s.pty, "sent chatcmpl-hand to the terminal (OSC 52)");
	CHECK(pty_has_written(s.pty, "\x1B]52;c;Y2hhdGNtcGwtaGFuZA==\a"), "OSC 52 with the id");
	pty_send(s.pty, K_CTRL('o'));
	PTY_LOSES(s.pty, "Details of the last turn");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void slash_id_copies_the_response_id(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "/id\r");
	PTY_SEES(s.pty, "there is no answer yet");
	stage_turn(&s, "hello", "Good day.");
	CHECK(!pty_has_written(s.pty, "\x1B]52;"), "not before it was asked for");
	pty_send(s.pty, "/id\r");
	PTY_SEES(s.pty, "sent chatcmpl-hand to the terminal (OSC 52)");
	CHECK(pty_has_written(s.pty, "\x1B]52;c;Y2hhdGNtcGwtaGFuZA==\a"), "OSC 52 with the id");
	stage_close(&s);
}

/* --- turns --- */

static void retrying_sends_the_turn_again(void)
{
	static const char *const keys[] = { K_ALT("r"), "/retry\r", K_SHIFT_TAB "r" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct stage s;

		open_with_a_turn(&s);
		char *first = mem_dup_z(hand_body(s.server));
		pty_send(s.pty, keys[i]);
		hand_accept(s.server);
		CHECK_STR(str_from(hand_body(s.server)), first);
		PTY_SEES(s.pty, "(retried below)");
		hand_whole(s.server, "Better day.", "stop");
		PTY_SEES(s.pty, "Better day.");
		mem_free(first);
		stage_close(&s);
	}
}

static void nothing_to_retry_is_said(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, K_ALT("r"));
	PTY_SEES(s.pty, "there is nothing to retry yet");
	stage_close(&s);
}

/* --- focus --- */

static bool has_cursor(struct pty *p, const void *ctx)
{
	(void)ctx;
	return pty_cursor_is_shown(p);
}

static void tab_moves_the_focus_and_letters_become_commands(void)
{
	struct stage s;

	open_with_a_turn(&s);
	pty_send(s.pty, "\t" "d");
	PTY_SEES(s.pty, "Details of the last turn");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details of the last turn");
	pty_send(s.pty, "?");
	PTY_SEES(s.pty, "Help");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Help");
	pty_send(s.pty, "/");
	PTY_SEES(s.pty, "search");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "search");
	pty_send(s.pty, K_ESC); /* back to the input */
	PTY_WAIT(s.pty, has_cursor, NULL);
	pty_send(s.pty, "ddt");
	PTY_SEES(s.pty, " > ddt");
	pty_send(s.pty, "\t\tx"); /* through all panes and back */
	PTY_SEES(s.pty, " > ddtx");
	stage_close(&s);
}

static void panes_scroll_when_they_have_the_focus(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "think");
	for (int i = 1; i <= 30; i++) {
		char line[32];

		snprintf(line, sizeof line, "thought %d\n", i);
		hand_reasoning(s.server, line);
	}
	PTY_SEES(s.pty, "thought 30");
	PTY_LOSES(s.pty, "thought 5");
	pty_send(s.pty, K_SHIFT_TAB); /* the input's neighbours: transcript first, the reasoning last */
	pty_send(s.pty, K_HOME);
	PTY_SEES(s.pty, "thought 2");
	PTY_SEES(s.pty, "thought 5");
	hand_reasoning(s.server, "thought 31\n");
	pty_send(s.pty, K_END);
	PTY_SEES(s.pty, "thought 31");
	hand_text(s.server, "Done."); /* the pane closes; the focus moves to the input */
	PTY_SEES(s.pty, "Done.");
	pty_send(s.pty, "typed");
	PTY_SEES(s.pty, " > typed");
	stage_close(&s);
}

static void the_focus_can_be_seen(void)
{
	struct stage s;

	open_with_a_turn(&s);
	CU_ASSERT_TRUE(pty_cursor_is_shown(s.pty));
	struct pty_cell with = pty_cell(s.pty, 22, 1);
	pty_send(s.pty, "\t");
	pty_settle(s.pty);
	struct pty_cell without = pty_cell(s.pty, 22, 1);
	CHECK(with.foreground != without.foreground || with.bold != without.bold || !pty_cursor_is_shown(s.pty), "the prompt sign or the cursor tells");
	stage_close(&s);
}

/* Keys in the encodings of old terminals, each with its own terminfo entry. */
static void keys_of_old_terminals_are_heard(void)
{
	static const struct { const char *term, *bytes, *sees; } keys[] = {
		{ "TERM=linux", "\x1B[[A", "Help" },     { "TERM=linux", "\x1B[[C", "Protocol" }, { "TERM=linux", "\x1B[[E", "Theme" },
		{ "TERM=rxvt", "\x1B[11~", "Help" },     { "TERM=rxvt", "\x1B[13~", "Protocol" }, { "TERM=rxvt", "one two\x1BOdx", "> one xtwo" },
		{ "TERM=vt220", "\x1BOP", "Help" },      { "TERM=vt220", "ab\bc", "> ac" },       { "TERM=vt100", "\x1BOR", "Protocol" },
		{ "TERM=vt100", "abc\x1BOD\x1BODx", "> axbc" }, { "TERM=screen", "abc\x1B[1~x", "> xabc" }, { "TERM=tmux-256color", "abc\x1B[1~x\x1B[4~y", "> xabcy" },
		{ "TERM=linux", "abc\x1B[1~\x1B[3~", "> bc" },  { "TERM=xterm", "abc\x1BOHx", "> xabc" },   { "TERM=xterm", "\x1B[27;5;112~", "Commands" },
	};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .environment = LIST(keys[i].term) });
		pty_send(s.pty, keys[i].bytes);
		pty_wait(s.pty, pty_shows, keys[i].sees, keys[i].term, __FILE__, __LINE__);
		stage_drop(&s);
	}
}

/* The Linux console's Shift-Tab is Alt-Tab of other terminals. */
static void shift_tab_of_the_console_moves_the_focus(void)
{
	struct stage s;

	open_with_a_turn(&s);
	pty_send(s.pty, "\x1B\t");
	pty_send(s.pty, "d");
	PTY_SEES(s.pty, "Details of the last turn");
	stage_close(&s);
}

static void half_pages_are_scrolled(void)
{
	static const char *const openers[] = { "", "\t" };

	for (size_t i = 0; i < 2; i++) {
		struct stage s;

		stage_open(&s, NULL);
		stage_begin(&s, "rows");
		stage_rows(&s, 1, 100);
		hand_finish(s.server, "stop");
		PTY_SEES(s.pty, "row 100");
		STAGE_OVER(&s);
		pty_send(s.pty, openers[i]);
		pty_send(s.pty, "\x1B[1;3A");
		PTY_LOSES(s.pty, "row 91");
		PTY_SEES(s.pty, "row 90");
		pty_send(s.pty, "\x1B[1;3A");
		PTY_LOSES(s.pty, "row 81");
		PTY_SEES(s.pty, "row 80");
		pty_send(s.pty, "\x1B[1;3B");
		PTY_SEES(s.pty, "row 90");
		PTY_LOSES(s.pty, "row 91");
		stage_close(&s);
	}
}

/* --- hints --- */

static bool shows_without(struct pty *p, const char *shown, const char *hidden)
{
	return pty_find_row(p, shown) >= 0 && pty_find_row(p, hidden) < 0;
}

static void the_end_is_offered_by_the_key_that_leads_there(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "rows");
	stage_rows(&s, 1, 60);
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "row 60");
	STAGE_OVER(&s);
	pty_send(s.pty, K_PGUP);
	PTY_SEES(s.pty, "End for the latest");
	pty_send(s.pty, "draft");
	PTY_SEES(s.pty, "Ctrl-End for the latest"); /* End belongs to the draft */
	pty_send(s.pty, "\x1B[1;5F");
	PTY_SEES(s.pty, "row 60");
	PTY_LOSES(s.pty, "for the latest");
	stage_close(&s);
}

static void esc_is_offered_where_it_takes_prompts_back(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "first");
	pty_send(s.pty, "second\r");
	PTY_SEES(s.pty, "1 queued");
	PTY_SEES(s.pty, "Esc stop");
	pty_send(s.pty, "draft" K_ESC);
	PTY_LOSES(s.pty, "Esc stop");
	PTY_SEES(s.pty, "1 queued");
	CHECK(shows_without(s.pty, " > draft", "take back"), "with a draft it does nothing");
	pty_send(s.pty, "\x15");
	PTY_SEES(s.pty, "1 queued");
	PTY_SEES(s.pty, "Up edit   Esc take back");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, " > second");
	stage_close(&s);
}

static void letters_are_offered_where_they_are_commands(void)
{
	struct stage s;

	stage_open(&s, NULL);
	PTY_SEES(s.pty, "? help");
	pty_send(s.pty, "a");
	PTY_SEES(s.pty, "F1 help"); /* a question mark would be text */
	pty_send(s.pty, "\x15\t");
	PTY_SEES(s.pty, "? help");
	CHECK(pty_find_row(s.pty, "r retry") < 0, "there is no turn");
	pty_send(s.pty, K_ESC);
	stage_turn(&s, "hello", "Good day, good day.");
	PTY_SEES(s.pty, "Good day, good day.");
	pty_send(s.pty, "\t");
	PTY_SEES(s.pty, "r retry   d details");
	pty_send(s.pty, "/");
	PTY_SEES(s.pty, "search");
	pty_send(s.pty, "good\r");
	PTY_SEES(s.pty, "n older   N newer   Esc done");
	pty_send(s.pty, "\t"); /* to the input, where letters are text */
	PTY_LOSES(s.pty, "n older");
	PTY_SEES(s.pty, "Esc done");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc done");
	pty_send(s.pty, "x\x01/re");
	PTY_SEES(s.pty, "Tab take   Esc close");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc close");
	stage_close(&s);
}

const struct suite suite_screen_keys = { "screen_keys", (const struct test[]){
	TEST(new_lines_do_not_send),
	TEST(a_paste_with_new_lines_does_not_send),
	TEST(a_paste_without_brackets_does_not_send),
	TEST(blank_prompts_are_not_sent),
	TEST(a_long_input_takes_a_third_and_scrolls),
	TEST(up_and_down_walk_earlier_prompts),
	TEST(lines_are_edited_as_in_a_shell),
	TEST(the_palette_lists_every_command_with_its_key),
	TEST(a_slash_opens_the_palette_and_runs_what_is_typed),
	TEST(a_slash_inside_a_line_is_typed),
	TEST(commands_that_want_words_wait_for_them_in_the_input),
	TEST(slash_words_set_what_the_next_turn_sends),
	TEST(the_system_prompt_is_written_in_the_input), TEST(the_system_prompt_is_no_draft), TEST(what_is_set_is_shown_and_dropped_by_off),
	TEST(a_new_conversation_keeps_the_draft),
	TEST(unknown_slash_words_are_told),
	TEST(unknown_slash_words_run_nothing),
	TEST(words_from_elsewhere_do_what_they_do_there),
	TEST(the_palette_is_grouped_until_one_types),
	TEST(the_palette_runs_what_is_meant),
	TEST(what_finds_nothing_to_do_is_told),
	TEST(slash_quit_leaves),
	TEST(help_opens_by_key_and_closes),
	TEST(help_lists_what_the_demo_answers_to),
	TEST(details_show_the_response_id),
	TEST(slash_id_copies_the_response_id),
	TEST(retrying_sends_the_turn_again),
	TEST(nothing_to_retry_is_said),
	TEST(tab_moves_the_focus_and_letters_become_commands),
	TEST(panes_scroll_when_they_have_the_focus),
	TEST(the_focus_can_be_seen),
	TEST(keys_of_old_terminals_are_heard),
	TEST(shift_tab_of_the_console_moves_the_focus),
	TEST(half_pages_are_scrolled),
	TEST(the_end_is_offered_by_the_key_that_leads_there),
	TEST(esc_is_offered_where_it_takes_prompts_back),
	TEST(letters_are_offered_where_they_are_commands),
	{ 0 },
} };
