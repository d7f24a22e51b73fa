/* Selecting cells of the transcript: what is marked, and the text that they show. */
#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "ui/page_stage.h"

#define ROWS 20

static struct page_stage on;

static void check_copies(const char *expected)
{
	struct buf text;

	buf_init(&text, 1 << 20);
	transcript_selected(on.pane, &on.view, &text);
	CHECK_STR(buf_str(&text), expected);
	buf_fini(&text);
}

/* Drags from the first cell of a text to the last one of another, and back again from there. */
static void check_drag(const char *from, const char *to, const char *expected)
{
	struct spot a = page_stage_find(&on, from), b = page_stage_find(&on, to);

	CU_ASSERT(transcript_press(on.pane, &on.view, a.row, a.column, TRANSCRIPT_CELL));
	CU_ASSERT(transcript_drag(on.pane, &on.view, b.row, b.last, false));
	check_copies(expected);
	transcript_select_leave(on.pane, &on.view);
	CU_ASSERT(transcript_press(on.pane, &on.view, b.row, b.last, TRANSCRIPT_CELL));
	CU_ASSERT(transcript_drag(on.pane, &on.view, a.row, a.column, false));
	check_copies(expected);
	transcript_select_leave(on.pane, &on.view);
}

static void check_click(enum transcript_unit unit, const char *text, const char *expected)
{
	struct spot at = page_stage_find(&on, text);

	CU_ASSERT(transcript_press(on.pane, &on.view, at.row, at.column, unit));
	check_copies(expected);
	transcript_select_leave(on.pane, &on.view);
}

/* --- what is copied --- */

#define PARAGRAPH "One line of the *source* that is much longer than a row of the screen can be, so it wraps at self-chosen places."

static void copies_the_cells_between_both_ends(void)
{
	page_stage_begin(&on, ROWS, "the question", PARAGRAPH "\n\nA second one, with **bold** words and `code`.");
	check_drag("line of th", "line of th", "line of th");
	check_drag("O", "O", "O");
	check_drag("the source", "much", "the source that is much");
	check_drag("bold", "words and code", "bold words and code");
	check_drag("question", "question", "question");
	page_stage_end(&on);
}

static void joins_the_rows_of_a_line(void)
{
	page_stage_begin(&on, ROWS, "hello", PARAGRAPH "\n\nlast \u4f60\u597d\u4f60\u597d\u4f60\u597d\u4f60\u597d\u4f60\u597d\u4f60\u597d\u4f60\u597d\u4f60\u597d\u4f60\u597d\u4f60\u597d end");
	check_drag("One line", "places.", "One line of the source that is much longer than a row of the screen can be, so it wraps at self-chosen places.");
	page_stage_end(&on);
}

static void all_parts_of_a_page_have_their_text(void)
{
	page_stage_begin(&on, ROWS, "hello", "- first item\n  - nested\n\n> quoted words\n>\n> more\n\n```c\nif (a)\n  b();\n\nc();\n```\n\nend");
	check_drag("first", "nested", "first item\n  \u25E6 nested");
	check_drag("quoted", "more", "quoted words\n\nmore");
	check_drag("if (a)", "c();", "if (a)\n  b();\n\nc();");
	check_drag("more", "if (a)", "more\n\nif (a)");
	check_drag("c();", "end", "c();\n\nend");
	page_stage_end(&on);
}

static void tables_give_their_cells(void)
{
	page_stage_begin(&on, ROWS, "hello", "|name|count|note|\n|---|--:|---|\n|one|1|x y|\n|three|22|z|\n\n---\n\nend");
	check_drag("one", "z", "one\t1\tx y\nthree\t22\tz");
	check_drag("name", "x y", "name\tcount\tnote\none\t1\tx y");
	check_drag("thr", "thr", "thr");
	check_drag("22", "end", "22\tz\n\n\nend");
	page_stage_end(&on);
}

