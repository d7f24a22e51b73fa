/*
 * Every key of the editor, in the input of the full screen. The test takes the keys from the editor itself and fails for a key without
 * a row here.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "stage.h"
#include "support/check.h"
#include "typing.h"
#include "ui/edit/edit.h"

/*
 * Typed keys, by name, and words (Ctrl-Home and Ctrl-End belong to the transcript); and the resulting input, with | for the cursor and
 * / between its lines.
 */
static const struct edit_case { const char *key, *typed, *shows; } cases[] = {
	{ "Left", "abc Left Left", "a|bc" },                        { "Right", "abc Home Right", "a|bc" },
	{ "Home", "abc Ctrl-J def Home x", "abc/x|def" },           { "End", "abc Home End x", "abcx|" },
	{ "Ctrl-A", "abc Ctrl-A x", "x|abc" },                      { "Ctrl-E", "abc Ctrl-A Ctrl-E x", "abcx|" },
	{ "Ctrl-B", "abc Ctrl-B x", "abx|c" },                      { "Ctrl-D", "abc Home Ctrl-D", "|bc" },
	{ "Ctrl-H", "abc Ctrl-H", "ab|" },                          { "Backspace", "a\u00e4\u6771 Backspace Backspace", "a|" },
	{ "Del", "\u6771bc Home Del", "|bc" },                      { "Ctrl-K", "abc Home Right Ctrl-K", "a|" },
	{ "Ctrl-U", "abc Left Ctrl-U", "|c" },                      { "Ctrl-W", "one. Space two.b Ctrl-W x", "one. x|" },
	{ "Ctrl-Y", "abc Ctrl-U x Ctrl-Y", "xabc|" },               { "Ctrl-J", "a Ctrl-J b", "a/b|" },
	{ "Ctrl-_", "ab Ctrl-H Ctrl-_", "ab|" },                   { "Ctrl-/", "abc Ctrl-W Ctrl-/", "abc|" },
	{ "Ctrl-X", "abc Ctrl-W Ctrl-X Ctrl-U", "abc|" },
	{ "Alt-/", "abc Ctrl-_ Alt-/", "abc|" },                    { "Alt-_", "one Ctrl-W Ctrl-_ Alt-_", "|" },
	{ "Alt-b", "one Space two.b Alt-b x", "one two.x|b" },      { "Alt-f", "one.two Home Alt-f x", "onex|.two" },
	{ "Alt-d", "one Space two Home Alt-d", "| two" },           { "Alt-Backspace", "one.two Alt-Backspace", "one.|" },
	{ "Alt-y", "a Ctrl-W b Ctrl-A Ctrl-K Ctrl-Y Alt-y", "a|" }, { "Alt-e", "\x1B[200~1\r2\r3\r4\r5\r6\r7\r8\r9\r10\r11\x1B[201~ Alt-e x", "9/10/11x|" },
	{ "Alt-Enter", "a Alt-Enter b", "a/b|" },                   { "Shift-Enter", "a Shift-Enter b", "a/b|" },
	{ "Ctrl-Enter", "a Ctrl-Enter b", "a/b|" },                 { "Up", "one Ctrl-J two Up x", "onex|/two" },
	{ "Down", "one Ctrl-J two Up Down x", "one/twox|" },        { "Ctrl-Left", "one Space two Ctrl-Left x", "one x|two" },
	{ "Ctrl-Right", "one.two Home Ctrl-Right x", "onex|.two" }, { "Alt-Left", "one Space two Alt-Left x", "one x|two" },
	{ "Alt-Right", "one.two Home Alt-Right x", "onex|.two" },   { "Ctrl-Backspace", "one.two Ctrl-Backspace", "one.|" },
	{ "Ctrl-Del", "one.two Home Ctrl-Del", "|.two" },           { "Alt-Del", "one.two Home Alt-Del", "|.two" },
	{ "Alt-Home", "a Ctrl-J b Alt-Home x", "x|a/b" },           { "Alt-End", "a Ctrl-J b Up Alt-End x", "a/bx|" },
	{ "Ctrl-Home", "a Ctrl-J b Ctrl-Home x", "a/bx|" },         { "Ctrl-End", "a Ctrl-J b Up Ctrl-End x", "ax|/b" },
	{ "Shift-Left", "abc Shift-Left Shift-Left x", "ax|" },     { "Shift-Right", "abc Home Shift-Right x", "x|bc" },
	{ "Shift-Home", "abc Left Shift-Home x", "x|c" },           { "Shift-End", "abc Home Right Shift-End x", "ax|" },
	{ "Shift-Up", "ab Ctrl-J cd Left Shift-Up x", "ax|d" },     { "Shift-Down", "ab Ctrl-J cd Up Left Shift-Down x", "ax|d" },
	{ "Shift-Backspace", "abc Shift-Backspace", "ab|" },        { "Shift-Del", "abc Home Shift-Del", "|bc" },
};

