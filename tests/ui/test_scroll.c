#include "ui/scroll.h"

#include "support/check.h"

static long rows_of(const char *name, unsigned keys)
{
	struct key key;

	if (!key_from_name(str_from(name), &key))
		key = (struct key){ .code = KEY_TEXT, .text = str_from(name) };
	return scroll_rows(&key, keys, 10);
}

static void keys_scroll_where_they_are_wanted(void)
{
	static const struct { const char *key; unsigned keys; long rows; } cases[] = {
		{ "Up", 0, -1 }, { "Down", 0, 1 }, { "PgUp", 0, -10 }, { "PgDn", 0, 10 }, { "Alt-Down", 0, 1 }, { "Alt-Up", SCROLL_HALVES, -5 },
		{ "Tab", 0, 0 }, { "Tab", SCROLL_TABS, 1 }, { "Shift-Tab", SCROLL_TABS, -1 },
		{ "Ctrl-P", 0, 0 }, { "Ctrl-P", SCROLL_CONTROLS, -1 }, { "Ctrl-N", SCROLL_CONTROLS, 1 }, { "Ctrl-T", SCROLL_CONTROLS, 0 },
		{ "j", 0, 0 }, { "j", SCROLL_LETTERS, 1 }, { "k", SCROLL_LETTERS, -1 }, { "g", SCROLL_LETTERS, 0 }, { "x", SCROLL_TEXT, 0 },
		{ "g", SCROLL_TEXT, -SCROLL_ALL }, { "G", SCROLL_TEXT, SCROLL_ALL }, { " ", SCROLL_TEXT, 10 }, { " ", SCROLL_ROWS, 0 },
		{ "Home", 0, 0 }, { "Home", SCROLL_ENDS, -SCROLL_ALL }, { "End", SCROLL_ENDS, SCROLL_ALL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK(rows_of(cases[i].key, cases[i].keys) == cases[i].rows, "%s: %ld", cases[i].key, rows_of(cases[i].key, cases[i].keys));
	CU_ASSERT_EQUAL(scroll_rows(&(struct key){ .code = KEY_WHEEL_UP }, SCROLL_MENU, 10), -1);
	CU_ASSERT_EQUAL(scroll_rows(&(struct key){ .code = KEY_WHEEL_DOWN }, SCROLL_TEXT, 10), WHEEL_ROWS);
}

static void nothing_scrolls_past_an_end(void)
{
	CU_ASSERT_EQUAL(scroll_to(3, -10, 20), 0);
	CU_ASSERT_EQUAL(scroll_to(3, 10, 20), 13);
	CU_ASSERT_EQUAL(scroll_to(3, SCROLL_ALL, 20), 20);
	CU_ASSERT_EQUAL(scroll_to(30, 1, 20), 20);
	CU_ASSERT_EQUAL(scroll_to(3, -SCROLL_ALL, 20), 0);
}

static void what_is_marked_comes_into_view(void)
{
	CU_ASSERT_EQUAL(scroll_into_view(0, 20, 12, 12, 5), 8);
	CU_ASSERT_EQUAL(scroll_into_view(8, 20, 4, 5, 5), 4);
	CU_ASSERT_EQUAL(scroll_into_view(8, 20, 9, 9, 5), 8);
	CU_ASSERT_EQUAL(scroll_into_view(18, 20, 19, 19, 5), 15);
	CU_ASSERT_EQUAL(scroll_into_view(8, 3, 0, 0, 5), 0);
}

const struct suite suite_scroll = { "scroll", (const struct test[]){
	TEST(keys_scroll_where_they_are_wanted), TEST(nothing_scrolls_past_an_end), TEST(what_is_marked_comes_into_view), { 0 } } };
