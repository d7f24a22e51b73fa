#include "ui/table.h"

#include <locale.h>
#include <stdio.h>

#include "support/check.h"
#include "ui/dump.h"

static struct table *a_table(size_t rows)
{
	struct table *t = table_new(STR("Settings"), "Enter change   Esc back");
	char name[20], value[20];

	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < rows; i++) {
		snprintf(name, sizeof name, "name%zu", i);
		snprintf(value, sizeof value, "value%zu", i);
		table_add(t, str_from(name), str_from(value), i ? STR("default") : STR("weir.conf:12"));
	}
	table_set_below(t, STR("what the marked one is for, in words that need more than one row on a narrow screen"));
	return t;
}

static bool press(struct table *t, const char *name)
{
	struct key key;

	if (!key_from_name(str_from(name), &key))
		key = (struct key){ .code = KEY_TEXT, .text = str_from(name) };
	return table_key(t, &key);
}

static void check_sight(struct table *t, unsigned rows, unsigned columns, const char *words, bool seen)
{
	struct canvas *c = canvas_new(rows, columns);
	struct buf out = { 0 };

	table_draw(t, c);
	dump_canvas(c, false, &out);
	CHECK((str_find(buf_str(&out), str_from(words)) < out.len) == seen, "%ux%u: %s\n%s", columns, rows, words, buf_z(&out));
	buf_fini(&out);
	canvas_free(c);
}

static void the_mark_moves_and_stays_inside(void)
{
	static const struct { const char *key; size_t marked; } steps[] = {
		{ "Up", 0 }, { "Down", 1 }, { "j", 2 }, { "k", 1 }, { "PgDn", 9 }, { "End", 19 }, { "Down", 19 }, { "PgUp", 11 }, { "Home", 0 },
	};
	struct table *t = a_table(20);

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		CHECK(press(t, steps[i].key), "%s", steps[i].key);
		CHECK(table_marked(t) == steps[i].marked, "%s: %zu", steps[i].key, table_marked(t));
	}
	CU_ASSERT_FALSE(press(t, "w"));
	CU_ASSERT_FALSE(press(t, "Enter"));
	press(t, "Down");
	table_clear(t);
	table_add(t, STR("a"), STR("b"), STR("c"));
	table_add(t, STR("d"), STR("e"), STR("f"));
	CU_ASSERT_EQUAL(table_marked(t), 1);
	table_free(t);
}

static void the_marked_row_is_in_view(void)
{
	struct table *t = a_table(20);

	check_sight(t, 24, 80, "weir.conf:12", true);
	check_sight(t, 24, 80, "what the marked one", true);
	check_sight(t, 12, 40, "> name0", true);
	check_sight(t, 12, 40, "1 of 20", true);
	press(t, "End");
	check_sight(t, 12, 40, "> name19", true);
	check_sight(t, 6, 20, "> name19", true);
	check_sight(t, 6, 20, "name0 ", false);
	table_free(t);
}

static void fits_any_size(void)
{
	struct table *t = a_table(20), *none = a_table(0);

	for (unsigned rows = 1; rows < 30; rows++)
		for (unsigned columns = 1; columns < 130; columns += columns < 30 ? 1 : 7) {
			check_sight(t, rows, columns, "\x01", false);
			check_sight(none, rows, columns, "\x01", false);
		}
	table_free(t);
	table_free(none);
}

/* Beside a card, the page shows in a wide margin only: three columns of it would be scraps of words. */
static void a_narrow_margin_shows_no_page(void)
{
	static const struct { unsigned columns; bool shows; } widths[] = { { 100, false }, { 120, false }, { 140, true } };

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		struct canvas *c = canvas_new(40, widths[i].columns);
		struct table *t = a_table(10);
		struct buf out = { 0 };

		for (unsigned row = 0; row < 40; row++)
			canvas_put(c, row, 0, 3, ROLE_TEXT, STR("xyz"));
		table_draw(t, c);
		CU_ASSERT(c->card.column > 2);
		dump_canvas(c, false, &out);
		struct str rest = buf_str(&out), line;
		for (unsigned row = 0; row < 40 && str_split(&rest, '\n', &line); row++) {
			bool beside = row >= c->card.row && row < c->card.row + c->card.rows;

			CHECK(str_starts(line, "xyz") == (widths[i].shows || !beside), "%u columns, row %u: %.*s", widths[i].columns, row, STR_ARG(line));
		}
		buf_fini(&out);
		table_free(t);
		canvas_free(c);
	}
}

const struct suite suite_table = { "table", (const struct test[]){
	TEST(the_mark_moves_and_stays_inside), TEST(the_marked_row_is_in_view), TEST(fits_any_size), TEST(a_narrow_margin_shows_no_page), { 0 } } };