/* Whether a row of the input matches a line of `shows`. */
static bool line_stands(struct pty *p, unsigned row, struct str line)
{
	size_t cursor = str_find(line, STR("|"));
	const char *seen = pty_row(p, row);
	struct str text = str_from(strlen(seen) > 3 ? seen + 3 : "");

	if (cursor == line.len)
		return str_equal(text, line);
	return pty_cursor_row(p) == row && pty_cursor_column(p) == 3 + cursor && str_equal(str_head(text, cursor), str_head(line, cursor)) &&
	       str_equal(str_skip(text, cursor), str_skip(line, cursor + 1));
}

static bool stands(struct pty *p, const void *shows)
{
	struct str rest = str_from(shows), line;
	unsigned lines = 1;

	for (const char *at = shows; *at; at++)
		lines += *at == '/';
	for (unsigned row = pty_rows(p) - 1 - lines; str_split(&rest, '/', &line); row++)
		if (!line_stands(p, row, line))
			return false;
	return true;
}

static void keys_edit_the_input(void)
{
	char bytes[TYPING_BYTES];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stage s;

		stage_open(&s, NULL);
		for (struct str rest = str_from(cases[i].typed), name; str_split(&rest, ' ', &name);) {
			char *key = str_dup(name);

			pty_press(s.pty, typing(key, bytes));
			mem_free(key);
		}
		pty_wait(s.pty, stands, cases[i].shows, cases[i].typed, __FILE__, __LINE__);
		stage_drop(&s);
	}
}

/* --- the keys of the editor --- */

static void press(struct edit *e, const char *name)
{
	struct key key;

	if (key_from_name(str_from(name), &key))
		edit_key(e, &key);
}

/* States: in the middle of a text; after a yank with an earlier cut; after a chip. */
static void prepare(struct edit *e, unsigned state)
{
	static const char *const pressed[][6] = {
		{ "Up", "Home", "Right" }, { "Ctrl-W", "Up", "Ctrl-W", "Ctrl-Y" }, { "End" },
	};

	edit_init(e, false);
	e->makes_chips = true;
	edit_set(e, STR("one two\nthree four\nfive six"));
	if (state == 2)
		edit_paste(e, STR("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11"));
	for (size_t i = 0; pressed[state][i]; i++)
		press(e, pressed[state][i]);
}

static bool is_editors(const struct key *key)
{
	bool mine = false;

	for (unsigned state = 0; state < 3; state++) {
		struct edit e;

		prepare(&e, state);
		mine |= edit_key(&e, key);
		edit_fini(&e);
	}
	return mine;
}

static bool is_in_a_case(const struct key *key)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct key other;

		if (key_from_name(str_from(cases[i].key), &other) && key_equal(key, &other) && strstr(cases[i].typed, cases[i].key))
			return true;
	}
	return false;
}

static unsigned check_name(const char *name)
{
	struct key key;

	if (!key_from_name(str_from(name), &key) || key.code == KEY_TEXT || !is_editors(&key))
		return 0;
	CHECK(is_in_a_case(&key), "the editor takes %s, and no case types it", name);
	return 1;
}

static void no_key_of_the_editor_is_left_out(void)
{
	static const char *const specials[] = {
		"Enter", "Tab", "Esc", "Backspace", "Del", "Ins", "Up", "Down", "Left", "Right", "Home", "End", "PgUp", "PgDn", "F1", "F6",
	};
	static const char *const held[] = { "", "Shift-", "Alt-", "Ctrl-" };
	char name[32];
	unsigned found = 0;

	for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
		for (size_t k = 0; k < sizeof held / sizeof *held; k++) {
			snprintf(name, sizeof name, "%s%s", held[k], specials[i]);
			found += check_name(name);
		}
	for (char c = '!'; c < 0x7F; c++)
		for (size_t k = 2; k < sizeof held / sizeof *held; k++) {
			snprintf(name, sizeof name, "%s%c", held[k], c);
			found += (c < 'A' || c > 'Z' || k == 2) && check_name(name);
		}
	CHECK(found == sizeof cases / sizeof *cases, "%u keys, %zu cases", found, sizeof cases / sizeof *cases);
}

const struct suite suite_screen_edit = { "screen_edit", (const struct test[]){
	TEST(keys_edit_the_input),
	TEST(no_key_of_the_editor_is_left_out),
	{ 0 },
} };
