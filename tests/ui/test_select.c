#include "chat/conversation/conversation.h"
#include "ui/pane/transcript.h"

#include <string.h>

#include "support/check.h"
#include "ui/dump.h"

#define ROWS 30
#define COLUMNS 42

static struct conversation *conversation;
static struct transcript *pane;
static struct canvas *canvas;
static struct look look_now;
static struct view view;

static void show(void)
{
	canvas_clear(canvas);
	pane_draw(transcript_pane(pane), &view, canvas, (struct area){ 0, 0, ROWS, COLUMNS }, true);
}

static struct turn *begin(const char *question, const char *answer)
{
	conversation = conversation_new();
	turn_add(conversation_ask(conversation), PART_TEXT, str_from(question), STR_NONE, STR_NONE);
	struct turn *t = conversation_answer(conversation, STR("p"), NULL, STR("m"));
	turn_add(t, PART_TEXT, str_from(answer), STR_NONE, STR_NONE);
	t->ended = true;
	pane = transcript_new();
	canvas = canvas_new(ROWS, COLUMNS);
	look_now = (struct look){ .text_width = 100 };
	view = (struct view){ .conversation = conversation, .look = &look_now };
	show();
	return t;
}

static void end(void)
{
	transcript_free(pane);
	canvas_free(canvas);
	conversation_free(conversation);
}

static int row_of(const char *text)
{
	struct buf all;
	struct str rest, line;
	int found = -1;

	buf_init(&all, 1 << 20);
	dump_canvas(canvas, false, &all);
	rest = buf_str(&all);
	for (int row = 0; found < 0 && str_split(&rest, '\n', &line); row++)
		if (str_find(line, str_from(text)) < line.len)
			found = row;
	CHECK(found >= 0, "not seen: %s\n%s", text, buf_z(&all));
	buf_fini(&all);
	return found;
}

/* Selects the lines of the rows [from, to] of a conversation of which the first row is that of the screen. */
static void select_rows(unsigned from, unsigned to)
{
	transcript_select(pane, &view);
	transcript_select_move(pane, &view, -1000);
	transcript_select_move(pane, &view, (long)from);
	transcript_select_anew(pane);
	transcript_select_move(pane, &view, (long)to - (long)from);
}

/* Checks the text of the lines from the row of one text to the row of another, in both directions. */
static void check_selected(const char *first, const char *last, const char *expected)
{
	struct buf text;

	buf_init(&text, 1 << 20);
	for (int i = 0; i < 2; i++) {
		buf_clear(&text);
		int from = row_of(first), to = row_of(last);
		select_rows((unsigned)(i ? to : from), (unsigned)(i ? from : to));
		transcript_selected(pane, &view, &text);
		CHECK_STR(buf_str(&text), expected);
		transcript_select_leave(pane, &view);
	}
	buf_fini(&text);
}

#define LONG_LINE "One line of the *source* that is much longer than a row of the screen can be, so it wraps."
#define ANSWER "# Title\n\n" LONG_LINE "\nsecond line.\n\n1. first\n   - [x] done\n\n   ```c\n   int a;\n\n   return a;\n   ```\n" \
               "2. second\n\n> quoted\n> words"

static void selects_whole_source_lines(void)
{
	begin("hello", ANSWER);
	check_selected("Title", "Title", "# Title");
	check_selected("One line", "One line", LONG_LINE);
	check_selected("wraps", "second line", LONG_LINE "\nsecond line.");
	check_selected("1. first", "done", "1. first\n   - [x] done");
	check_selected("int a", "return a", "   int a;\n\n   return a;");
	check_selected("quoted", "words", "> quoted\n> words");
	end();
}

static void includes_the_end_of_a_whole_block(void)
{
	begin("hello", "before\n\n```c\nint a;\nint b;\n```\n\nafter\n\nSet\n===\n\nlast");
	check_selected("int a", "int b", "int a;\nint b;");
	check_selected("before", "int b", "before\n\n```c\nint a;\nint b;\n```");
	check_selected("before", "int a", "before\n\n```c\nint a;");
	check_selected("int b", "after", "int b;\n```\n\nafter");
	check_selected("Set", "Set", "Set\n===");
	end();
}

static void selects_tables_by_rows_and_math_whole(void)
{
	begin("hello", "|a|b|\n|---|---|\n|one|two|\n|three|four|\n\n$$\nx^2\n+y\n$$\n\nend");
	check_selected("one", "three", "|one|two|\n|three|four|");
	check_selected("a ", "one", "|a|b|\n|---|---|\n|one|two|");
	check_selected("x", "x", "$$\nx^2\n+y\n$$");
	end();
}

