/* The card of stored conversations on the full screen. */
#include <stdio.h>

#include "base/array.h"
#include "lines.h"
#include "stage.h"
#include "stored.h"
#include "support/check.h"
#include "support/golden.h"


static const struct stored few[] = {
	{ "Cycling in Tokyo", "openai/gpt-5.4-mini", "Should I cycle?", "Take the train: rain begins at five.", 2, 812, false, false },
	{ "Bread without yeast", "sansa-auto", "How?", "Soda and buttermilk. Rain does not matter.", 30, 31190, false, false },
	{ "A parser in C, byte by byte, that resumes wherever the stream was cut", "openai/gpt-5.4-mini", "How?", "With a state.", 50, 90, true, false },
	{ "Evil \x1b[31m\x07title\nof two lines", "m", "x", "An \x1b]0;owned\x07 answer about lightning.", 72, 5, false, false },
};

static void furnish(const char *home)
{
	stored_write(home, few, ARRAY_LEN(few));
}

static void open_list(struct stage *s, unsigned rows, unsigned columns, const char *keys)
{
	stage_open(s, &(struct stage_options){ .rows = rows, .columns = columns, .furnish = furnish });
	pty_send(s->pty, K_F6);
	PTY_SEES(s->pty, "A pars");
	pty_send(s->pty, K_UP); /* to the pinned one: the last chat is marked */
	pty_send(s->pty, keys);
}

static void close_card(struct stage *s)
{
	pty_send(s->pty, K_ESC);
	PTY_LOSES(s->pty, "Conversations");
	stage_close(s);
}

/* Ages are in hours and days, so that they do not depend on when it runs. */
static void the_list_looks_as_it_did(void)
{
	static const unsigned sizes[][2] = { { 24, 80 }, { 12, 40 }, { 40, 120 }, { 6, 20 } };

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct stage s;
		char name[32];

		open_list(&s, sizes[i][0], sizes[i][1], K_DOWN);
		PTY_SEES(s.pty, sizes[i][1] < 30 ? "> Cy" : ">   Cy");
		PTY_REDRAWS(s.pty);
		snprintf(name, sizeof name, "list-%ux%u", sizes[i][1], sizes[i][0]);
		golden_check(name, str_from(pty_dump(s.pty)));
		stage_drop(&s);
	}
}

static void pinned_ones_come_first_and_titles_cannot_act(void)
{
	struct stage s;
	unsigned pinned, newest, row, column;

	open_list(&s, 24, 80, "");
	PTY_SEES(s.pty, "4 in all");
	CHECK(pty_find(s.pty, "A parser in C", &pinned, &column) && pty_find(s.pty, "Cycling", &newest, &column) && pinned < newest, "the order");
	CHECK(pty_find(s.pty, "Evil [31m title of", &row, &column), "the title is not one clean line");
	CHECK(!pty_has_written(s.pty, "\x1b[31m\x07"), "a title acts");
	close_card(&s);
}

static void a_conversation_is_saved(void)
{
	struct stage s;
	char keys[300];

	open_list(&s, 24, 80, "cycl");
	PTY_SEES(s.pty, "1 found");
	snprintf(keys, sizeof keys, "\x13\x15%s\r", home_path(s.home, "out.md"));
	pty_send(s.pty, keys);
	PTY_SEES(s.pty, "saved to");
	CHECK(home_has(s.home, "out.md"), "no file");
	pty_send(s.pty, keys);
	PTY_SEES(s.pty, "exists");
	pty_send(s.pty, "\x13\x15" "somewhere.doc\r");
	PTY_SEES(s.pty, "should end in .md, .json, .html or .txt");
	close_card(&s);
}

static void pins_are_set_and_stay(void)
{
	struct stage s;
	unsigned one, other, column;

	open_list(&s, 24, 80, "bread");
	PTY_SEES(s.pty, "1 found");
	pty_send(s.pty, "\x14");
	PTY_SEES(s.pty, "pinned");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Conversations");
	pty_send(s.pty, K_F6);
	PTY_SEES(s.pty, "4 in all");
	CHECK(pty_find(s.pty, "Bread", &one, &column) && pty_find(s.pty, "Cycling", &other, &column) && one < other, "the order");
	close_card(&s);
}

static void furnish_with_a_script(const char *home)
{
	static const struct stored script = { .title = "A script", .model = "m", .prompt = "x", .answer = "Of a script.", .asked = true };

	stored_write(home, few, ARRAY_LEN(few));
	stored_write(home, &script, 1);
}

/* What the first page names is marked in the list, whatever stands above it. */
static void the_last_chat_is_named_and_marked(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .furnish = furnish_with_a_script });
	PTY_SEES(s.pty, "goes on with  \"Cycling in Tokyo\"");
	pty_send(s.pty, K_F6);
	PTY_SEES(s.pty, "A script");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "rain begins at five");
	stage_close(&s);
}

/* The same in the linear mode. */
static void lines_list_and_change(void)
{
	struct lines l;

	lines_begin(&l);
	furnish(l.home);
	lines_restart(&l);
	DIALOGUE(&l,
	         "> /resume", "1. A parser in C", "pinned, 2 d, 1 turn, gpt-5.4-mini", "2. Cycling in Tokyo, 2 h, 1 turn, gpt-5.4-mini, 822 tokens, $0.042",
	         "4. Evil [31m title of two lines", "/resume N opens one.",
	         "> /resume search buttermi", "1. Bread without yeast", "Soda and [buttermilk]. Rain",
	         "> /resume rename 1 Soda bread", "The title is now: Soda bread",
	         "> /resume soda", "1. Soda bread",
	         "> /resume pin 1", "Pinned: it is at the top of the next list.",
	         "> /resume delete 1", "This deletes the conversation Soda bread, 1 turn.",
	         "> yes", "Deleted. /undo brings it back.",
	         "> /resume", "1. A parser", "2. Cycling",
	         "> /undo", "The conversation that was deleted is back.",
	         "> /resume", "1. Soda bread, pinned", "2. A parser",
	         "> /resume 9", "There is no such number",
	         "> /resume search", "Words are missing",
	         "> /resume delete 1", "Type yes to delete", "> /resume cycl", "Nothing was deleted.", "1. Cycling",
	         "> /resume 1", "A stored conversation of 1 turn.",
	         "> /resume", "3. Cycling in Tokyo, current", "> /resume delete 3", "This conversation is open",
	         "> /resume search buttermi", "1. Soda bread", "> /resume 1", "A stored conversation of 1 turn.", "The words are in turn 1 of 1:",
	         "Soda and buttermilk", "You: ");
	lines_close(&l);
}

const struct suite suite_screen_list = { "screen_list", (const struct test[]){
	TEST(the_list_looks_as_it_did),
	TEST(pinned_ones_come_first_and_titles_cannot_act),
	TEST(a_conversation_is_saved),
	TEST(pins_are_set_and_stay),
	TEST(the_last_chat_is_named_and_marked), 	TEST(lines_list_and_change),
	{ 0 },
} };
