#include "ui/canvas.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "support/check.h"
#include "ui/display_list.h"
#include "ui/dump.h"

#define WIDE "\xE4\xB8\xAD"

static struct canvas *fresh(unsigned rows, unsigned columns)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	return canvas_new(rows, columns);
}

static void check_dump(const struct canvas *canvas, bool roles, const char *expected)
{
	struct buf out;

	buf_init(&out, 1 << 20);
	dump_canvas(canvas, roles, &out);
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
}

static void puts_text(void)
{
	struct canvas *c = fresh(3, 10);

	CU_ASSERT_EQUAL(canvas_put(c, 0, 2, 5, ROLE_ACCENT, STR("hello world")), 5);
	CU_ASSERT_EQUAL(canvas_put(c, 1, 8, 99, ROLE_TEXT, STR("hello")), 2);
	CU_ASSERT_EQUAL(canvas_put(c, 3, 0, 9, ROLE_TEXT, STR("hello")), 0);
	CU_ASSERT_EQUAL(canvas_put(c, 0, 10, 9, ROLE_TEXT, STR("hello")), 0);
	CU_ASSERT_EQUAL(canvas_put(c, 2, 0, 10, ROLE_MUTED, STR("3 of x")), 6);
	check_dump(c, true, "  hello\n        he\n3 of x\n  aaaaa\n        ..\nmmmmmm\n");
	canvas_free(c);
}

/* Draws one frame: rows of text, and an overlay on the second row. */
static void draw_frame(struct canvas *c, const char *const *rows, const char *over)
{
	canvas_clear(c);
	for (unsigned r = 0; r < 3 && rows[r]; r++)
		canvas_put(c, r, 1, 6, ROLE_TEXT, str_from(rows[r]));
	if (over)
		canvas_put(c, 1, 3, 2, ROLE_SHEET, str_from(over));
}

static void clears_the_previous_frame(void)
{
	static const char *const three[] = { "one", "t" WIDE "o", "three", NULL }, *const two[] = { "2", "", NULL }, *const none[] = { NULL };
	struct canvas *c = fresh(3, 8);

	draw_frame(c, three, NULL);
	check_dump(c, true, " one\n t" WIDE "o\n three\n ...\n ....\n .....\n");
	draw_frame(c, three, "XX");
	check_dump(c, true, " one\n t XX\n three\n ...\n . hh\n .....\n");
	draw_frame(c, two, NULL);
	check_dump(c, true, " 2\n\n\n .\n\n\n");
	draw_frame(c, none, "XX");
	check_dump(c, true, "\n   XX\n\n\n   hh\n\n");
	canvas_free(c);
}

static void aligns_right(void)
{
	struct canvas *c = fresh(2, 10);

	CU_ASSERT_EQUAL(canvas_put_right(c, 0, 1, 8, ROLE_TEXT, STR("a" WIDE)), 6);
	CU_ASSERT_EQUAL(canvas_put_right(c, 1, 1, 8, ROLE_TEXT, STR("0123456789")), 1);
	check_dump(c, false, "      a" WIDE "\n 01234567\n");
	canvas_free(c);
}

static void keeps_wide_clusters_whole(void)
{
	struct canvas *c = fresh(1, 6);

	canvas_put(c, 0, 0, 6, ROLE_TEXT, STR(WIDE WIDE WIDE));
	canvas_put(c, 0, 1, 1, ROLE_TEXT, STR("x"));   /* the right half of the first */
	canvas_put(c, 0, 4, 1, ROLE_TEXT, STR("y"));   /* the left half of the last */
	check_dump(c, false, " x" WIDE "y\n");
	canvas_put(c, 0, 1, 2, ROLE_TEXT, STR(WIDE));  /* over the x and a left half */
	check_dump(c, false, " " WIDE " y\n");
	canvas_put(c, 0, 2, 2, ROLE_TEXT, STR(WIDE));  /* over a right half */
	check_dump(c, false, "  " WIDE "y\n");
	CU_ASSERT_EQUAL(canvas_put(c, 0, 5, 1, ROLE_TEXT, STR(WIDE)), 0); /* does not fit */
	canvas_put(c, 0, 0, 6, ROLE_TEXT, STR(WIDE WIDE WIDE));
	canvas_put(c, 0, 1, 4, ROLE_TEXT, STR("abcd")); /* from a right half to a left one */
	check_dump(c, false, " abcd\n");
	canvas_put(c, 0, 0, 6, ROLE_TEXT, STR(WIDE WIDE WIDE));
	canvas_put(c, 0, 2, 2, ROLE_TEXT, STR("ab")); /* exactly over one */
	check_dump(c, false, WIDE "ab" WIDE "\n");
	canvas_put(c, 0, 0, 6, ROLE_TEXT, STR("ab" WIDE " y"));
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 2)->width, 2);
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 3)->width, 0);
	canvas_free(c);
}

