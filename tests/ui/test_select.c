#include <string.h>

#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "ui/page_stage.h"

#define ROWS 30

static struct page_stage on;

/* Selects the lines of the rows [from, to] of a conversation of which the first row is that of the screen. */
static void select_rows(unsigned from, unsigned to)
{
	transcript_select(on.pane, &on.view);
	transcript_select_move(on.pane, &on.view, -1000);
	transcript_select_move(on.pane, &on.view, (long)from);
	transcript_select_anew(on.pane);
	transcript_select_move(on.pane, &on.view, (long)to - (long)from);
}

/* Checks the text of the lines from the row of one text to the row of another, in both directions. */
static void check_selected(const char *first, const char *last, const char *expected)
{
	struct buf text;

	buf_init(&text, 1 << 20);
	for (int i = 0; i < 2; i++) {
		buf_clear(&text);
		unsigned from = page_stage_find(&on, first).row, to = page_stage_find(&on, last).row;
		select_rows(i ? to : from, i ? from : to);
		transcript_selected(on.pane, &on.view, &text);
		CHECK_STR(buf_str(&text), expected);
		transcript_select_leave(on.pane, &on.view);
	}
	buf_fini(&text);
}

#define LONG_LINE "One line of the *source* that is much longer than a row of the screen can be, so it wraps."
#define ANSWER "# Title\n\n" LONG_LINE "\nsecond line.\n\n1. first\n   - [x] done\n\n   ```c\n   int a;\n\n   return a;\n   ```\n" \
               "2. second\n\n> quoted\n> words"

static void selects_whole_source_lines(void)
{
	page_stage_begin(&on, ROWS, "hello", ANSWER);
	check_selected("Title", "Title", "# Title");
	check_selected("One line", "One line", LONG_LINE);
	check_selected("wraps", "second line", LONG_LINE "\nsecond line.");
	check_selected("1. first", "done", "1. first\n   - [x] done");
	check_selected("int a", "return a", "   int a;\n\n   return a;");
	check_selected("quoted", "words", "> quoted\n> words");
	page_stage_end(&on);
}

static void includes_the_end_of_a_whole_block(void)
{
	page_stage_begin(&on, ROWS, "hello", "before\n\n```c\nint a;\nint b;\n```\n\nafter\n\nSet\n===\n\nlast");
	check_selected("int a", "int b", "int a;\nint b;");
	check_selected("before", "int b", "before\n\n```c\nint a;\nint b;\n```");
	check_selected("before", "int a", "before\n\n```c\nint a;");
	check_selected("int b", "after", "int b;\n```\n\nafter");
	check_selected("Set", "Set", "Set\n===");
	page_stage_end(&on);
}

static void selects_tables_by_rows_and_math_whole(void)
{
	page_stage_begin(&on, ROWS, "hello", "|a|b|\n|---|---|\n|one|two|\n|three|four|\n\n$$\nx^2\n+y\n$$\n\nend");
	check_selected("one", "three", "|one|two|\n|three|four|");
	check_selected("a ", "one", "|a|b|\n|---|---|\n|one|two|");
	check_selected("x", "x", "$$\nx^2\n+y\n$$");
	page_stage_end(&on);
}

static void spans_turns_and_omits_generated_text(void)
{
	struct turn *t = page_stage_begin(&on, ROWS, "first\nquestion", "the answer");

	turn_add(t, PART_TOOL_CALL, STR("{\"a\":[1,2]}"), STR("id"), STR("f"));
	t->revision++;
	page_stage_show(&on);
	check_selected("question", "the answer", "question\n\nthe answer");
	check_selected("m", "the answer", "the answer");
	check_selected("+ f", "+ f", "");
	transcript_toggle_fold(on.pane, &on.view);
	page_stage_show(&on);
	check_selected("a   ", "a   ", "{\"a\":[1,2]}"); /* as received, not as lines of members */
	page_stage_end(&on);
}

static unsigned count_selected(void)
{
	unsigned rows = 0;

	page_stage_show(&on);
	for (unsigned r = 0; r < ROWS; r++) {
		const struct cell *cell = canvas_cell(on.canvas, r, 0);

		rows += cell->role == ROLE_SELECTED;
	}
	return rows;
}

