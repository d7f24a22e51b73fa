#include "ui/edit.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#define WIDE "\xE4\xB8\xAD"

/* Keys by name, parted by blanks; a word that is no key's name is typed. */
static bool press(struct edit *e, const char *keys)
{
	struct str rest = str_from(keys), word;
	bool mine = true;

	while (str_split(&rest, ' ', &word)) {
		struct key key;

		if (!key_from_name(word, &key)) {
			edit_insert(e, word);
			continue;
		}
		mine = edit_key(e, &key);
	}
	return mine;
}

/* The text with '|' at the cursor. */
static void check_edit(const struct edit *e, const char *expected)
{
	struct buf shown;

	buf_init(&shown, 1 << 20);
	buf_add(&shown, str_head(buf_str(&e->text), e->cursor));
	buf_add(&shown, STR("|"));
	buf_add(&shown, str_skip(buf_str(&e->text), e->cursor));
	CHECK_STR(buf_str(&shown), expected);
	buf_fini(&shown);
}

static void edits(void)
{
	static const struct { const char *text, *keys, *expected; } cases[] = {
		{ "", "hello", "hello|" },
		{ "hello", "Left Left x", "helx|lo" },
		{ "hello", "Home Left x End y Right", "xhelloy|" },
		{ "hello", "Ctrl-A Del Ctrl-D", "|llo" },
		{ "hello", "Backspace Ctrl-H", "hel|" },
		{ "a " WIDE "e\u0301", "Left", "a " WIDE "|e\u0301" },
		{ "a " WIDE "e\u0301", "Left Left Backspace", "a|" WIDE "e\u0301" },
		{ "a" WIDE, "Backspace", "a|" },
		{ "one two three", "Ctrl-W", "one two |" },
		{ "one two/three", "Ctrl-W", "one |" },
		{ "one two/three", "Alt-Backspace", "one two/|" },
		{ "one two three", "Alt-b Alt-b Alt-d", "one | three" },
		{ "one two three", "Ctrl-Left Ctrl-Left Ctrl-Right x", "one twox| three" },
		{ "one two", "Home Alt-f Ctrl-K", "one|" },
		{ "one two", "Left Left Ctrl-U", "|wo" },
		{ "one\ntwo", "Ctrl-U", "one\n|" },
		{ "one\ntwo", "Ctrl-A Ctrl-B Ctrl-K", "one|two" },
		{ "one", "Ctrl-J two", "one\ntwo|" },
		{ "one", "Alt-Enter two", "one\ntwo|" },
		{ "one\ntwo", "Home x Ctrl-Home y", "y|one\nxtwo" },
		{ "", "Backspace Del Left Ctrl-W Ctrl-U Ctrl-K Alt-d", "|" },
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct edit e;

		edit_init(&e, false);
		edit_set(&e, str_from(cases[i].text));
		press(&e, cases[i].keys);
		check_edit(&e, cases[i].expected);
		edit_fini(&e);
	}
}

static void leaves_keys_to_others(void)
{
	static const char *const keys[] = { "Up", "Down", "Enter", "Ctrl-F", "Ctrl-P", "Ctrl-C", "Tab", "Esc", "F2", "PgUp", "Alt-r", "Ctrl-D", "Ctrl-Y" };
	struct edit e;

	edit_init(&e, false);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		CHECK(!press(&e, keys[i]), "%s", keys[i]);
	edit_set(&e, STR("x"));
	CU_ASSERT(press(&e, "Ctrl-D"));
	CU_ASSERT(press(&e, "Left"));
	edit_fini(&e);
}

static void keeps_one_line(void)
{
	struct edit e;

	edit_init(&e, true);
	edit_insert(&e, STR("a\nb"));
	CU_ASSERT_FALSE(press(&e, "Ctrl-J"));
	CU_ASSERT_FALSE(press(&e, "Alt-Enter"));
	CU_ASSERT_FALSE(press(&e, "Up"));
	check_edit(&e, "a b|");
	CU_ASSERT_EQUAL(edit_rows(&e, 1), 1);
	edit_fini(&e);
}

static void keeps_what_was_killed(void)
{
	struct edit e;

	edit_init(&e, false);
	press(&e, "one Ctrl-W");
	CHECK_STR(buf_str(&e.killed), "one");
	press(&e, "Ctrl-U");
	CHECK_STR(buf_str(&e.killed), "one");
	edit_fini(&e);
}

static void stays_within_its_limit(void)
{
	struct edit e;
	struct buf half;

	edit_init(&e, false);
	buf_init(&half, EDIT_LIMIT);
	while (half.len < EDIT_LIMIT / 2 + 1)
		buf_add(&half, STR("0123456789abcdef"));
	edit_insert(&e, buf_str(&half));
	edit_insert(&e, buf_str(&half));
	CU_ASSERT_EQUAL(e.text.len, half.len);
	CU_ASSERT_EQUAL(e.cursor, half.len);
	buf_fini(&half);
	edit_fini(&e);
}

static void check_drawn(const struct edit *e, unsigned rows, unsigned columns, const char *expected, unsigned row, unsigned column)
{
	struct canvas *c = canvas_new(rows, columns);
	struct buf out;

	buf_init(&out, 1 << 16);
	edit_draw(e, c, (struct area){ 0, 0, rows, columns }, ROLE_INPUT, true);
	canvas_dump(c, false, &out);
	CHECK_STR(buf_str(&out), expected);
	CHECK(c->cursor_shown && c->cursor_row == row && c->cursor_column == column, "cursor at %u, %u, not %u, %u", c->cursor_row, c->cursor_column, row, column);
	buf_fini(&out);
	canvas_free(c);
}