static void never_contains_control_bytes(void)
{
	struct canvas *c = fresh(1, 40);

	canvas_put(c, 0, 0, 40, ROLE_TEXT, STR("a\tb\nc\r\nd\x1B[31m\x07\x7F\xC2\x9B\xE2\x80\xAE"));
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 8)->text[0], 'b');
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 9)->text[0], ' ');
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 12)->text[0], 'd');
	for (unsigned i = 0; i < 40; i++) {
		const struct cell *cell = canvas_cell(c, 0, i);

		for (unsigned b = 0; b < cell->len; b++)
			CHECK((unsigned char)cell->text[b] >= ' ' && cell->text[b] != 0x7F, "column %u", i);
		CHECK(cell->len < 2 || (unsigned char)cell->text[0] != 0xC2 || (unsigned char)cell->text[1] >= 0xA0, "C1 in column %u", i);
	}
	canvas_free(c);
}

static void fills_and_clips(void)
{
	struct canvas *c = fresh(3, 5);

	canvas_put(c, 1, 0, 5, ROLE_TEXT, STR(WIDE "abc"));
	canvas_fill(c, (struct area){ 1, 1, 9, 2 }, ROLE_SHEET);
	check_dump(c, true, "\n   bc\n\n\n hh..\n hh\n");
	canvas_free(c);
}