/* The blank row after an unfolded text belongs to neither text. */
static void the_row_below_an_unfolded_text_has_no_source(void)
{
	struct buf text;
	static const struct { const char *first; bool to_blank; const char *last, *expected; } cases[] = {
		{ "one thought", true, NULL, "one thought\nand another" },
		{ NULL, false, "the answer", "the answer" },
		{ NULL, true, NULL, "" },
	};

	on.conversation = conversation_new();
	turn_add(conversation_ask(on.conversation), PART_TEXT, STR("hello"), STR_NONE, STR_NONE);
	struct turn *t = conversation_answer(on.conversation, STR("p"), NULL, STR("m"));
	turn_add(t, PART_REASONING, STR("one thought\nand another"), STR_NONE, STR_NONE);
	turn_add(t, PART_TEXT, STR("the answer"), STR_NONE, STR_NONE);
	t->ended = true;
	on.pane = transcript_new();
	on.canvas = canvas_new(ROWS, PAGE_STAGE_COLUMNS);
	on.look = (struct look){ .text_width = 100 };
	on.view = (struct view){ .conversation = on.conversation, .look = &on.look };
	page_stage_show(&on);
	transcript_toggle_fold(on.pane, &on.view);
	page_stage_show(&on);
	unsigned blank = page_stage_find(&on, "and another").row + 1;
	CU_ASSERT_EQUAL(blank + 1, page_stage_find(&on, "the answer").row);
	buf_init(&text, 1 << 20);
	select_rows(blank, blank);
	CU_ASSERT_EQUAL(count_selected(), 1);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		buf_clear(&text);
		select_rows(cases[i].first ? page_stage_find(&on, cases[i].first).row : blank, cases[i].to_blank ? blank : page_stage_find(&on, cases[i].last).row);
		transcript_selected(on.pane, &on.view, &text);
		CHECK_STR(buf_str(&text), cases[i].expected);
		transcript_select_leave(on.pane, &on.view);
	}
	buf_fini(&text);
	page_stage_end(&on);
}

static void marks_all_rows_of_the_lines(void)
{
	page_stage_begin(&on, ROWS, "hello", LONG_LINE "\n\nend");
	select_rows(page_stage_find(&on, "wraps").row, page_stage_find(&on, "wraps").row);
	CHECK(count_selected() == 3, "%u", count_selected());
	transcript_select_move(on.pane, &on.view, 2);
	CHECK(count_selected() == 5, "%u", count_selected());
	CU_ASSERT(on.canvas->cursor_shown && on.canvas->cursor_row == page_stage_find(&on, "end").row);
	transcript_select_swap(on.pane, &on.view);
	transcript_select_anew(on.pane);
	CU_ASSERT_EQUAL(count_selected(), 3);
	transcript_select_leave(on.pane, &on.view);
	CU_ASSERT_EQUAL(count_selected(), 0);
	page_stage_end(&on);
}

static void stays_at_its_text(void)
{
	struct buf text;

	buf_init(&text, 1 << 20);
	struct turn *t = page_stage_begin(&on, ROWS, "hello", "one\n\ntwo\n\nthree");
	select_rows(page_stage_find(&on, "two").row, page_stage_find(&on, "two").row);
	turn_add(t, PART_TEXT, STR("\n\nfour\n\nfive"), STR_NONE, STR_NONE);
	t->revision++;
	page_stage_show(&on);
	transcript_selected(on.pane, &on.view, &text);
	CHECK_STR(buf_str(&text), "two");
	transcript_select_move(on.pane, &on.view, 1000);
	buf_clear(&text);
	transcript_selected(on.pane, &on.view, &text);
	CHECK_STR(buf_str(&text), "two\n\nthree\n\nfour\n\nfive");
	buf_fini(&text);
	page_stage_end(&on);
}

/* Random rows of random texts: the copied text is a substring of the text. */
static void every_selection_is_a_substring_of_the_source(void)
{
	static const char *const pieces[] = {
		"word ", "\n", "\n\n", "# ", "- ", "  - ", "1. ", "> ", "```\n", "```c\n", "|a|b|\n|---|---|\n", "|c|d|\n", "**", "$$\n", "`x` ",
		"\t", "a long word that is followed by others, enough for a row ", "\\[", "---\n", "\u4f60\u597d ", "===\n", "    code\n", "* [ ] ",
	};
	unsigned seed = 7;
	struct buf answer, text;

	buf_init(&answer, 1 << 20);
	buf_init(&text, 1 << 20);
	for (int document = 0; document < 150; document++) {
		buf_clear(&answer);
		for (unsigned i = 0; i < 60; i++)
			buf_add_z(&answer, pieces[check_random(&seed) % (sizeof pieces / sizeof *pieces)]);
		page_stage_begin(&on, ROWS, "q", buf_z(&answer));
		on.look.raw = document % 4 == 0;
		transcript_to_start(on.pane);
		for (unsigned i = 0; i < 40; i++) {
			unsigned from = 3 + check_random(&seed) % (ROWS - 3); /* below the question */

			select_rows(from, from + check_random(&seed) % 30);
			buf_clear(&text);
			transcript_selected(on.pane, &on.view, &text);
			CHECK(memmem(answer.ptr, answer.len, buf_z(&text), text.len) != NULL, "document %d:\n%s\n--- has no\n%s", document, buf_z(&answer), buf_z(&text));
			transcript_select_leave(on.pane, &on.view);
			transcript_to_start(on.pane);
			page_stage_show(&on);
		}
		page_stage_end(&on);
	}
	buf_fini(&answer);
	buf_fini(&text);
}

const struct suite suite_select = { "select", (const struct test[]){
	TEST(selects_whole_source_lines),
	TEST(includes_the_end_of_a_whole_block),
	TEST(selects_tables_by_rows_and_math_whole),
	TEST(spans_turns_and_omits_generated_text),
	TEST(the_row_below_an_unfolded_text_has_no_source),
	TEST(marks_all_rows_of_the_lines),
	TEST(stays_at_its_text),
	TEST(every_selection_is_a_substring_of_the_source),
	{ 0 } } };