static void draws_rows(void)
{
	struct edit e;

	setlocale(LC_CTYPE, "C.UTF-8");
	edit_init(&e, false);
	check_drawn(&e, 2, 8, "\n\n", 0, 0);
	edit_set(&e, STR("hello world"));
	CU_ASSERT_EQUAL(edit_rows(&e, 8), 2);
	check_drawn(&e, 2, 8, "hello\nworld\n", 1, 5);
	check_drawn(&e, 1, 8, "world\n", 0, 5);
	press(&e, "Ctrl-A");
	check_drawn(&e, 1, 8, "hello\n", 0, 0);
	edit_set(&e, STR("x\n"));
	CU_ASSERT_EQUAL(edit_rows(&e, 8), 2);
	check_drawn(&e, 2, 8, "x\n\n", 1, 0);
	edit_set(&e, STR("1234567"));
	CU_ASSERT_EQUAL(edit_rows(&e, 8), 1);
	check_drawn(&e, 2, 8, "1234567\n\n", 0, 7);
	edit_set(&e, STR("1234567    "));
	check_drawn(&e, 2, 8, "1234567\n\n", 0, 7); /* blanks hang over the edge, the cursor does not */
	edit_set(&e, STR(WIDE WIDE WIDE WIDE));
	check_drawn(&e, 2, 8, WIDE WIDE WIDE "\n" WIDE "\n", 1, 2);
	check_drawn(&e, 2, 1, "\n\n", 1, 0); /* nothing fits, nothing breaks */
	edit_fini(&e);
}

static void scrolls_no_more_than_needed(void)
{
	struct edit e;

	edit_init(&e, false);
	edit_set(&e, STR("1\n2\n3\n4\n5"));
	check_drawn(&e, 3, 8, "3\n4\n5\n", 2, 1);
	press(&e, "Up Up");
	check_drawn(&e, 3, 8, "3\n4\n5\n", 0, 1);
	press(&e, "Up");
	check_drawn(&e, 3, 8, "2\n3\n4\n", 0, 1);
	press(&e, "Down Down Down");
	check_drawn(&e, 3, 8, "3\n4\n5\n", 2, 1);
	edit_fini(&e);
}

static void moves_by_the_rows_it_drew(void)
{
	struct edit e;

	edit_init(&e, false);
	edit_set(&e, STR("hello world\nab\nlonger line"));
	check_drawn(&e, 6, 8, "hello\nworld\nab\nlonger\nline\n\n", 4, 4);
	press(&e, "Up");
	check_edit(&e, "hello world\nab\nlong|er line");
	press(&e, "Up");
	check_edit(&e, "hello world\nab|\nlonger line");
	press(&e, "Up");
	check_edit(&e, "hello worl|d\nab\nlonger line"); /* the column is kept over the short row */
	press(&e, "Up");
	check_edit(&e, "hell|o world\nab\nlonger line");
	CU_ASSERT_FALSE(press(&e, "Up"));
	press(&e, "Down End");
	check_edit(&e, "hello world|\nab\nlonger line");
	edit_set(&e, STR("abcdefghij"));
	check_drawn(&e, 2, 6, "abcde\nfghij\n", 1, 5);
	press(&e, "Up");
	check_edit(&e, "abcd|efghij"); /* behind the e is the next row */
	edit_fini(&e);
}

static void scrolls_one_line_sideways(void)
{
	struct edit e;

	setlocale(LC_CTYPE, "C.UTF-8");
	edit_init(&e, true);
	edit_set(&e, STR("0123456789"));
	check_drawn(&e, 1, 6, "56789\n", 0, 5);
	press(&e, "Ctrl-A");
	check_drawn(&e, 1, 6, "012345\n", 0, 0);
	edit_set(&e, STR("ab" WIDE WIDE));
	check_drawn(&e, 1, 6, "b" WIDE WIDE "\n", 0, 5);
	edit_fini(&e);
}

/* What is drawn after any keys is what a fresh editor draws with the same text. */
static void draws_as_if_fresh(void)
{
	static const char *const keys[] = {
		"Left", "Right", "Up", "Down", "Home", "End", "Backspace", "Del", "Ctrl-W", "Ctrl-K", "Ctrl-J", "Ctrl-J", "word", "a", WIDE, "Space", "Space", "longer-word",
	};
	unsigned seed = 3;

	setlocale(LC_CTYPE, "C.UTF-8");
	for (unsigned round = 0; round < 100; round++) {
		unsigned columns = 2 + check_random(&seed) % 20;
		struct edit e, fresh;

		edit_init(&e, false);
		for (unsigned i = 0; i < 80; i++) {
			press(&e, keys[check_random(&seed) % (sizeof keys / sizeof *keys)]);
			if (check_random(&seed) % 3 == 0)
				edit_rows(&e, columns);
		}
		edit_init(&fresh, false);
		edit_set(&fresh, buf_str(&e.text));
		CHECK(edit_rows(&e, columns) == edit_rows(&fresh, columns), "round %u", round);
		edit_fini(&e);
		edit_fini(&fresh);
	}
}

const struct suite suite_edit = { "edit", (const struct test[]){
	TEST(edits), TEST(leaves_keys_to_others), TEST(keeps_one_line), TEST(keeps_what_was_killed), TEST(stays_within_its_limit), TEST(draws_rows),
	TEST(scrolls_no_more_than_needed), TEST(moves_by_the_rows_it_drew), TEST(scrolls_one_line_sideways), TEST(draws_as_if_fresh), { 0 } } };
