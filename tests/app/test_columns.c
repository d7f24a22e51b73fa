/* Rows of fields: aligned for people, with tabs for another program, safe for a terminal. */
#include "app/system/columns.h"

#include <locale.h>

#include "support/check.h"

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

const struct suite suite_columns = { "columns", (const struct test[]){
	TEST(columns_are_aligned_for_people),
	TEST(another_program_gets_every_field),
	TEST(fields_cannot_break_a_row),
	{ 0 },
} };
