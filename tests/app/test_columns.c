/* Rows of fields: aligned for people, with tabs for another program, safe for a terminal. And help and messages, which break as they do. */
#include "app/system/columns.h"

#include <locale.h>

#include "app/program.h"
#include "support/check.h"
#include "support/pty.h"

static const char *const fields[] = {
	"m-1", "8 k", "x",
	"a-long-model", "", "",
	"\u4E2D\u6587", "", "y",
	"a-name-beyond-the-limit", "128 k", "z",
};

static void write_columns(struct buf *out, bool for_people)
{
	struct columns c = { .count = 3, .most = 12 };

	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		columns_add(&c, str_from(fields[i]));
	columns_write(&c, for_people, out);
	columns_fini(&c);
}

static void columns_are_aligned_for_people(void)
{
	struct buf out = { 0 };

	write_columns(&out, true);
	CHECK(str_is(buf_str(&out), "m-1           8 k    x\n"
	                            "a-long-model\n"
	                            "\u4E2D\u6587                 y\n"
	                            "a-name-beyond-the-limit  128 k  z\n"), "%s", buf_z(&out));
	buf_fini(&out);
}

static void another_program_gets_every_field(void)
{
	struct buf out = { 0 };

	write_columns(&out, false);
	CHECK(str_is(buf_str(&out), "m-1\t8 k\tx\na-long-model\t\t\n\u4E2D\u6587\t\ty\na-name-beyond-the-limit\t128 k\tz\n"), "%s", buf_z(&out));
	buf_fini(&out);
}

static void fields_cannot_break_a_row(void)
{
	struct columns c = { .count = 2 };
	struct buf out = { 0 };

	setlocale(LC_CTYPE, "C.UTF-8");
	columns_add(&c, str_of("a\0b\tc\n", 6));
	columns_add(&c, STR("\x1B[31m"));
	columns_write(&c, false, &out);
	CHECK(str_is(buf_str(&out), "a\u2400b\u2409c\u240A\t\u241B[31m\n"), "%s", buf_z(&out));
	columns_fini(&c);
	buf_fini(&out);
}

static void the_last_field_goes_on_below_itself(void)
{
	struct columns c = { .count = 2, .width = 36, .wraps = true };
	struct buf out = { 0 };

	columns_add(&c, STR("a-name"));
	columns_add(&c, STR("words that need three lines behind a name"));
	columns_add(&c, STR("another-name-of-23-cells"));
	columns_add(&c, STR("words without room"));
	columns_write(&c, true, &out);
	CHECK_STR(buf_str(&out), "a-name                    words that\n        need three lines behind a\n        name\n"
	                         "another-name-of-23-cells  words\n        without room\n");
	buf_clear(&out);
	c.width = 50;
	columns_write(&c, true, &out);
	CHECK_STR(buf_str(&out), "a-name                    words that need three\n                          lines behind a name\n"
	                         "another-name-of-23-cells  words without room\n");
	buf_clear(&out);
	c.width = 0;
	columns_write(&c, true, &out);
	CHECK_STR(buf_str(&out), "a-name                    words that need three lines behind a name\nanother-name-of-23-cells  words without room\n");
	columns_fini(&c);
	buf_fini(&out);
}

static void help_breaks_no_word_on_a_terminal(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .arguments = ARGS("serve", "--help"), .rows = 60, .columns = 72 });

	PTY_ENDS(p, 0);
	CU_ASSERT(pty_shows(p, "--choose WORD         which of several files answers: the next in"));
	CU_ASSERT(pty_shows(p, "                            turn (the default), or the next recorded"));
	pty_free(p);
}

static void messages_break_no_word_on_a_terminal(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .arguments = ARGS("ask", "hi"), .columns = 60 });

	PTY_ENDS(p, 2);
	CU_ASSERT(pty_shows(p, "weir: no provider is chosen: set one up in `weir` with F4,"));
	CU_ASSERT(pty_shows(p, "      name one with -p (`weir providers` lists them), or set"));
	pty_free(p);
}

const struct suite suite_columns = { "columns", (const struct test[]){
	TEST(columns_are_aligned_for_people),
	TEST(another_program_gets_every_field),
	TEST(fields_cannot_break_a_row),
	TEST(the_last_field_goes_on_below_itself),
	TEST(help_breaks_no_word_on_a_terminal),
	TEST(messages_break_no_word_on_a_terminal),
	{ 0 },
} };