static void draws_hairlines(void)
{
	static const struct { unsigned columns; const char *name, *figures, *expected; } cases[] = {
		{ 20, "tool", "3 s", "\u2500\u2500 tool \u2500\u2500\u2500\u2500\u2500 3 s \u2500\u2500\n" },
		{ 20, "", "", "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n" },
		{ 12, "tool", "3.25 s", "\u2500\u2500 tool \u2500\u2500\u2500\u2500\n" },
		{ 9, "reasoning", "", "\u2500\u2500 re\u2026 \u2500\u2500\n" },
		{ 4, "reasoning", "1 s", "\u2500\u2500\u2500\u2500\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct canvas *c = fresh(1, cases[i].columns);

		canvas_hairline(c, (struct area){ 0, 0, 1, cases[i].columns }, ROLE_ACCENT, str_from(cases[i].name), str_from(cases[i].figures));
		check_dump(c, false, cases[i].expected);
		canvas_free(c);
	}
}

static void compares_rows(void)
{
	struct canvas *a = fresh(1, 5), *b = fresh(2, 5), *wider = fresh(1, 6);

	canvas_put(a, 0, 0, 5, ROLE_TEXT, STR(WIDE "x"));
	canvas_put(b, 0, 0, 5, ROLE_TEXT, STR("abc"));
	CU_ASSERT_FALSE(canvas_row_equal(a, b, 0));
	canvas_put(b, 0, 0, 5, ROLE_TEXT, STR(WIDE "x"));
	CU_ASSERT(canvas_row_equal(a, b, 0));
	CU_ASSERT_FALSE(canvas_rows_equal(a, 0, b, 1));
	canvas_put(b, 1, 0, 5, ROLE_TEXT, STR(WIDE "x"));
	CU_ASSERT(canvas_rows_equal(a, 0, b, 1));
	canvas_put_styled(b, 0, 2, 1, ROLE_TEXT, STYLE_BOLD, STR("x"));
	CU_ASSERT_FALSE(canvas_row_equal(a, b, 0));
	canvas_put(wider, 0, 0, 5, ROLE_TEXT, STR(WIDE "x"));
	CU_ASSERT_FALSE(canvas_row_equal(a, wider, 0));
	canvas_free(a);
	canvas_free(b);
	canvas_free(wider);
}

/* --- rows that are drawn again --- */

enum { FRAME_ROWS = 4, FRAME_COLUMNS = 30 };

/* Draws what the seed says, the same for the same seed; sometimes more than fits, half of a cluster, or nothing. */
static void draw_anything(struct canvas *c, unsigned seed)
{
	static const char *const texts[] = { "x", "a few words", WIDE, "ab" WIDE WIDE "c", "e\xCC\x81t\xC3\xA9", "\ttab", "", "0123456789012345678901234567890123456789" };

	for (unsigned n = check_random(&seed) % 12; n; n--) {
		unsigned row = check_random(&seed) % FRAME_ROWS, column = check_random(&seed) % FRAME_COLUMNS, columns = check_random(&seed) % 20;
		enum role_name role = check_random(&seed) % 3 ? ROLE_TEXT : ROLE_ACCENT;
		struct str text = str_from(texts[check_random(&seed) % ARRAY_LEN(texts)]);

		switch (check_random(&seed) % 8) {
		case 0: canvas_fill(c, (struct area){ row, column, 2, columns }, role); break;
		case 1: canvas_restyle(c, (struct area){ row, column, 1, columns }, ROLE_SELECTED); break;
		case 2: canvas_hairline(c, (struct area){ row, column, 1, columns }, role, text, STR("7")); break;
		case 3: canvas_put_picture(c, row, column, role, seed & 0xFFFFFF, seed >> 8 & 0xFFFFFF); break;
		case 4: canvas_put_right(c, row, column, columns, role, text); break;
		default: canvas_put_styled(c, row, column, columns, role, (uint8_t)(check_random(&seed) % 4), text);
		}
	}
}

/* Whatever was drawn before, and whenever somebody reads a cell, the canvas shows what a new one shows. */
static void draws_over_old_frames(void)
{
	struct canvas *c = fresh(FRAME_ROWS, FRAME_COLUMNS);
	unsigned seed = 5;

	for (unsigned i = 0; i < 3000; i++) {
		struct canvas *new = fresh(FRAME_ROWS, FRAME_COLUMNS);
		unsigned what = check_random(&seed) % 400;

		if (i % 5 == 1) { /* a frame that nobody reads */
			canvas_clear(c);
			draw_anything(c, i);
		}
		if (i % 7 == 2)
			draw_anything(c, i);
		canvas_clear(c);
		draw_anything(c, what);
		draw_anything(new, what);
		if (i % 3 == 0)
			canvas_cell(c, i % FRAME_ROWS, 0);
		draw_anything(c, what + 1);
		draw_anything(new, what + 1);
		for (unsigned r = 0; r < FRAME_ROWS; r++)
			CHECK(canvas_row_equal(c, new, r), "frame %u: row %u", i, r);
		canvas_free(new);
	}
	canvas_free(c);
}

static void remembers_which_rows_changed(void)
{
	struct canvas *c = fresh(FRAME_ROWS, FRAME_COLUMNS);
	struct cell before[FRAME_ROWS][FRAME_COLUMNS];
	uint64_t versions[FRAME_ROWS] = { 0 };
	unsigned kept = 0;

	for (unsigned i = 0; i < 2000; i++) {
		canvas_clear(c);
		draw_anything(c, i / 2 % 100);
		for (unsigned r = 0; r < FRAME_ROWS; r++) {
			bool same = versions[r] == canvas_row_version(c, r);

			CHECK(!same || !memcmp(before[r], canvas_cell(c, r, 0), sizeof before[r]), "frame %u: row %u has changed", i, r);
			CHECK(same || i % 2 == 0, "frame %u: row %u is drawn as before", i, r);
			kept += same;
			versions[r] = canvas_row_version(c, r);
			memcpy(before[r], canvas_cell(c, r, 0), sizeof before[r]);
		}
	}
	CU_ASSERT(kept >= 1000 * FRAME_ROWS);
	canvas_resize(c, FRAME_ROWS, FRAME_COLUMNS);
	for (unsigned r = 0; r < FRAME_ROWS; r++)
		CHECK(versions[r] != canvas_row_version(c, r), "row %u after a change of size", r);
	canvas_free(c);
}

/* Without canvas_clear(), what was drawn is not kept for ever; and the row is cleared nevertheless. */
static void draws_without_end(void)
{
	struct canvas *c = fresh(1, 10);
	unsigned most = 0;

	for (unsigned reads = 0; reads < 2; reads++) {
		for (unsigned i = 0; !i || c->lists[0].drawn.len; i++) {
			canvas_put(c, 0, i % 10, 1, ROLE_TEXT, i % 3 ? STR("a") : STR("b"));
			most = i > most ? i : most;
			CU_ASSERT_FATAL(i < 10000);
		}
		CHECK(!reads || *canvas_cell(c, 0, 9)->text != ' ', "the last letters are there");
		canvas_clear(c);
		check_dump(c, false, "\n");
	}
	CHECK(most > 100, "forgotten after %u letters", most);
	canvas_free(c);
}

/* The frame that was drawn last was read before its end only. */
static void draws_what_was_never_read(void)
{
	struct canvas *c = fresh(1, 10);

	for (unsigned i = 0; i < 2; i++) {
		canvas_clear(c);
		canvas_put(c, 0, 0, 5, ROLE_TEXT, STR("read"));
		if (!i)
			CU_ASSERT_EQUAL(*canvas_cell(c, 0, 0)->text, 'r');
		canvas_put(c, 0, 5, 5, ROLE_TEXT, STR("not"));
	}
	check_dump(c, false, "read not\n");
	canvas_free(c);
}

static void keeps_the_cursor_inside(void)
{
	struct canvas *c = fresh(2, 5);

	CU_ASSERT_FALSE(c->cursor_shown);
	canvas_cursor(c, 9, 9);
	CU_ASSERT(c->cursor_shown && c->cursor_row == 1 && c->cursor_column == 4);
	canvas_clear(c);
	CU_ASSERT_FALSE(c->cursor_shown);
	canvas_free(c);
}

static void put_link(struct canvas *c, unsigned row, const char *destination)
{
	struct str destinations[] = { STR("https://example.org/other"), str_from(destination) };
	const struct span spans[] = { { .text = STR("see "), .role = ROLE_TEXT }, { .text = STR("here"), .role = ROLE_LINK, .link = 2 },
				      { .text = STR("!"), .role = ROLE_TEXT, .link = 3 } };

	canvas_use_links(c, destinations, 2);
	canvas_put_spans(c, row, 0, 20, spans, 3);
}

static void numbers_links(void)
{
	struct canvas *c = fresh(2, 20);

	canvas_clear(c);
	put_link(c, 0, "https://example.org/");
	put_link(c, 1, "file:///etc/passwd");
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 3)->link, 0);
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 4)->link, 1);
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 7)->link, 1);
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 8)->link, 0);
	CU_ASSERT_EQUAL(canvas_cell(c, 1, 4)->link, 0);
	CHECK_STR(str_from(links_at(&c->links, 1)), "https://example.org/");
	canvas_clear(c);
	put_link(c, 0, "https://example.org/");
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 4)->link, 1);
	put_link(c, 1, "https://example.org/");
	CU_ASSERT_EQUAL(canvas_cell(c, 1, 4)->link, 1);
	canvas_clear(c);
	put_link(c, 0, "https://example.org/elsewhere");
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 4)->link, 2);
	canvas_free(c);
}