static void spans_turns_and_omits_generated_text(void)
{
	struct turn *t = begin("first\nquestion", "the answer");

	turn_add(t, PART_TOOL_CALL, STR("{\"a\":[1,2]}"), STR("id"), STR("f"));
	t->revision++;
	show();
	check_selected("question", "the answer", "question\n\nthe answer");
	check_selected("m", "the answer", "the answer");
	check_selected("+ f", "+ f", "");
	transcript_toggle_fold(pane, &view);
	show();
	check_selected("a   ", "a   ", "{\"a\":[1,2]}"); /* as received, not as lines of members */
	end();
}

static unsigned count_selected(void)
{
	unsigned rows = 0;

	show();
	for (unsigned r = 0; r < ROWS; r++) {
		const struct cell *cell = canvas_cell(canvas, r, 0);

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

	conversation = conversation_new();
	turn_add(conversation_ask(conversation), PART_TEXT, STR("hello"), STR_NONE, STR_NONE);
	struct turn *t = conversation_answer(conversation, STR("p"), NULL, STR("m"));
	turn_add(t, PART_REASONING, STR("one thought\nand another"), STR_NONE, STR_NONE);
	turn_add(t, PART_TEXT, STR("the answer"), STR_NONE, STR_NONE);
	t->ended = true;
	pane = transcript_new();
	canvas = canvas_new(ROWS, COLUMNS);
	look_now = (struct look){ .text_width = 100 };
	view = (struct view){ .conversation = conversation, .look = &look_now };
	show();
	transcript_toggle_fold(pane, &view);
	show();
	unsigned blank = (unsigned)row_of("and another") + 1;
	CU_ASSERT_EQUAL(blank + 1, (unsigned)row_of("the answer"));
	buf_init(&text, 1 << 20);
	select_rows(blank, blank);
	CU_ASSERT_EQUAL(count_selected(), 1);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		buf_clear(&text);
		select_rows(cases[i].first ? (unsigned)row_of(cases[i].first) : blank, cases[i].to_blank ? blank : (unsigned)row_of(cases[i].last));
		transcript_selected(pane, &view, &text);
		CHECK_STR(buf_str(&text), cases[i].expected);
		transcript_select_leave(pane, &view);
	}
	buf_fini(&text);
	end();
}

static void marks_all_rows_of_the_lines(void)
{
	begin("hello", LONG_LINE "\n\nend");
	select_rows((unsigned)row_of("wraps"), (unsigned)row_of("wraps"));
	CHECK(count_selected() == 3, "%u", count_selected());
	transcript_select_move(pane, &view, 2);
	CHECK(count_selected() == 5, "%u", count_selected());
	CU_ASSERT(canvas->cursor_shown && canvas->cursor_row == (unsigned)row_of("end"));
	transcript_select_swap(pane, &view);
	transcript_select_anew(pane);
	CU_ASSERT_EQUAL(count_selected(), 3);
	transcript_select_leave(pane, &view);
	CU_ASSERT_EQUAL(count_selected(), 0);
	end();
}

static void stays_at_its_text(void)
{
	struct buf text;

	buf_init(&text, 1 << 20);
	struct turn *t = begin("hello", "one\n\ntwo\n\nthree");
	select_rows((unsigned)row_of("two"), (unsigned)row_of("two"));
	turn_add(t, PART_TEXT, STR("\n\nfour\n\nfive"), STR_NONE, STR_NONE);
	t->revision++;
	show();
	transcript_selected(pane, &view, &text);
	CHECK_STR(buf_str(&text), "two");
	transcript_select_move(pane, &view, 1000);
	buf_clear(&text);
	transcript_selected(pane, &view, &text);
	CHECK_STR(buf_str(&text), "two\n\nthree\n\nfour\n\nfive");
	buf_fini(&text);
	end();
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
		begin("q", buf_z(&answer));
		look_now.raw = document % 4 == 0;
		transcript_to_start(pane);
		for (unsigned i = 0; i < 40; i++) {
			unsigned from = 3 + check_random(&seed) % (ROWS - 3); /* below the question */

			select_rows(from, from + check_random(&seed) % 30);
			buf_clear(&text);
			transcript_selected(pane, &view, &text);
			CHECK(memmem(answer.ptr, answer.len, buf_z(&text), text.len) != NULL, "document %d:\n%s\n--- has no\n%s", document, buf_z(&answer), buf_z(&text));
			transcript_select_leave(pane, &view);
			transcript_to_start(pane);
			show();
		}
		end();
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
