/* vi's keys: text before, keys, text after, with '|' at the cursor in the command state, '!' in the insert state. */
#include <locale.h>
#include <string.h>

#include "base/mem.h"
#include "support/check.h"
#include "ui/edit/edit.h"

#define WIDE "\xE4\xB8\xAD"
#define CHIP_LINES "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12"

/* Letters, and names of keys between < and >. */
static bool press_vi(struct edit *e, const char *keys)
{
	struct str rest = str_from(keys), word;
	bool mine = true;

	while (rest.len) {
		size_t end = str_find(rest, STR(">"));
		struct key key = { .code = KEY_TEXT, .text = str_head(rest, utf8_cluster(rest)) };

		if (*rest.ptr == '<' && end < rest.len && key_from_name((word = str_skip(str_head(rest, end), 1)), &key)) {
			rest = str_skip(rest, end + 1);
			mine = key.code == KEY_ESCAPE ? edit_escape(e) : edit_key(e, &key);
		} else {
			rest = str_skip(rest, key.text.len);
			mine = edit_key(e, &key);
		}
	}
	return mine;
}

static void begin_vi(struct edit *e, const char *text)
{
	struct buf plain = { 0 };
	size_t at = strcspn(text, "|");

	buf_add(&plain, str_of(text, at));
	buf_add(&plain, str_skip(str_from(text), at + 1));
	edit_init(e, false);
	edit_use_vi(e, true);
	CU_ASSERT(edit_escape(e));
	edit_set(e, buf_str(&plain));
	e->cursor = at;
	buf_fini(&plain);
}

