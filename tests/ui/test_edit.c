#include "ui/edit/edit.h"

#include <locale.h>
#include <string.h>

#include "base/mem.h"
#include "support/check.h"
#include "ui/dump.h"
#include "ui/edit/edit_parts.h"

#define WIDE "\xE4\xB8\xAD"

/* Presses keys by name, separated by blanks. A word that is not the name of a key is typed. */
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

static void edits_by_keys(void)
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
		{ "one", "Shift-Enter two", "one\ntwo|" },
		{ "\xE6\x97\xA5\xE6\x9C\xAC" "go", "Alt-b Alt-b", "\xE6\x97\xA5|\xE6\x9C\xAC" "go" },
		{ "\xE6\x97\xA5\xE6\x9C\xAC" "go", "Home Alt-f Alt-d", "\xE6\x97\xA5|go" },
		{ "stra\u00dfe \u00e9t\u00e9", "Alt-b Alt-Backspace", "|\u00e9t\u00e9" },
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

static void does_not_use_other_keys(void)
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

static void one_line_has_no_line_ends(void)
{
	struct edit e;

	edit_init(&e, true);
	edit_insert(&e, STR("a\nb"));
	CU_ASSERT_FALSE(press(&e, "Ctrl-J"));
	CU_ASSERT_FALSE(press(&e, "Alt-Enter"));
	CU_ASSERT_FALSE(press(&e, "Up"));
	check_edit(&e, "a b|");
	CU_ASSERT_EQUAL(edit_rows(&e, 80), 1);
	edit_fini(&e);
}

static void check_after(bool makes_chips, const char *text, const char *keys, const char *expected)
{
	struct edit e;

	setlocale(LC_CTYPE, "C.UTF-8");
	edit_init(&e, false);
	e.makes_chips = makes_chips;
	edit_set(&e, str_from(text));
	press(&e, keys);
	check_edit(&e, expected);
	edit_fini(&e);
}

