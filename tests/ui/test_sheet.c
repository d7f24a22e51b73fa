#include "ui/sheet.h"

#include <locale.h>

#include "support/check.h"
#include "ui/dump.h"

/* Draws the sheet and frees it. */
static void check_drawn(struct sheet *sheet, unsigned columns, const char *words, bool seen)
{
	struct canvas *c = canvas_new(14, columns);
	struct buf out = { 0 };

	setlocale(LC_CTYPE, "C.UTF-8");
	sheet_draw(sheet, c);
	dump_canvas(c, false, &out);
	CHECK((str_find(buf_str(&out), str_from(words)) < out.len) == seen, "%u: %s\n%s", columns, words, buf_z(&out));
	buf_fini(&out);
	canvas_free(c);
	sheet_free(sheet);
}

static void check_drawing(unsigned columns, const char *words, bool seen)
{
	struct sheet *sheet = sheet_new(STR("Details"), "Esc back", NULL);

	sheet_add_text(sheet, STR("text that wraps where the sheet is narrow"));
	sheet_add_drawing(sheet, STR("Rate"), STR("40 |        ####\n   |    ########\n 0 +------------"));
	sheet_add_text(sheet, STR("behind it"));
	check_drawn(sheet, columns, words, seen);
}

static void a_drawing_is_whole_or_left_out(void)
{
	check_drawing(60, "40 |        ####", true);
	check_drawing(60, "    |    ########", true);
	check_drawing(20, "40 |        ####", true);
	check_drawing(17, "40 |", false);
	check_drawing(17, "Rate", false);
	check_drawing(17, "behind it", true);
}

static void a_text_may_be_empty(void)
{
	struct sheet *sheet = sheet_new(STR("Details"), "Esc back", NULL);

	sheet_add_heading(sheet, STR_NONE);
	sheet_add_fact(sheet, STR("model"), STR_NONE);
	sheet_add_text(sheet, STR_NONE);
	check_drawn(sheet, 40, "model", true);
}

static void check_labels(const char *words)
{
	struct sheet *sheet = sheet_new(STR("Details"), "Esc back", NULL);

	sheet_add_fact(sheet, STR("id"), STR("a value that is the widest one of this whole sheet"));
	sheet_add_fact(sheet, STR("finish reason"), STR("stop"));
	sheet_add_heading(sheet, STR("tokens"));
	sheet_add_fact(sheet, STR("in"), STR("12"));
	sheet_add_heading(sheet, STR("names"));
	sheet_add_fact(sheet, STR("presence_penalty_"), STR("0"));
	check_drawn(sheet, 80, words, true);
}

/* Values of a sheet are one column, behind its longest label, wherever it stands; a group with a longer one than others share has its own. */
static void labels_are_a_column(void)
{
	check_labels(" id             a value that is the widest one of this whole sheet ");
	check_labels(" finish reason  stop ");
	check_labels(" in             12 ");
	check_labels(" presence_penalty_  0 ");
}

#define MANY 100000u

/* A call may have any number of them. */
static void arguments_are_rows_of_members(void)
{
	struct sheet *sheet = sheet_new(STR("Tool call"), "Esc back", "result");
	struct canvas *c = canvas_new(12, 40);
	struct buf arguments = { 0 }, out = { 0 };

	buf_add_z(&arguments, "{\"city\":\"Oslo\",\"many\":[1,2],\"note\":\"a word that is followed by others, and wraps\"");
	for (unsigned i = 0; i < MANY; i++)
		buf_printf(&arguments, ",\"m%u\":%u", i, i);
	buf_add_z(&arguments, "}");
	sheet_add_members(sheet, buf_str(&arguments));
	CU_ASSERT_EQUAL(sheet_dock_rows(sheet, 40, 10), 10);
	sheet_draw_docked(sheet, c, (struct area){ 0, 0, 10, 40 });
	dump_canvas(c, false, &out);
	CHECK(str_find(buf_str(&out), STR(" city    Oslo\n many    [1,2]\n note    a word that is followed by\n         others, and wraps\n m0      0\n")) <
	              out.len, "%s", buf_z(&out));
	buf_fini(&arguments);
	buf_fini(&out);
	canvas_free(c);
	sheet_free(sheet);
}

/* Keys that do not act before the last row was seen are not among those that are shown. */
static void keys_are_those_that_have_room_and_act(void)
{
	static const struct { unsigned columns; const char *before, *after; } rows[] = {
		{ 80, "n not run   PgDn, then y", "n not run   y once" }, { 21, "PgDn, then y", "n not run   y once" },
		{ 20, "PgDn, then y", "n not run   y once" }, { 19, "PgDn, then y", "y once" }, { 4, "PgDn, then y", "y once" },
	};
	struct sheet *sheet = sheet_new(STR("Run?"), "", NULL);
	struct canvas *c = canvas_new(6, 80);

	sheet_add_text(sheet, STR("1\n2\n3\n4\n5\n6\n7\n8"));
	sheet_dock(sheet);
	sheet_set_keys(sheet, "n not run   y once\ny once");
	sheet_set_keys_before(sheet, "n not run   PgDn, then y\nPgDn, then y");
	for (int read = 0; read < 2; read++) {
		sheet_dock_rows(sheet, 80, 5);
		sheet_draw_docked(sheet, c, (struct area){ 0, 0, 5, 80 });
		CU_ASSERT_EQUAL(sheet_was_read(sheet), read);
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
			CHECK_STR(sheet_keys(sheet, rows[i].columns), read ? rows[i].after : rows[i].before);
		sheet_key(sheet, &(struct key){ .code = KEY_END });
	}
	canvas_free(c);
	sheet_free(sheet);
}

const struct suite suite_sheet = { "sheet", (const struct test[]){
	TEST(a_drawing_is_whole_or_left_out),
	TEST(a_text_may_be_empty), TEST(labels_are_a_column), TEST(arguments_are_rows_of_members),
	TEST(keys_are_those_that_have_room_and_act), { 0 } } };
