#include "ui/list.h"

#include <locale.h>
#include <stdio.h>

#include "support/check.h"
#include "ui/dump.h"

/* Rows of a name, a value and a note, with what is said of the marked one below them. */
struct a_list {
	struct list list;
	struct list_state state;
	char name[20], value[20];
};

static void an_item(void *ctx, size_t index, struct list_item *out)
{
	struct a_list *l = ctx;

	snprintf(l->name, sizeof l->name, "name%zu", index);
	snprintf(l->value, sizeof l->value, "value%zu", index);
	out->front = str_from(l->name);
	out->text = str_from(l->value);
	out->facts[0] = index ? STR("default") : STR("weir.conf:12");
}

static void a_list(struct a_list *l, size_t rows)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	*l = (struct a_list){ .list = {
		.title = STR("Settings"), .keys = STR("Enter change   Esc back"), .columns = 90, .item = an_item, .ctx = l, .count = rows,
		.below = STR("what the marked one is for, in words that need more than one row on a narrow screen"), .has_below = true,
		.front_columns = 8, .fit = LIST_WHOLE } };
}

static bool press(struct a_list *l, const char *name)
{
	struct key key;

	if (!key_from_name(str_from(name), &key))
		key = (struct key){ .code = KEY_TEXT, .text = str_from(name) };
	return list_key(&l->state, &key, SCROLL_ROWS, 8, l->list.count);
}

static void check_sight(struct a_list *l, unsigned rows, unsigned columns, const char *words, bool seen)
{
	struct canvas *c = canvas_new(rows, columns);
	struct buf out = { 0 };

	list_draw(&l->list, &l->state, c);
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
	struct a_list l;

	a_list(&l, 20);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		CHECK(press(&l, steps[i].key), "%s", steps[i].key);
		CHECK(l.state.marked == steps[i].marked, "%s: %zu", steps[i].key, l.state.marked);
	}
	CU_ASSERT_FALSE(press(&l, "w"));
	CU_ASSERT_FALSE(press(&l, "Enter"));
	press(&l, "Down");
	CU_ASSERT_EQUAL(l.state.marked, 1);
	l.state.marked = 5;
	l.list.count = 2; /* rows have gone */
	check_sight(&l, 24, 80, "> name1", true);
	CU_ASSERT_EQUAL(l.state.marked, 1);
}

static void the_marked_row_is_in_view(void)
{
	struct a_list l;

	a_list(&l, 20);
	check_sight(&l, 24, 80, "weir.conf:12", true);
	check_sight(&l, 24, 80, "what the marked one", true);
	check_sight(&l, 12, 40, "> name0", true);
	check_sight(&l, 12, 40, "1 of 20", true);
	press(&l, "End");
	check_sight(&l, 12, 40, "> name19", true);
	check_sight(&l, 6, 20, "> name19", true);
	check_sight(&l, 6, 20, "name0 ", false);
}

/* Rows that the words below do not need show rows of the list, and moving the mark moves none. */
static void rows_stand_in_place_of_blank_ones(void)
{
	struct a_list l;

	a_list(&l, 20);
	l.list.below = STR("one\ntwo\nthree\nfour");
	check_sight(&l, 24, 80, "name13", true);
	check_sight(&l, 24, 80, "name14", false);
	check_sight(&l, 24, 80, "four", true);
	l.list.below = STR("one");
	check_sight(&l, 24, 80, "name16", true);
	check_sight(&l, 24, 80, "name17", false);
	check_sight(&l, 24, 80, "one", true);
	list_mark(&l.state, 15, 20);
	check_sight(&l, 24, 80, "name1 ", false);
	check_sight(&l, 24, 80, "name2 ", true);
	check_sight(&l, 24, 80, "name18", true);
	l.list.below = STR("one\ntwo\nthree\nfour");
	check_sight(&l, 24, 80, "name2 ", true);
	check_sight(&l, 24, 80, "> name15", true);
	press(&l, "End");
	l.list.below = STR("one");
	check_sight(&l, 24, 80, "> name19", true);
	check_sight(&l, 24, 80, "name6 ", true);
	check_sight(&l, 24, 80, "name5 ", false);
}

static void fits_any_size(void)
{
	struct a_list l, none;

	a_list(&l, 20);
	a_list(&none, 0);
	for (unsigned rows = 1; rows < 30; rows++)
		for (unsigned columns = 1; columns < 130; columns += columns < 30 ? 1 : 7) {
			check_sight(&l, rows, columns, "\x01", false);
			check_sight(&none, rows, columns, "\x01", false);
		}
}

/* In the rows of a card no page shows, also where it could: pieces of its lines cannot be read. Its sides are lines. */
static void nothing_stands_beside_a_card(void)
{
	static const unsigned widths[] = { 60, 100, 120, 200 };

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		struct canvas *c = canvas_new(40, widths[i]);
		struct a_list l;
		struct buf out = { 0 };

		a_list(&l, 10);
		for (unsigned row = 0; row < 40; row++)
			canvas_put(c, row, 0, 3, ROLE_TEXT, STR("xyz"));
		list_draw(&l.list, &l.state, c);
		dump_canvas(c, false, &out);
		struct str rest = buf_str(&out), line;
		unsigned last = c->card.row + c->card.rows - 1;
		for (unsigned row = 0; row < 40 && str_split(&rest, '\n', &line); row++) {
			bool in_card = row >= c->card.row && row <= last, parts = row + 1 == c->card.row || row == last + 1;
			struct str inside = str_trim(line);

			CHECK(str_starts(line, "xyz") == (!in_card && !parts), "%u columns, row %u: %.*s", widths[i], row, STR_ARG(line));
			CHECK(!in_card || str_starts(inside, row == c->card.row ? "\u250c" : row == last ? "\u2514" : "\u2502"), "%.*s", STR_ARG(line));
			CHECK(!in_card || str_ends(inside, row == c->card.row ? "\u2510" : row == last ? "\u2518" : "\u2502"), "%.*s", STR_ARG(line));
		}
		buf_fini(&out);
		canvas_free(c);
	}
}

const struct suite suite_list = { "list", (const struct test[]){
	TEST(the_mark_moves_and_stays_inside), TEST(the_marked_row_is_in_view), TEST(rows_stand_in_place_of_blank_ones),
	TEST(fits_any_size), TEST(nothing_stands_beside_a_card), { 0 } } };