static const struct vi_case {
	const char *before, *keys, *after;
} vi_cases[] = {
	/* motions */
	{ "one| two", "h", "on|e two" }, { "|one", "h", "|one" }, { "on|e", "l", "on|e" }, { "|one two", "3l", "one| two" },
	{ "|one two", "99l", "one tw|o" }, { "one\n|two", "h", "one\n|two" }, { "on|e", "<Backspace>", "o|ne" }, { "|one", " ", "o|ne" },
	{ "|one two", "w", "one |two" }, { "|one,two", "w", "one|,two" }, { "|one,two x", "W", "one,two |x" }, { "|a_b c", "w", "a_b |c" },
	{ "one |two", "w", "one tw|o" }, { "|one\n two", "w", "one\n |two" }, { "|a b c d", "3w", "a b c |d" },
	{ "one, tw|o", "b", "one, |two" }, { "one,|two", "2b", "|one,two" }, { "a one,tw|o", "B", "a |one,two" }, { "|one", "b", "|one" },
	{ "|one two", "e", "on|e two" }, { "on|e two", "e", "one tw|o" }, { "|one,x y", "2E", "one,x |y" }, { "|one,x y", "E", "one,|x y" },
	{ "  on|e", "0", "|  one" }, { "  on|e", "^", "  |one" }, { "|one\ntwo", "$", "on|e\ntwo" }, { "|one two", "5|", "one |two" },
	{ "|a.b.c", "f.", "a|.b.c" }, { "|a.b.c", "2f.", "a.b|.c" }, { "|a.b.c", "t.", "|a.b.c" }, { "|abc.d", "t.", "ab|c.d" },
	{ "a.b.|c", "F.", "a.b|.c" }, { "a.bb|c", "T.", "a.|bbc" }, { "|a.b.c", "f.;", "a.b|.c" }, { "|a.b.c", "f.;,", "a|.b.c" },
	{ "|abc.de.f", "t.;", "abc.d|e.f" }, { "|abc", "fx", "|abc" }, { "|ab\nx", "fx", "|ab\nx" }, { "|a" WIDE "b", "f" WIDE, "a|" WIDE "b" },
	{ "f|(a(b)c)", "%", "f(a(b)c|)" }, { "f(a(b)c|)", "%", "f|(a(b)c)" }, { "|f[x]", "%", "f[x|]" }, { "|(a", "%", "|(a" },
	{ "|one\ntwo", "j", "one\n|two" }, { "one\n|two", "k", "|one\ntwo" }, { "|a\nb\nc", "2j", "a\nb\n|c" },
	{ "|a\nb\n c", "G", "a\nb\n |c" }, { "a\nb\n|c", "gg", "|a\nb\nc" }, { "|a\nb\nc", "2G", "a\n|b\nc" }, { "|ab", "gx", "|ab" },
	{ "|one two", "<End>", "one tw|o" }, { "|one two", "<Ctrl-E>", "one tw|o" },
	/* operators */
	{ "|one two", "dw", "|two" }, { "one |two", "dw", "one| " }, { "|one\ntwo", "dw", "|\ntwo" }, { "|a b c d", "2d2w", "|" },
	{ "|a b c d e", "d3w", "|d e" }, { "one tw|o", "db", "one |o" }, { "|one two", "de", "| two" }, { "on|e two", "d$", "o|n" },
	{ "one |two", "d0", "|two" }, { "one |two three", "dft", "one |hree" }, { "|a.b", "dt.", "|.b" }, { "a.b|c", "dF.", "a|c" },
	{ "f|(a)b", "d%", "f|b" }, { "f(a|)b", "d%", "f|b" }, { "|one", "dh", "|one" }, { "on|e", "dl", "o|n" },
	{ "a\n|b\nc", "dd", "a\n|c" }, { "a\n|b", "dd", "|a" }, { "|a", "dd", "|" }, { "|a\nb\nc", "2dd", "|c" }, { "|a\nb\nc", "9dd", "|" },
	{ "|a\nb\nc", "dj", "|c" }, { "a\nb\n|c", "dk", "|a" }, { "a\n|b\nc", "dG", "|a" }, { "a\n|b\nc", "dgg", "|c" }, { "|a", "dj", "|a" },
	{ "|one two", "cwx", "x! two" }, { "one| two", "cwx", "onex!two" }, { "|one two", "ccx", "x!" },
	{ "a\n|b\nc", "ccx", "a\nx!\nc" }, { "o|ne", "Cx", "ox!" }, { "|one", "Sx", "x!" }, { "|one", "sx", "x!ne" },
	{ "|", "clx", "x!" }, { "|one", "c", "|one" }, { "|one", "dzx", "|ne" }, { "|one", "d<Esc>x", "|ne" }, { "o|ne", "D", "|o" },
	{ "|one", "x", "|ne" }, { "|one", "2x", "|e" }, { "on|e", "X", "o|e" }, { "on|e", "9X", "|e" }, { "|\none", "x", "|\none" },
	/* text objects: words */
	{ "one t|wo three", "diw", "one | three" }, { "one t|wo three", "daw", "one |three" }, { "one t|wo", "daw", "on|e" }, { "|one", "diw", "|" },
	{ "one | two", "diw", "one|two" }, { "one|  two x", "daw", "one| x" }, { "a,b|b,c", "diw", "a,|,c" }, { "a b,|c d", "diW", "a | d" },
	{ "a b,|c d", "daW", "a |d" }, { "|a b c d", "d3iw", "| c d" }, { "|a b c d", "2daw", "|c d" }, { "|a b", "9diw", "|" }, { "x\n|a\ny", "daw", "x\n|\ny" },
	{ "one t|wo three", "ciwx", "one x! three" }, { "a\n|\nb", "ciwx", "a\nx!\nb" }, { "one t|wo", "yiwP", "one tw|otwo" }, { "|a_b c", "diw", "| c" },
	{ "|a b", "ciwx<Esc>w.", "x |x" }, { "|" WIDE "b c", "daw", "|b c" },
	/* quotes */
	{ "say \"o|ne\" x", "ci\"y", "say \"y!\" x" }, { "say \"o|ne\" x", "da\"", "say |x" }, { "say \"o|ne\"", "da\"", "sa|y" },
	{ "|say 'one'", "di'", "say '|'" }, { "`a` |b `c`", "di`", "`a` b `|`" }, { "\"a\" |b", "di\"", "\"a\" |b" }, { "\"|a", "di\"", "\"|a" },
	{ "\"a\\\"|b\" c", "di\"", "\"|\" c" }, { "\"|\"", "ci\"x", "\"x!\"" }, { "\"|a\nb\"", "di\"", "\"|a\nb\"" },
	/* brackets */
	{ "f(a, |b)", "ci(x", "f(x!)" }, { "f(a, |b) c", "da)", "f| c" }, { "f|(a(b)c)", "dib", "f(|)" }, { "f(a(b)|c)", "di(", "f(|)" },
	{ "f(a(|b)c)", "2di(", "f(|)" }, { "f(a(b|)c)", "dab", "f(a|c)" }, { "[|a]", "di]", "[|]" }, { "x{\n a|b\n }", "yi{P", "x{\n |ab\n ab\n }" },
	{ "x{\n|a\n}", "diB", "x{\n|}" }, { "x{\n|a\n}", "ciBb", "x{\nb!\n}" }, { "{|\n}", "di{", "{|}" }, { "{a\n|b\n}", "di{", "{|}" }, { "<|a>", "ca<x", "x!" }, { "|a (b)", "di(", "|a (b)" }, { "(|a", "di(", "(|a" }, { "(|a)", "diz", "(|a)" },
	{ "(|a)", "3di(", "(|a)" }, { "(|" WIDE ")", "di(", "(|)" },
	/* killed text */
	{ "|one two", "dwp", "tone| wo" }, { "|one two", "dwP", "one| two" }, { "|one", "ywP", "on|eone" }, { "|a b", "yw2P", "a a| a b" },
	{ "|a\nb", "yyp", "a\n|a\nb" }, { "a\n|b", "yyP", "a\n|b\nb" }, { "|a\nb", "yyjp", "a\nb\n|a" }, { "|a\nb", "ddp", "b\n|a" },
	{ "|one two", "Y$p", "one twoone tw|o" }, { "one tw|o", "y0P", "one t|wone two" }, { "|abc", "xp", "b|ac" },
	/* inserting */
	{ "|one", "ix", "x!one" }, { "|one", "ix<Esc>", "|xone" }, { "  on|e", "Ix<Esc>", "  |xone" }, { "|one", "ax<Esc>", "o|xne" },
	{ "|one", "Ax<Esc>", "one|x" }, { "|a\nb", "ox<Esc>", "a\n|x\nb" }, { "a\n|b", "Ox<Esc>", "a\n|x\nb" }, { "|", "ax<Esc>", "|x" },
	{ "|one", "3ix<Esc>", "xx|xone" }, { "|one", "Rxy<Esc>", "x|ye" }, { "on|e", "Rxy<Esc>", "onx|y" }, { "|one", "rx", "|xne" },
	{ "|one", "2rx", "x|xe" }, { "|one", "4rx", "|one" }, { "|" WIDE "b", "rx", "|xb" }, { "|oNe", "3~", "On|E" }, { "|\u00e9x", "~", "\u00c9|x" },
	/* undoing, and once more */
	{ "|one two", "dwu", "|one two" }, { "|one two", "cwxy z<Esc>u", "|one two" }, { "|one two", "xxu", "|ne two" }, { "|one", "xx2u", "|one" },
	{ "|one two", "cwx<Esc>u<Alt-_>", "x| two" }, { "|one", "3ix<Esc>u", "|one" }, { "|one", "ix<Esc>xuu", "|one" },
	{ "|abcd", "x.", "|cd" }, { "|abcdef", "2x.", "|ef" }, { "|abcdef", "x3.", "|ef" }, { "|a b c", "dw..", "|" },
	{ "|one two", "cwx<Esc>w.", "x |x" }, { "|a\nb", "Ax<Esc>j.", "ax\nb|x" }, { "|a", "ox<Esc>.", "a\nx\n|x" }, { "|a b", "rxw.", "x |x" },
	{ "|abcd", "Rxy<Esc>l.", "xyx|y" }, { "|a", "2ix<Esc>.", "xx|xxa" }, { "|abcd", "xu.", "|bcd" }, { "|ab", "~.", "A|B" },
	{ "|one", "ix<Left>y<Esc>l.", "|yxone" }, { "|c", "iab<Esc>2.", "aaba|bbc" }, { "|a b c d e f", "2dw3.", "|f" },
	{ "|a", "ob<Esc>2.", "a\nb\nb\n|b" }, { "|a", "3Ob<Esc>", "b\nb\n|b\na" },
	/* what is marked, and keys that are not letters */
	{ "|one two", "<Shift-Right><Shift-Right>d", "|e two" }, { "|one two", "<Shift-Right>sx", "x!ne two" },
	{ "|one two", "<Shift-Right><Shift-Right>y$p", "one twoo|n" }, { "|one", "<Del>", "|ne" }, { "o|ne", "<Ctrl-K>", "|o" },
	{ "|one", "2<Right>x", "o|e" },
};

