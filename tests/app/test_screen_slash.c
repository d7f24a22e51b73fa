/* The palette and slash words of the full screen. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stage.h"
#include "support/check.h"

/* Without an argument nothing is dropped; the current value is shown. */
static void what_is_set_is_shown_and_dropped_by_off(void)
{
	static const struct { const char *line, *sees; } acts[] = {
		{ "/system Be brief.", "system prompt set" },
		{ "/tools clock", "tool clock (off)" },
		{ "/tools ~/tools.json", "from the next turn on" },
		{ "/schema", "no schema set" },
		{ "/schema ~/schema.json", "from the next turn on" },
		{ "/schema", "/schema.json; /schema off removes it" },
		{ "/attach ~/schema.json", "goes with the next prompt" },
		{ "/attach", "sum  1 file" }, /* a sheet of them */
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
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "sum  1 file");
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

/* Bare /system shows it where it can be written: several lines, Enter keeps them, Esc leaves it unchanged; the draft comes back. */
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
	PTY_SEES(s.pty, "the system prompt is still open");
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
	PTY_SEES(s.pty, "unchanged");
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
		{ "/history", "there is no /history any more: /prompts searches earlier prompts, and /resume stored conversations" },
		{ "/bare", "there is no /bare any more: /select marks lines" },
		{ "/pager", "there is no /pager any more: /raw shows answers as their source" },
		{ "/take-back", "there is no /take-back any more: Up in an empty input" },
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
		{ "/cost", "Tokens and money" }, { "/status", "Details of the last turn" }, { "/models", "fetching ..." },
		{ "/models m-7", "model m-7 from the next turn on" }, { "/undo", "there is nothing to undo" }, { "/clear", "a new conversation" },
		{ "/exit", NULL }, { "/q", NULL },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct stage s;

		stage_open_answered(&s);
		pty_enter(s.pty, words[i].line);
		if (words[i].sees)
			pty_wait(s.pty, pty_shows, words[i].sees, words[i].line, __FILE__, __LINE__);
		else
			PTY_ENDS(s.pty, 0);
		stage_drop(&s);
	}
}

/* The row of a card that has nothing else between its sides. */
static int find_heading(struct pty *p, const char *heading)
{
	char words[40];

	snprintf(words, sizeof words, "\u2502 %s        ", heading);
	return pty_find_row(p, words);
}

static void the_palette_is_grouped_until_one_types(void)
{
	static const char *const groups[] = { "Conversation", "Model", "View", "Copy", "Files", "Program" };
	struct stage s;
	int row = -1;

	stage_open(&s, &(struct stage_options){ .rows = 68 });
	stage_turn(&s, "hello", "Good day.");
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

const struct suite suite_screen_slash = { "screen_slash", (const struct test[]){
	TEST(the_system_prompt_is_written_in_the_input),
	TEST(the_system_prompt_is_no_draft),
	TEST(what_is_set_is_shown_and_dropped_by_off),
	TEST(unknown_slash_words_run_nothing),
	TEST(words_from_elsewhere_do_what_they_do_there),
	TEST(the_palette_is_grouped_until_one_types),
	{ 0 },
} };