static void what_stands_beside_a_text_is_left_out(void)
{
	page_stage_begin(&on, ROWS, "hello", "```c\nint a;\nint b;\n```\n\n> ```\n> x\n>\n> y\n> ```");
	on.look.code_band = true;
	page_stage_show(&on);
	check_drag("hello", "int b;", "hello\n\nm\nint a;\nint b;");
	check_drag("x", "y", "x\n\ny");
	struct spot a = page_stage_find(&on, "int a;");
	CU_ASSERT(transcript_press(on.pane, &on.view, a.row, a.column, TRANSCRIPT_CELL));
	CU_ASSERT(transcript_drag(on.pane, &on.view, a.row, PAGE_STAGE_COLUMNS - 1, false));
	check_copies("int a;");
	page_stage_end(&on);
}

static void characters_are_whole(void)
{
	page_stage_begin(&on, ROWS, "hello", "a \u4f60\u597d b e\u0301 c \x1B[31mred\x7F");
	struct spot a = page_stage_find(&on, "\u4f60"), b = page_stage_find(&on, "\u597d");
	CU_ASSERT_EQUAL(a.last, a.column + 1);
	transcript_press(on.pane, &on.view, a.row, a.last, TRANSCRIPT_CELL); /* its right half */
	transcript_drag(on.pane, &on.view, b.row, b.column, false);          /* the left one */
	check_copies("\u4f60\u597d");
	page_stage_show(&on);
	for (unsigned column = a.column; column <= b.last; column++)
		CU_ASSERT_EQUAL(canvas_cell(on.canvas, a.row, column)->role, ROLE_SELECTED);
	CU_ASSERT_NOT_EQUAL(canvas_cell(on.canvas, a.row, a.column - 1)->role, ROLE_SELECTED);
	CU_ASSERT_NOT_EQUAL(canvas_cell(on.canvas, a.row, b.last + 1)->role, ROLE_SELECTED);
	transcript_select_leave(on.pane, &on.view);
	check_drag("b", "c", "b e\u0301 c");
	check_drag("\u241B", "red", "\u241B[31mred"); /* no control is copied */
	page_stage_end(&on);
}

/* --- words and lines --- */

static void words_and_lines_are_taken_whole(void)
{
	page_stage_begin(&on, ROWS, "hello", PARAGRAPH "\nSee https://e.example/a-b?c=d, then /usr/bin.\n\n> (quoted)");
	check_click(TRANSCRIPT_WORD, "ource", "source");
	check_click(TRANSCRIPT_WORD, "example", "https://e.example/a-b?c=d");
	check_click(TRANSCRIPT_WORD, "sr/b", "/usr/bin");
	check_click(TRANSCRIPT_WORD, "uoted", "quoted");
	check_click(TRANSCRIPT_WORD, "(", "(");
	check_click(TRANSCRIPT_LINE, "so it", "One line of the source that is much longer than a row of the screen can be, so it wraps at self-chosen places.");
	check_click(TRANSCRIPT_LINE, "uoted", "(quoted)");
	check_click(TRANSCRIPT_LINE, "hel", "hello");
	struct spot a = page_stage_find(&on, "line of"), b = page_stage_find(&on, "hat is");
	transcript_press(on.pane, &on.view, b.row, b.column, TRANSCRIPT_WORD);
	transcript_drag(on.pane, &on.view, a.row, a.column + 2, false);
	check_copies("line of the source that");
	page_stage_end(&on);
}

/* --- marks --- */

static unsigned count_marked(void)
{
	unsigned cells = 0;

	page_stage_show(&on);
	for (unsigned row = 0; row < on.canvas->rows; row++)
		for (unsigned column = 0; column < on.canvas->columns; column++)
			cells += canvas_cell(on.canvas, row, column)->role == ROLE_SELECTED;
	return cells;
}

static void marks_the_cells_alone(void)
{
	page_stage_begin(&on, ROWS, "hello", "one two three\n\n> four five");
	struct spot a = page_stage_find(&on, "two"), b = page_stage_find(&on, "four");
	CU_ASSERT(transcript_press(on.pane, &on.view, a.row, a.column, TRANSCRIPT_CELL));
	CU_ASSERT_EQUAL(count_marked(), 0); /* a press alone selects nothing */
	check_copies("");
	transcript_drag(on.pane, &on.view, a.row, a.last, false);
	CU_ASSERT_EQUAL(count_marked(), 3);
	transcript_drag(on.pane, &on.view, b.row, b.last, false);
	CHECK(count_marked() == 9 + 4, "without the bar: %u", count_marked());
	CU_ASSERT_FALSE(on.canvas->cursor_shown);
	transcript_select_leave(on.pane, &on.view);
	CU_ASSERT_EQUAL(count_marked(), 0);
	page_stage_end(&on);
}