static void consecutive_kills_join_and_are_yanked(void)
{
	static const struct { const char *text, *keys, *expected; } cases[] = {
		{ "one two three", "Ctrl-W Ctrl-W Ctrl-Y", "one two three|" },
		{ "one two three", "Home Alt-d Alt-d End Ctrl-Y", " threeone two|" },
		{ "one two three", "Alt-b Alt-b Alt-d Ctrl-W Ctrl-Y", "one two| three" }, /* joined at both ends */
		{ "one two", "Ctrl-W Left Right Ctrl-U Ctrl-Y", "one |" },                /* a movement separates kills */
		{ "one two", "Ctrl-W Left Right Ctrl-U Ctrl-Y Alt-y", "two|" },
		{ "one two", "Ctrl-W Left Right Ctrl-U Ctrl-Y Alt-y Alt-y", "one |" },
		{ "one two", "Ctrl-W Ctrl-Y Ctrl-Y", "one twotwo|" },
		{ "one two", "Ctrl-W Ctrl-Y Left Alt-y", "one tw|o" },                     /* not after a yank */
		{ "one", "Ctrl-U Ctrl-W Ctrl-Y", "one|" },                                /* killing nothing does not change the ring */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_after(false, cases[i].text, cases[i].keys, cases[i].expected);
}

static void many_kills_drop_the_oldest(void)
{
	struct edit e;

	edit_init(&e, false);
	for (char c = 'a'; c <= 'z'; c++) {
		edit_set(&e, str_of(&c, 1));
		press(&e, "End Ctrl-U");
	}
	press(&e, "Ctrl-Y");
	for (int i = 1; i < 16; i++)
		press(&e, "Alt-y");
	check_edit(&e, "k|");
	press(&e, "Alt-y");
	check_edit(&e, "z|");
	edit_fini(&e);
}

/* Typed letter by letter, unlike the words of press(). */
static void type(struct edit *e, const char *text)
{
	for (; *text; text++)
		edit_key(e, &(struct key){ .code = KEY_TEXT, .text = str_of(text, 1) });
}

static void undoes_by_words(void)
{
	struct edit e;

	edit_init(&e, false);
	type(&e, "one two  three");
	press(&e, "Ctrl-_");
	check_edit(&e, "one two  |");
	press(&e, "Ctrl-_");
	check_edit(&e, "one |");
	press(&e, "Ctrl-_ Ctrl-_ Ctrl-_");
	check_edit(&e, "|");
	press(&e, "Alt-/ Alt-_");
	check_edit(&e, "one two  |");
	press(&e, "Left Left");
	type(&e, "xy");
	press(&e, "Left");
	type(&e, "z");
	check_edit(&e, "one twoxz|y  ");
	press(&e, "Alt-_");
	check_edit(&e, "one twoxz|y  "); /* a change drops what was undone */
	press(&e, "Ctrl-_");
	check_edit(&e, "one twox|y  ");
	press(&e, "Ctrl-_");
	check_edit(&e, "one two|  ");
	edit_fini(&e);
}

static void undoes_erasing_by_direction(void)
{
	struct edit e;

	edit_init(&e, false);
	edit_set(&e, STR("abcdef"));
	press(&e, "Backspace Backspace Backspace");
	press(&e, "Home Del Del");
	check_edit(&e, "|c");
	press(&e, "Ctrl-_");
	check_edit(&e, "|abc");
	press(&e, "Ctrl-_");
	check_edit(&e, "abcdef|");
	press(&e, "Ctrl-W Ctrl-_");
	check_edit(&e, "abcdef|");
	edit_clear(&e);
	press(&e, "Ctrl-_");
	check_edit(&e, "abcdef|");
	edit_reset(&e);
	press(&e, "Ctrl-_");
	check_edit(&e, "|"); /* sent text cannot be brought back by undo */
	edit_fini(&e);
}

/* Undoing everything gives the first text; redoing everything gives the last one. */
static void undoes_and_redoes_everything(void)
{
	static const char *const keys[] = {
		"Left", "Right", "Home", "End", "Backspace", "Del", "Ctrl-W", "Ctrl-K", "Alt-d", "Ctrl-Y", "Alt-y", "Ctrl-J", "word", "a", "b", WIDE, "Space", "Ctrl-_", "Alt-_",
	};
	unsigned seed = 11;

	setlocale(LC_CTYPE, "C.UTF-8");
	for (unsigned round = 0; round < 100; round++) {
		struct edit e;
		char *last;

		edit_init(&e, false);
		type(&e, "first ");
		for (unsigned i = 0; i < 60; i++)
			press(&e, keys[check_random(&seed) % (sizeof keys / sizeof *keys)]);
		for (size_t len = SIZE_MAX; len != e.version;) {
			len = e.version;
			press(&e, "Alt-_");
		}
		last = str_dup(buf_str(&e.text));
		for (unsigned i = 0; i < 100; i++)
			press(&e, "Ctrl-_");
		CHECK(edit_is_empty(&e), "round %u", round);
		for (unsigned i = 0; i < 100; i++)
			press(&e, "Alt-_");
		CHECK_STR(buf_str(&e.text), last);
		mem_free(last);
		edit_fini(&e);
	}
}

/* --- chips --- */

static struct buf lines(unsigned count)
{
	struct buf text;

	buf_init(&text, EDIT_LIMIT);
	for (unsigned i = 0; i < count; i++)
		buf_printf(&text, "line %u\n", i);
	return text;
}

static void check_expanded(const struct edit *e, const char *before, struct str pasted, const char *behind)
{
	struct buf meant, expected;

	buf_init(&meant, EDIT_LIMIT);
	buf_init(&expected, EDIT_LIMIT);
	edit_expand(e, &meant);
	buf_add_z(&expected, before);
	buf_add(&expected, pasted);
	buf_add_z(&expected, behind);
	CU_ASSERT_TRUE(str_equal(buf_str(&meant), buf_str(&expected)));
	buf_fini(&meant);
	buf_fini(&expected);
}

static void paste(struct edit *e, struct str text)
{
	edit_key(e, &(struct key){ .code = KEY_PASTE, .text = text });
}

static void large_pastes_are_chips(void)
{
	struct buf text = lines(11);
	struct edit e;

	edit_init(&e, false);
	e.makes_chips = true;
	type(&e, "ab");
	press(&e, "Left");
	paste(&e, buf_str(&text));
	check_expanded(&e, "a", buf_str(&text), "b");
	CU_ASSERT_TRUE(e.text.len < 80);
	press(&e, "Left");
	CU_ASSERT_EQUAL(e.cursor, 1);
	press(&e, "Right Right Left");
	CU_ASSERT_EQUAL(e.cursor, e.text.len - 1);
	press(&e, "Backspace");
	check_edit(&e, "a|b");
	press(&e, "Ctrl-_");
	check_expanded(&e, "a", buf_str(&text), "b");
	press(&e, "Left Alt-d Ctrl-Y Ctrl-Y");
	CU_ASSERT_EQUAL(edit_rows(&e, 80), 1);
	press(&e, "Backspace");
	check_expanded(&e, "a", buf_str(&text), "b");
	press(&e, "Alt-e");
	CU_ASSERT_TRUE(str_equal(str_skip(str_head(buf_str(&e.text), e.cursor), 1), buf_str(&text)));
	press(&e, "Ctrl-_ Ctrl-A Alt-f");
	edit_reset(&e);
	press(&e, "Ctrl-Y"); /* killed text survives edit_reset() */
	check_expanded(&e, "", buf_str(&text), "");
	buf_fini(&text);
	edit_fini(&e);
}

static void small_pastes_are_text(void)
{
	struct buf ten = lines(10);
	struct edit e;

	edit_init(&e, false);
	e.makes_chips = true;
	paste(&e, buf_str(&ten));
	CU_ASSERT_TRUE(str_equal(buf_str(&e.text), buf_str(&ten)));
	press(&e, "Ctrl-_");
	CU_ASSERT_TRUE(edit_is_empty(&e));
	edit_fini(&e);
	edit_init(&e, false); /* without makes_chips, a large paste is no chip either */
	for (int i = 0; i < 300; i++)
		buf_add_z(&ten, "longer than that\n");
	paste(&e, buf_str(&ten));
	CU_ASSERT_TRUE(str_equal(buf_str(&e.text), buf_str(&ten)));
	edit_fini(&e);
	buf_fini(&ten);
}

static void chip_marks_from_outside_are_replaced(void)
{
	struct edit e;

	edit_init(&e, false);
	e.makes_chips = true;
	edit_set(&e, STR("\uFFF9\U000E0100[pasted 1 KB, 1 line]\uFFFBx"));
	check_edit(&e, "\uFFFD\U000E0100[pasted 1 KB, 1 line]\uFFFDx|");
	check_expanded(&e, "", buf_str(&e.text), "");
	edit_fini(&e);
}

static void pastes_beyond_the_last_chip_are_text(void)
{
	struct buf text = lines(12);
	struct edit e;

	edit_init(&e, false);
	e.makes_chips = true;
	for (unsigned i = 0; i < CHIPS_MOST; i++)
		paste(&e, buf_str(&text));
	CU_ASSERT_TRUE(e.text.len < CHIPS_MOST * 60);
	paste(&e, buf_str(&text));
	CU_ASSERT_TRUE(str_ends(buf_str(&e.text), buf_z(&text)));
	edit_reset(&e);
	paste(&e, buf_str(&text)); /* unused pastes were freed */
	CU_ASSERT_TRUE(e.text.len < 80);
	check_expanded(&e, "", buf_str(&text), "");
	buf_fini(&text);
	edit_fini(&e);
}

static void stashes(void)
{
	struct buf text = lines(20);
	struct edit e;

	edit_init(&e, false);
	e.makes_chips = true;
	type(&e, "ab");
	paste(&e, buf_str(&text));
	press(&e, "Left Left");
	edit_stash(&e, 0);
	edit_set(&e, STR("other"));
	paste(&e, buf_str(&text));
	edit_unstash(&e, 0);
	CU_ASSERT_EQUAL(e.cursor, 1);
	check_expanded(&e, "ab", buf_str(&text), "");
	edit_stash(&e, 7);
	edit_set(&e, STR("other"));
	edit_stash(&e, 3);
	edit_reset(&e);
	CU_ASSERT_TRUE(edit_has_stashed(&e, 3) && !edit_has_stashed(&e, 0));
	edit_unstash(&e, 7); /* each has its own chips */
	check_expanded(&e, "ab", buf_str(&text), "");
	edit_unstash(&e, 3);
	check_edit(&e, "other|");
	edit_stash(&e, 7);
	edit_forget_stashed(&e);
	CU_ASSERT_FALSE(edit_has_stashed(&e, 7));
	edit_unstash(&e, 7);
	check_edit(&e, "|");
	buf_fini(&text);
	edit_fini(&e);
}

/* Alt-y replaces the yanked text. After another change of the text it does nothing. */
static void another_change_ends_a_yank(void)
{
	struct edit e;

	edit_init(&e, false);
	type(&e, "one");
	press(&e, "Ctrl-W");
	type(&e, "two");
	press(&e, "Ctrl-W");
	edit_set(&e, STR("some words "));
	press(&e, "Ctrl-Y");
	edit_stash(&e, 0);
	edit_clear(&e);
	CU_ASSERT_FALSE(press(&e, "Alt-y"));
	check_edit(&e, "|");
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

/* --- origins of bytes --- */

static void give(struct edit *e, enum key_code code, const char *text, bool at_once)
{
	edit_key(e, &(struct key){ .code = code, .text = str_from(text), .at_once = at_once });
}

/* Origins as letters: t(yped), o (at once), f(oreign). */
static void check_origins(const struct edit *e, const char *expected)
{
	static const char letters[] = { [EDIT_FOREIGN] = 'f', [EDIT_AT_ONCE] = 'o', [EDIT_TYPED] = 't' };
	char seen[100] = "";

	for (size_t i = 0; i < e->text.len && i < sizeof seen - 1; i++)
		seen[i] = letters[edit_origin(e, i, i + 1)];
	CHECK(!strcmp(seen, expected), "%s: %s, not %s", buf_z(&e->text), seen, expected);
}

static void origins_are_kept(void)
{
	struct edit e;

	edit_init(&e, false);
	e.makes_chips = true;
	CU_ASSERT_EQUAL(edit_origin(&e, 0, 0), EDIT_TYPED);
	give(&e, KEY_TEXT, "ab", false);
	give(&e, KEY_TEXT, "cd", true);
	give(&e, KEY_PASTE, "ef", false);
	check_origins(&e, "ttooff");
	CU_ASSERT(edit_origin(&e, 0, 2) == EDIT_TYPED && edit_origin(&e, 0, 3) == EDIT_AT_ONCE && edit_origin(&e, 1, 5) == EDIT_FOREIGN);
	press(&e, "Home");
	give(&e, KEY_PASTE, "x", false);
	press(&e, "Right");
	give(&e, KEY_TEXT, "y", false);
	check_origins(&e, "ftttooff");
	press(&e, "Left Del Ctrl-J");
	check_origins(&e, "ftttooff");
	edit_stash(&e, 0);
	edit_set(&e, STR("other"));
	check_origins(&e, "fffff");
	edit_unstash(&e, 0);
	check_origins(&e, "ftttooff");
	edit_replace(&e, 0, 2, STR("chosen"), EDIT_TYPED);
	check_origins(&e, "ttttttttooff");
	edit_clear(&e);
	check_origins(&e, "");
	press(&e, "Ctrl-_");
	check_origins(&e, "ffffffffffff"); /* all of it came back with its least trusted origin */
	edit_reset(&e);
	give(&e, KEY_TEXT, "one", false);
	press(&e, "Ctrl-U Ctrl-Y");
	check_origins(&e, "ttt");
	press(&e, "Ctrl-_ Ctrl-_");
	check_origins(&e, "ttt");
	press(&e, "Ctrl-_ Alt-/");
	check_origins(&e, "ttt");
	give(&e, KEY_TEXT, " 2", true);
	press(&e, "Ctrl-W Ctrl-W Ctrl-Y"); /* joined kills */
	check_origins(&e, "ooooo");
	edit_fini(&e);
}

static void a_chip_is_foreign(void)
{
	struct buf text = lines(20);
	struct edit e;
	size_t at = 0;

	edit_init(&e, false);
	e.makes_chips = true;
	CHECK_STR(edit_next_chip(&e, &at), "");
	type(&e, "/");
	paste(&e, buf_str(&text));
	CU_ASSERT_EQUAL(edit_origin(&e, 0, e.text.len), EDIT_FOREIGN);
	CHECK_STR(edit_next_chip(&e, &at), buf_z(&text));
	CHECK_STR(edit_next_chip(&e, &at), "");
	press(&e, "Alt-e");
	CU_ASSERT_EQUAL(edit_origin(&e, e.text.len - 1, e.text.len), EDIT_FOREIGN);
	buf_fini(&text);
	edit_fini(&e);
}

/* Lower-case letters are typed, digits arrive at once, capitals are foreign. No operation may make any of them more trusted. */
static void check_trust(const struct edit *e, unsigned seed)
{
	for (size_t i = 0; i < e->text.len; i++) {
		char c = e->text.ptr[i];
		enum edit_origin most = c >= 'A' && c <= 'Z' ? EDIT_FOREIGN : char_is_digit(c) ? EDIT_AT_ONCE : EDIT_TYPED;

		CHECK(edit_origin(e, i, i + 1) <= most, "seed %u: %c in %s", seed, c, buf_z(&e->text));
	}
}

static void nothing_becomes_more_trusted(void)
{
	static const char *const keys[] = { "Left", "Right", "Home", "End", "Ctrl-W", "Ctrl-U", "Ctrl-K", "Ctrl-Y", "Alt-y", "Ctrl-_", "Ctrl-_",
		"Alt-/", "Alt-d", "Backspace", "Del", "Ctrl-J", "Alt-b", "Alt-e" };

	for (unsigned seed = 1; seed <= 300; seed++) {
		unsigned random = seed;
		struct edit e;

		edit_init(&e, false);
		e.makes_chips = seed % 2;
		for (int i = 0; i < 120; i++) {
			unsigned what = check_random(&random) % 24;

			if (what < sizeof keys / sizeof *keys)
				press(&e, keys[what]);
			else if (what < 20)
				give(&e, KEY_TEXT, what % 2 ? "a" : " ", false);
			else if (what == 20)
				give(&e, KEY_TEXT, "7", true);
			else if (what == 21)
				give(&e, KEY_PASTE, seed % 3 ? "PQ" : "P\nQ\nP\nQ\nP\nQ\nP\nQ\nP\nQ\nP\nQ", false);
			else if (what == 22)
				edit_stash(&e, 0);
			else
				edit_unstash(&e, 0);
			check_trust(&e, seed);
		}
		edit_fini(&e);
	}
}

static void check_drawn(const struct edit *e, unsigned rows, unsigned columns, const char *expected, unsigned row, unsigned column)
{
	struct canvas *c = canvas_new(rows, columns);
	struct buf out;

	buf_init(&out, 1 << 16);
	edit_draw(e, c, (struct area){ 0, 0, rows, columns }, ROLE_INPUT, true);
	dump_canvas(c, false, &out);
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
	check_drawn(&e, 2, 8, "1234567\n\n", 0, 7); /* trailing blanks overflow the edge, the cursor does not */
	edit_set(&e, STR(WIDE WIDE WIDE WIDE));
	check_drawn(&e, 2, 8, WIDE WIDE WIDE "\n" WIDE "\n", 1, 2);
	check_drawn(&e, 2, 1, "\n\n", 1, 0); /* no text fits, and nothing crashes */
	edit_fini(&e);
}

static void draws_chips(void)
{
	struct buf text = lines(2000);
	struct edit e;

	setlocale(LC_CTYPE, "C.UTF-8");
	edit_init(&e, false);
	e.makes_chips = true;
	while (text.len < 1 << 20)
		buf_add_z(&text, "more of this\n");
	type(&e, "a ");
	paste(&e, buf_str(&text));
	type(&e, " b");
	check_drawn(&e, 1, 60, "a [pasted 1,024 KB, 81,207 lines] b\n", 0, 35);
	check_drawn(&e, 3, 20, "a [pasted 1,024 KB,\n81,207 lines] b\n\n", 1, 15);
	press(&e, "Home Up Right"); /* up into the chip: before it */
	CU_ASSERT_EQUAL(e.cursor, 1);
	press(&e, "Right Down Down");
	check_drawn(&e, 3, 20, "a [pasted 1,024 KB,\n81,207 lines] b\n\n", 1, 13);
	buf_fini(&text);
	edit_fini(&e);
}

/* Text far below the view is not laid out, and is still drawn correctly when it is scrolled to. */
static void lays_out_only_what_is_needed(void)
{
	struct edit e, fresh;
	struct buf text;

	edit_init(&e, false);
	buf_init(&text, EDIT_LIMIT);
	for (int i = 0; i < 40000; i++)
		buf_add_z(&text, i % 7 ? "some words of a long text " : "\n");
	edit_set(&e, buf_str(&text));
	buf_fini(&text);
	e.cursor = 0;
	CU_ASSERT_EQUAL(edit_rows(&e, 40), EDIT_ROWS_COUNTED);
	CU_ASSERT_TRUE(e.parts->flow.length < 200000);
	press(&e, "Down Down Ctrl-End Up Up Up");
	type(&e, "x");
	edit_init(&fresh, false);
	edit_set(&fresh, buf_str(&e.text));
	fresh.cursor = e.cursor;
	struct canvas *a = canvas_new(5, 40), *b = canvas_new(5, 40);
	edit_draw(&e, a, (struct area){ 0, 0, 5, 40 }, ROLE_INPUT, true);
	press(&fresh, "Ctrl-End");
	edit_draw(&fresh, b, (struct area){ 0, 0, 5, 40 }, ROLE_INPUT, true);
	fresh.cursor = e.cursor;
	e.parts->top = fresh.parts->top;
	edit_draw(&e, a, (struct area){ 0, 0, 5, 40 }, ROLE_INPUT, true);
	edit_draw(&fresh, b, (struct area){ 0, 0, 5, 40 }, ROLE_INPUT, true);
	for (unsigned r = 0; r < 5; r++)
		CHECK(canvas_row_equal(a, b, r), "row %u", r);
	canvas_free(a);
	canvas_free(b);
	edit_fini(&e);
	edit_fini(&fresh);
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

static void moves_by_drawn_rows(void)
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
	check_edit(&e, "abcd|efghij"); /* after the e comes the next row */
	edit_fini(&e);
}

static void one_line_scrolls_horizontally(void)
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

/* After any keys, the editor draws the same as a new editor with the same text. */
static void draws_the_same_as_a_new_editor(void)
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

/* A text that is marked gives way to what is typed, pasted, yanked or erased; any other key takes the mark away. */
static void a_marked_text_gives_way(void)
{
	static const struct { struct key key; const char *expected; } cases[] = {
		{ { .code = KEY_TEXT, .text = { "x", 1 } }, "x|" }, { { .code = KEY_PASTE, .text = { "a b", 3 } }, "a b|" },
		{ { .code = KEY_BACKSPACE }, "|" }, { { .code = KEY_DELETE }, "|" }, { { .code = KEY_CONTROL, .letter = 'w' }, "|" },
		{ { .code = KEY_CONTROL, .letter = 'd' }, "|" }, { { .code = KEY_CONTROL, .letter = 'j' }, "\n|" },
		{ { .code = KEY_CONTROL, .letter = 'y' }, "one two|" }, { { .code = KEY_LEFT }, "one tw|o" }, { { .code = KEY_HOME }, "|one two" },
		{ { .code = KEY_CONTROL, .letter = 'e' }, "one two|" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct edit e;

		edit_init(&e, false);
		edit_set(&e, STR("one two"));
		edit_mark_all(&e);
		CU_ASSERT_TRUE(edit_is_marked(&e));
		edit_key(&e, &cases[i].key);
		check_edit(&e, cases[i].expected);
		CHECK(cases[i].key.letter == 'y' || !edit_is_marked(&e), "case %zu: the mark is gone", i);
		edit_insert(&e, STR("!"));
		CU_ASSERT_FALSE(edit_is_marked(&e));
		edit_fini(&e);
	}
}

const struct suite suite_edit = { "edit", (const struct test[]){
	TEST(edits_by_keys), TEST(a_marked_text_gives_way), TEST(does_not_use_other_keys), TEST(one_line_has_no_line_ends),
	TEST(consecutive_kills_join_and_are_yanked), TEST(many_kills_drop_the_oldest), TEST(undoes_by_words),
	TEST(undoes_erasing_by_direction), TEST(undoes_and_redoes_everything), TEST(large_pastes_are_chips),
	TEST(small_pastes_are_text), TEST(chip_marks_from_outside_are_replaced), TEST(pastes_beyond_the_last_chip_are_text),
	TEST(stashes), TEST(another_change_ends_a_yank), TEST(origins_are_kept), TEST(a_chip_is_foreign),
	TEST(nothing_becomes_more_trusted), TEST(stays_within_its_limit), TEST(draws_rows), TEST(draws_chips),
	TEST(lays_out_only_what_is_needed), TEST(scrolls_no_more_than_needed), TEST(moves_by_drawn_rows),
	TEST(one_line_scrolls_horizontally), TEST(draws_the_same_as_a_new_editor), { 0 } } };
