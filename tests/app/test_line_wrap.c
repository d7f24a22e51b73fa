/* Lines end at words where a terminal would break them, and nothing that was written moves. */
#include "app/system/line_wrap.h"

#include <locale.h>

#include "support/check.h"
#include "support/pty.h"

/* The pieces in turn, on a line of that many columns. */
static void check_wrap(unsigned columns, const char *const *pieces, const char *wanted, int line)
{
	struct line_wrap wrap;
	struct buf out = { 0 };

	setlocale(LC_CTYPE, "C.UTF-8");
	line_wrap_init(&wrap);
	for (; *pieces; pieces++)
		line_wrap_add(&wrap, str_from(*pieces), columns, &out);
	CHECK(str_is(buf_str(&out), wanted), "line %d: [%s]", line, buf_z(&out));
	line_wrap_fini(&wrap);
	buf_fini(&out);
}
#define WRAPS(columns, wanted, ...) check_wrap(columns, LIST(__VA_ARGS__), wanted, __LINE__)

static void lines_end_at_words(void)
{
	WRAPS(20, "one two", "one two");
	WRAPS(8, "one two\nthree\nfour", "one two three four");
	WRAPS(7, "one two\nthree\nfour", "one two three four"); /* the blank hangs over the edge */
	WRAPS(8, "one two\n\nthree\nfour\n", "one two\n\nthree four\n");
	WRAPS(8, "a b\n  c d e\nf", "a b\n  c d e f"); /* as indented as it was */
	WRAPS(10, "中文中文\n词语,漢字", "中文中文 词语,漢字");
}

/* The terminal breaks a word that is longer than a line: no LF is in what is copied. */
static void long_words_stay_whole(void)
{
	WRAPS(8, "see\nhttps://a.example/some-path and", "see https://a.example/some-path and");
	WRAPS(8, "12345678abcd", "12345678abcd");
	WRAPS(12, "use\n--no-history", "use --no-history"); /* and none is broken at its hyphens */
	WRAPS(6, "漢字漢字漢", "漢字漢字漢");
	WRAPS(6, "漢字\n漢」字", "漢字漢」字"); /* but no line begins with a closing bracket */
}

static void pieces_are_as_the_whole(void)
{
	WRAPS(10, "You: one \ntwo", "You: ", "one ", "two");
	WRAPS(8, "one two \nthree", "one two ", "three"); /* that the blank hangs was not known yet */
	WRAPS(7, "one two\nthree", "one two ", "three");
	WRAPS(7, "one two\nthree", "one two", " three");
	WRAPS(7, "one two\n\nthree", "one two ", "\n", "\nthree");
	WRAPS(8, "abcdefgh\ni", "abcdefgh", " i");
	WRAPS(6, "漢字漢」字", "漢字漢", "」字"); /* what is written stays, even where the whole would break before it */
	WRAPS(6, "ae\u0301o u\na", "ae", "\u0301o u", " a"); /* a mark belongs to the letter that was written */
}

/* A line that has another width from here on. */
static void another_width_moves_nothing(void)
{
	struct line_wrap wrap;
	struct buf out = { 0 };

	setlocale(LC_CTYPE, "C.UTF-8");
	line_wrap_init(&wrap);
	line_wrap_add(&wrap, STR("one two three "), 20, &out);
	line_wrap_add(&wrap, STR("four five "), 9, &out);
	line_wrap_add(&wrap, STR("six"), 30, &out);
	CHECK_STR(buf_str(&out), "one two three \nfour five six");
	line_wrap_begin(&wrap);
	buf_clear(&out);
	line_wrap_add(&wrap, STR("one two"), 0, &out); /* no terminal is so narrow */
	CHECK_STR(buf_str(&out), "one\ntwo");
	line_wrap_fini(&wrap);
	buf_fini(&out);
}

const struct suite suite_line_wrap = { "line_wrap", (const struct test[]){
	TEST(lines_end_at_words), TEST(long_words_stay_whole), TEST(pieces_are_as_the_whole), TEST(another_width_moves_nothing), { 0 } } };