/* The mouse reports places of the screen, whatever is above the transcript. */
static void places_are_those_of_the_screen(void)
{
	page_stage_begin(&on, ROWS, "hello", "one\n\ntwo three");
	on.top = 7;
	page_stage_show(&on);
	check_drag("ne", "two", "ne\n\ntwo");
	struct spot a = page_stage_find(&on, "two");
	transcript_press(on.pane, &on.view, a.row, 0, TRANSCRIPT_CELL); /* the gutter */
	transcript_drag(on.pane, &on.view, a.row, a.last, false);
	check_copies("two");
	transcript_drag(on.pane, &on.view, 2, 0, false); /* above it */
	check_copies("hello\n\nm\none\n\nt");
	page_stage_end(&on);
}

/* --- it stays at its text --- */

static void add(struct turn *t, const char *text, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		turn_add(t, PART_TEXT, str_from(text), STR_NONE, STR_NONE);
	t->revision++;
	page_stage_show(&on);
}

static void text_that_arrives_moves_nothing(void)
{
	struct turn *t = page_stage_begin(&on, ROWS, "hello", "one\n\n|a|b|\n|---|---|\n|cc|dd|\n");
	t->ended = false;
	on.view.live = t;
	page_stage_show(&on);
	struct spot a = page_stage_find(&on, "cc"), b = page_stage_find(&on, "dd");
	transcript_press(on.pane, &on.view, a.row, a.column, TRANSCRIPT_CELL);
	add(t, "|wider cells|than before|\n", 14); /* the column grows, and the page scrolls on */
	CU_ASSERT(transcript_at_end(on.pane));
	CU_ASSERT_NOT_EQUAL(page_stage_find(&on, "dd").row, b.row);
	b = page_stage_find(&on, "dd");
	transcript_drag(on.pane, &on.view, b.row, b.last, false);
	check_copies("cc\tdd");
	add(t, "|still wider cells|than before|\n", 30);
	CU_ASSERT_FALSE(transcript_at_end(on.pane));
	check_copies("cc\tdd");
	CU_ASSERT(page_stage_find(&on, "dd").row == b.row && page_stage_find(&on, "dd").column > b.column);
	CU_ASSERT_EQUAL(count_marked(), page_stage_find(&on, "dd").last - page_stage_find(&on, "cc").column + 1);
	transcript_select_leave(on.pane, &on.view);
	page_stage_show(&on);
	CU_ASSERT(transcript_at_end(on.pane));
	page_stage_end(&on);
}

static void another_width_moves_nothing(void)
{
	page_stage_begin(&on, ROWS, "hello", "before\n\n" PARAGRAPH);
	struct spot a = page_stage_find(&on, "much"), b = page_stage_find(&on, "so it");
	transcript_press(on.pane, &on.view, a.row, a.column, TRANSCRIPT_CELL);
	transcript_drag(on.pane, &on.view, b.row, b.last, false);
	for (unsigned columns = 90; columns > 12; columns -= 7) {
		canvas_resize(on.canvas, ROWS, columns);
		page_stage_show(&on);
		check_copies("much longer than a row of the screen can be, so it");
	}
	page_stage_end(&on);
}

/* --- scrolling --- */

static void the_edge_scrolls(void)
{
	page_stage_begin(&on, ROWS, "hello", "r1\nr2\nr3\nr4\nr5\nr6\nr7\nr8\nr9\nr10\nr11\nr12\nr13\nr14\nr15\nr16\nr17\nr18\nr19\nr20\nr21\nr22\nr23\nr24");
	struct spot a = page_stage_find(&on, "r24");
	CU_ASSERT_EQUAL(a.row, ROWS - 1);
	transcript_press(on.pane, &on.view, a.row, a.column, TRANSCRIPT_CELL);
	transcript_drag(on.pane, &on.view, a.row, a.last, true); /* there is nothing below */
	check_copies("r24");
	unsigned first = page_stage_find(&on, "r8").row;
	transcript_drag(on.pane, &on.view, 0, a.column, true);
	page_stage_show(&on);
	CU_ASSERT(page_stage_find(&on, "r8").row == first + 1);
	transcript_drag(on.pane, &on.view, 0, a.column, false); /* of a row that the mouse has not left */
	page_stage_show(&on);
	CU_ASSERT(page_stage_find(&on, "r8").row == first + 1);
	page_stage_end(&on);
}