/* Links on the canvas keep valid numbers, however many other links were used before. */
static void never_runs_out_of_links(void)
{
	struct canvas *c = fresh(3, 20);
	char url[64];

	for (unsigned i = 0; i < 1000; i++) {
		canvas_clear(c);
		for (unsigned r = 0; r < 3; r++) {
			snprintf(url, sizeof url, "https://example.org/%u", i + r);
			put_link(c, r, url);
			CHECK(canvas_cell(c, r, 4)->link != 0, "%s", url);
			CHECK_STR(str_from(links_at(&c->links, canvas_cell(c, r, 4)->link)), url);
		}
	}
	CU_ASSERT(c->links_age > 0);
	canvas_free(c);
}

/* Widths change when the terminal has reported how it draws emoji. */
static void follows_the_profile_of_widths(void)
{
	struct str text = STR("\u2764\uFE0F\u2764\uFE0Fx");
	struct canvas *c = fresh(1, 20);

	canvas_clear(c);
	canvas_put(c, 0, 0, 20, ROLE_TEXT, text);
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 2)->text[0], 'x');
	utf8_set_profile(&(struct utf8_profile){ .variants = true });
	canvas_clear(c);
	canvas_put(c, 0, 0, 20, ROLE_TEXT, text);
	CU_ASSERT_EQUAL(canvas_cell(c, 0, 4)->text[0], 'x');
	check_dump(c, false, "\u2764\uFE0F\u2764\uFE0Fx\n");
	utf8_set_profile(&(struct utf8_profile){ 0 });
	canvas_free(c);
}

const struct suite suite_canvas = { "canvas", (const struct test[]){
	TEST(puts_text), TEST(clears_the_previous_frame), TEST(aligns_right), TEST(keeps_wide_clusters_whole),
	TEST(never_contains_control_bytes), TEST(fills_and_clips), TEST(draws_hairlines), TEST(compares_rows),
	TEST(draws_over_old_frames), TEST(remembers_which_rows_changed), TEST(draws_without_end), TEST(draws_what_was_never_read),
	TEST(keeps_the_cursor_inside), TEST(numbers_links), TEST(never_runs_out_of_links), TEST(follows_the_profile_of_widths), { 0 } } };