static void commands_motions_and_operators(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof vi_cases / sizeof *vi_cases; i++) {
		const struct vi_case *c = &vi_cases[i];
		struct edit e;
		struct buf shown = { 0 };

		begin_vi(&e, c->before);
		press_vi(&e, c->keys);
		buf_add(&shown, str_head(buf_str(&e.text), e.cursor));
		buf_add_z(&shown, edit_takes_commands(&e) ? "|" : "!");
		buf_add(&shown, str_skip(buf_str(&e.text), e.cursor));
		CHECK(str_is(buf_str(&shown), c->after), "\"%s\" %s: \"%s\", not \"%s\"", c->before, c->keys, buf_z(&shown), c->after);
		buf_fini(&shown);
		edit_fini(&e);
	}
}

static void wishes_are_told(void)
{
	static const struct { const char *keys; enum edit_wish wish; unsigned times; } cases[] = {
		{ "k", EDIT_OLDER, 1 }, { "3k", EDIT_OLDER, 3 }, { "-", EDIT_OLDER, 1 }, { "jj", EDIT_NEWER, 1 }, { "+2j", EDIT_NEWER, 2 },
		{ "<Up>", EDIT_OLDER, 1 }, { "i<Down><Down>", EDIT_NEWER, 1 }, { "/", EDIT_SEARCH, 1 }, { "?", EDIT_SEARCH, 1 },
		{ "n", EDIT_FIND_OLDER, 1 }, { "N", EDIT_FIND_NEWER, 1 }, { "v", EDIT_OUTSIDE, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unsigned times;
		struct edit e;

		begin_vi(&e, "|a\nb");
		CHECK(!press_vi(&e, cases[i].keys), "%s", cases[i].keys);
		CHECK(edit_wish(&e, &times) == cases[i].wish && times == cases[i].times, "%s", cases[i].keys);
		CU_ASSERT_EQUAL(e.text.len, 3);
		edit_fini(&e);
	}
}

static void the_state_begins_again(void)
{
	struct edit e;

	begin_vi(&e, "|one");
	CU_ASSERT_FALSE(edit_escape(&e));
	press_vi(&e, "2d");
	CU_ASSERT(edit_escape(&e)); /* it drops the unfinished command */
	press_vi(&e, "x");
	CU_ASSERT(str_is(buf_str(&e.text), "ne"));
	edit_clear(&e);
	CU_ASSERT_FALSE(edit_takes_commands(&e));
	press_vi(&e, "two<Esc>");
	CU_ASSERT(edit_takes_commands(&e));
	edit_reset(&e);
	press_vi(&e, "x<Esc>");
	edit_use_vi(&e, false);
	CU_ASSERT_FALSE(edit_takes_commands(&e));
	CU_ASSERT_FALSE(edit_escape(&e));
	press_vi(&e, "dd");
	CHECK_STR(buf_str(&e.text), "ddx");
	edit_fini(&e);
}

/* What `.` writes has the origin that the text had, and its chips stand for something. */
static void a_chip_is_a_character(void)
{
	struct edit e;
	struct buf text = { 0 };

	begin_vi(&e, "|ab");
	e.makes_chips = true;
	press_vi(&e, "i");
	edit_paste(&e, STR(CHIP_LINES));
	press_vi(&e, "<Esc>");
	edit_reset(&e);
	press_vi(&e, "<Esc>.");
	CU_ASSERT_EQUAL(edit_origin(&e, 0, e.text.len), EDIT_FOREIGN);
	edit_expand(&e, &text);
	CHECK_STR(buf_str(&text), CHIP_LINES);
	press_vi(&e, "~");
	buf_clear(&text);
	edit_expand(&e, &text);
	CHECK_STR(buf_str(&text), CHIP_LINES);
	press_vi(&e, "x");
	CU_ASSERT(edit_is_empty(&e));
	buf_fini(&text);
	edit_fini(&e);
}

/* Any keys: the text stays valid, the cursor between its characters, and all of it is undone and redone. */
static void any_keys_can_be_undone(void)
{
	static const char *const keys[] = {
		"h", "l", "w", "b", "e", "W", "B", "E", "0", "$", "f", "T", "\"", ";", ",", "%", "j", "k", "G", "g", "d", "c", "y", "x", "X", "s", "S", "D", "C", "Y",
		"i", "I", "a", "A", "o", "O", "R", "r", "~", "p", "P", ".", "2", "3", "(", ")", WIDE, "<Esc>", "<Esc>", "<Left>", "<Ctrl-W>", "<Ctrl-Y>",
		"<Backspace>",
	};
	unsigned seed = 5;

	for (unsigned round = 0; round < 300; round++) {
		struct edit e;

		begin_vi(&e, "|(a" WIDE "b) c_d,\n\n  e f");
		for (unsigned i = 0; i < 40; i++) {
			press_vi(&e, keys[check_random(&seed) % (sizeof keys / sizeof *keys)]);
			size_t bad, from = utf8_cluster_before(buf_str(&e.text), e.cursor);
			CU_ASSERT_EQUAL_FATAL(utf8_valid_length(buf_str(&e.text), &bad), e.text.len);
			CU_ASSERT_FATAL(e.cursor <= e.text.len && (!e.cursor || from + utf8_cluster(str_skip(buf_str(&e.text), from)) == e.cursor));
			CU_ASSERT_FATAL(e.text.len < 1 << 16);
		}
		press_vi(&e, "<Esc><Esc><Esc>");
		char *last = str_dup(buf_str(&e.text));
		press_vi(&e, "200u");
		CU_ASSERT(edit_is_empty(&e)); /* as it was before the first text was set */
		for (unsigned i = 0; i < 200; i++)
			press_vi(&e, "<Alt-_>");
		CHECK_STR(buf_str(&e.text), last);
		mem_free(last);
		edit_fini(&e);
	}
}

const struct suite suite_edit_vi = { "edit_vi", (const struct test[]){
	TEST(commands_motions_and_operators), TEST(wishes_are_told), TEST(the_state_begins_again), TEST(a_chip_is_a_character),
	TEST(any_keys_can_be_undone), { 0 } } };