/* Without blanks, tabs and line ends. */
static void add_letters(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] != ' ' && text.ptr[i] != '\t' && text.ptr[i] != '\n')
			buf_add_byte(out, text.ptr[i]);
}

/* The marked cells, but for the edges of tables. */
static void add_marked(struct buf *out)
{
	page_stage_show(&on);
	for (unsigned row = 0; row < on.canvas->rows; row++)
		for (unsigned column = 0; column < on.canvas->columns; column++) {
			const struct cell *cell = canvas_cell(on.canvas, row, column);
			struct str text = str_of(cell->text, cell->len);

			if (cell->role == ROLE_SELECTED && !str_is(text, "\u2502"))
				add_letters(out, text);
		}
}

/* Random places of random texts: what is marked is copied, forwards and backwards. */
static void what_is_marked_is_copied(void)
{
	static const char *const pieces[] = {
		"word ", "\n", "\n\n", "# ", "- ", "  - ", "1. ", "> ", "```\n", "```c\n", "|a|b|\n|---|---|\n", "|c|d\u4f60|\n", "**", "$$\n", "`x` ",
		"\t", "a long word that is followed by others, enough for a row ", "e\u0301", "---\n", "\u4f60\u597d ", "===\n", "    code\n", "* [ ] ",
	};
	unsigned seed = 11;
	struct buf answer = { 0 }, text = { 0 }, marked = { 0 }, copied = { 0 };

	for (int document = 0; document < 60; document++) {
		buf_clear(&answer);
		for (unsigned i = 0; i < 40; i++)
			buf_add_z(&answer, pieces[check_random(&seed) % (sizeof pieces / sizeof *pieces)]);
		page_stage_begin(&on, ROWS, "q", buf_z(&answer));
		on.look.raw = document % 4 == 0;
		on.look.code_band = document % 2 == 0;
		page_stage_show(&on);
		for (unsigned i = 0; i < 30; i++) {
			enum transcript_unit unit = check_random(&seed) % 2; /* a line may begin above the view */
			unsigned a = check_random(&seed) % ROWS, b = check_random(&seed) % ROWS;

			transcript_press(on.pane, &on.view, a, check_random(&seed) % PAGE_STAGE_COLUMNS, unit);
			transcript_drag(on.pane, &on.view, b, check_random(&seed) % PAGE_STAGE_COLUMNS, false);
			buf_clear(&text);
			buf_clear(&marked);
			buf_clear(&copied);
			transcript_selected(on.pane, &on.view, &text);
			add_letters(&copied, buf_str(&text));
			add_marked(&marked);
			CHECK(str_equal(buf_str(&copied), buf_str(&marked)), "document %d:\n%s\n--- marked\n%s\n--- copied\n%s", document, buf_z(&answer),
			      buf_z(&marked), buf_z(&copied));
			transcript_select_leave(on.pane, &on.view);
		}
		page_stage_end(&on);
	}
	buf_fini(&answer);
	buf_fini(&text);
	buf_fini(&marked);
	buf_fini(&copied);
}

const struct suite suite_cells = { "cells", (const struct test[]){
	TEST(copies_the_cells_between_both_ends),
	TEST(joins_the_rows_of_a_line),
	TEST(all_parts_of_a_page_have_their_text),
	TEST(tables_give_their_cells),
	TEST(what_stands_beside_a_text_is_left_out),
	TEST(characters_are_whole),
	TEST(words_and_lines_are_taken_whole),
	TEST(marks_the_cells_alone),
	TEST(places_are_those_of_the_screen),
	TEST(text_that_arrives_moves_nothing),
	TEST(another_width_moves_nothing),
	TEST(the_edge_scrolls),
	TEST(what_is_marked_is_copied),
	{ 0 } } };
