#include "render/flow.h"

#include <locale.h>
#include <string.h>

#include "support/check.h"

static void setup(struct flow *flow)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	flow_init(flow);
}

/* Expects the rows of a text, joined by '|'. */
static void check_rows(const char *text, unsigned width, bool by_gaps, const char *expected)
{
	struct flow flow;
	struct buf rows;

	setup(&flow);
	flow.by_gaps = by_gaps;
	buf_init(&rows, 1 << 16);
	flow_update(&flow, str_from(text), width);
	for (size_t i = 0; i < flow.count; i++) {
		if (i)
			buf_add(&rows, STR("|"));
		buf_add(&rows, flow_row(&flow, str_from(text), i));
	}
	CHECK_STR(buf_str(&rows), expected);
	buf_fini(&rows);
	flow_fini(&flow);
}

static void breaks_lines(void)
{
	static const struct { const char *text; unsigned width; const char *rows; } cases[] = {
		{ "", 10, "" },
		{ "one", 10, "one" },
		{ "one\ntwo", 10, "one|two" },
		{ "one\r\ntwo", 10, "one|two" },
		{ "one\n", 10, "one" },
		{ "\n\nx", 10, "||x" },
		{ "hello world", 5, "hello|world" },
		{ "hello world", 6, "hello|world" },
		{ "hello    world", 5, "hello|world" },
		{ "hello world", 11, "hello world" },
		{ "abcdefgh", 3, "abc|def|gh" },
		{ "a abcdefgh", 4, "a|abcd|efgh" },
		{ "well-known fact", 6, "well-|known|fact" },
		{ "ls --all -1", 7, "ls|--all|-1" },
		{ "  indented", 20, "  indented" },
		{ "f(x) ok", 5, "f(x)|ok" },
		{ "\xE4\xB8\xAD\xE6\x96\x87\xE5\xAD\x97", 4, "\xE4\xB8\xAD\xE6\x96\x87|\xE5\xAD\x97" },
		{ "\xE4\xB8\xAD\xE6\x96\x87\xE3\x80\x82", 4, "\xE4\xB8\xAD|\xE6\x96\x87\xE3\x80\x82" },     /* no row begins with a full stop */
		{ "\xE4\xB8\xAD\xE3\x80\x8C\xE6\x96\x87", 4, "\xE4\xB8\xAD|\xE3\x80\x8C\xE6\x96\x87" },     /* none ends with an opening bracket */
		{ "ab\xE4\xB8\xAD\xE6\x96\x87", 4, "ab\xE4\xB8\xAD|\xE6\x96\x87" },
		{ "\xE4\xB8\xAD", 1, "\xE4\xB8\xAD" },                                                       /* too wide for any row */
		{ "a\tb", 9, "a\tb" },
		{ "a\tbc", 9, "a|bc" },
		{ "no\xC2\xA0" "break here", 9, "no\xC2\xA0" "break|here" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_rows(cases[i].text, cases[i].width, false, cases[i].rows);
}

static const char *const pieces[] = {
	"word ", "a", " ", "\n", "\r\n", "\r", "\t", "long-hyphenated-word ", "\xE4\xB8\xAD\xE6\x96\x87", "\xE3\x80\x82", "\xE3\x80\x8C",
	"e\xCC\x81", "\xCC\x81", "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", "(x)", "-", "--opt", ", ", "\x01",
	"https://example.org/a/very/long/path?with=query", "    ", "\xE1\x84\x80", "\xE1\x85\xA1",
};

static void hints_are_not_split(void)
{
	check_rows("Alt-r retry   Alt-u edit   Ctrl-O details", 33, false, "Alt-r retry   Alt-u edit   Ctrl-O|details");
	check_rows("Alt-r retry   Alt-u edit   Ctrl-O details", 33, true, "Alt-r retry   Alt-u edit|Ctrl-O details");
	check_rows("Alt-a answer   or write on, and it goes back", 24, true, "Alt-a answer|or write on, and it goes|back");
	check_rows("a sentence  without", 12, true, "a sentence|without");
}

static void grow(struct buf *text, unsigned *seed)
{
	buf_add_z(text, pieces[check_random(seed) % (sizeof pieces / sizeof *pieces)]);
}

static void check_same(const struct flow *a, const struct flow *b, unsigned seed)
{
	CHECK(a->count == b->count && a->length == b->length, "seed %u: %zu rows, not %zu", seed, a->count, b->count);
	CHECK(a->count != b->count || memcmp(a->starts, b->starts, a->count * sizeof *a->starts) == 0, "seed %u: other rows", seed);
}

/* The rows do not depend on how the text arrived. */
static void grows_as_laid_out_at_once(void)
{
	for (unsigned seed = 1; seed <= 300; seed++) {
		unsigned state = seed, width = 1 + check_random(&state) % 24;
		struct flow grown, once;
		struct buf text;

		setup(&grown);
		grown.by_gaps = seed % 2;
		buf_init(&text, 1 << 20);
		for (unsigned i = 0; i < 120; i++) {
			grow(&text, &state);
			if (check_random(&state) % 2)
				flow_update(&grown, buf_str(&text), width);
		}
		flow_update(&grown, buf_str(&text), width);
		setup(&once);
		once.by_gaps = grown.by_gaps;
		flow_update(&once, buf_str(&text), width);
		check_same(&grown, &once, seed);
		flow_fini(&grown);
		flow_fini(&once);
		buf_fini(&text);
	}
}

/* A change in the middle lays out again what it may have changed. */
static void is_cut_where_the_text_changed(void)
{
	for (unsigned seed = 1; seed <= 300; seed++) {
		unsigned state = seed, width = 1 + check_random(&state) % 24;
		struct flow changed, once;
		struct buf text;

		setup(&changed);
		buf_init(&text, 1 << 20);
		for (unsigned i = 0; i < 60; i++)
			grow(&text, &state);
		for (unsigned i = 0; i < 20; i++) {
			size_t at;

			flow_update(&changed, buf_str(&text), width);
			at = check_random(&state) % (text.len + 1);
			while (at < text.len && ((unsigned char)text.ptr[at] & 0xC0) == 0x80)
				at++;
			if (check_random(&state) % 2)
				buf_insert(&text, at, STR("xy z"));
			else
				buf_remove(&text, at, at < text.len && !(text.ptr[at] & 0x80));
			flow_cut(&changed, at);
		}
		flow_update(&changed, buf_str(&text), width);
		setup(&once);
		flow_update(&once, buf_str(&text), width);
		check_same(&changed, &once, seed);
		flow_fini(&changed);
		flow_fini(&once);
		buf_fini(&text);
	}
}

static void fits_its_width(void)
{
	for (unsigned seed = 1; seed <= 100; seed++) {
		unsigned state = seed, width = 2 + check_random(&state) % 24;
		struct flow flow;
		struct buf text;

		setup(&flow);
		buf_init(&text, 1 << 20);
		for (unsigned i = 0; i < 200; i++)
			grow(&text, &state);
		buf_add(&text, STR(".")); /* a CR at the end may become part of a line end, so it takes no column */
		flow_update(&flow, buf_str(&text), width);
		for (size_t i = 0; i < flow.count; i++) {
			struct str row = flow_row(&flow, buf_str(&text), i);
			bool lone_tab = memchr(row.ptr, '\t', row.len) != NULL && width < 8;

			CHECK(lone_tab || flow_columns(row, 1000) <= width, "seed %u, row %zu: \"%.*s\"", seed, i, STR_ARG(row));
		}
		flow_fini(&flow);
		buf_fini(&text);
	}
}

static void finds_rows(void)
{
	struct flow flow;

	setup(&flow);
	CU_ASSERT_EQUAL(flow_row_of(&flow, 7), 0);
	flow_update(&flow, STR("one two three"), 4);
	CU_ASSERT_EQUAL(flow.count, 4);
	CU_ASSERT_EQUAL(flow_row_of(&flow, 0), 0);
	CU_ASSERT_EQUAL(flow_row_of(&flow, 3), 0);
	CU_ASSERT_EQUAL(flow_row_of(&flow, 4), 1);
	CU_ASSERT_EQUAL(flow_row_of(&flow, 99), 3);
	flow_update(&flow, STR("one two three"), 40);
	CU_ASSERT_EQUAL(flow.count, 1);
	flow_fini(&flow);
}

static void bounds_a_row_of_zero_width(void)
{
	struct flow flow;
	struct buf text;

	setup(&flow);
	buf_init(&text, 1 << 20);
	for (unsigned i = 0; i < 20000; i++)
		buf_add(&text, STR(" "));
	flow_update(&flow, buf_str(&text), 10);
	CU_ASSERT_EQUAL(flow.count, (20000 + FLOW_ROW_BYTES - 1) / FLOW_ROW_BYTES);
	flow_fini(&flow);
	buf_fini(&text);
}

/* When the terminal reports that it joins emoji, everything is laid out again. */
static void follows_the_terminal(void)
{
	struct str text = STR("\U0001F469\u200D\U0001F4BB\u2764\uFE0F\u2764\uFE0F");
	struct flow flow;

	setup(&flow);
	flow_update(&flow, text, 4);
	CU_ASSERT_EQUAL(flow.count, 1);
	utf8_set_profile(&(struct utf8_profile){ .joins = true, .variants = true });
	flow_update(&flow, text, 4);
	CU_ASSERT_EQUAL(flow.count, 2);
	CU_ASSERT_EQUAL(flow_columns(text, 99), 6);
	utf8_set_profile(&(struct utf8_profile){ 0 });
	flow_update(&flow, text, 4);
	CU_ASSERT_EQUAL(flow.count, 1);
	flow_fini(&flow);
}

const struct suite suite_flow = { "flow", (const struct test[]){
	TEST(breaks_lines), TEST(hints_are_not_split), TEST(grows_as_laid_out_at_once), TEST(is_cut_where_the_text_changed), TEST(fits_its_width), TEST(finds_rows),
	TEST(bounds_a_row_of_zero_width), TEST(follows_the_terminal), { 0 } } };
