#include "ui/sheet.h"

#include <locale.h>

#include "support/check.h"
#include "ui/dump.h"

static void check_sheet(unsigned columns, const char *words, bool seen)
{
	struct sheet *sheet = sheet_new(STR("Details"), "Esc back", NULL);
	struct canvas *c = canvas_new(12, columns);
	struct buf out = { 0 };

	setlocale(LC_CTYPE, "C.UTF-8");
	sheet_add_text(sheet, STR("text that wraps where the sheet is narrow"));
	sheet_add_drawing(sheet, STR("Rate"), STR("40 |        ####\n   |    ########\n 0 +------------"));
	sheet_add_text(sheet, STR("behind it"));
	sheet_draw(sheet, c);
	dump_canvas(c, false, &out);
	CHECK((str_find(buf_str(&out), str_from(words)) < out.len) == seen, "%u: %s\n%s", columns, words, buf_z(&out));
	buf_fini(&out);
	canvas_free(c);
	sheet_free(sheet);
}

static void a_drawing_is_whole_or_left_out(void)
{
	check_sheet(60, "40 |        ####", true);
	check_sheet(60, "    |    ########", true);
	check_sheet(20, "40 |        ####", true);
	check_sheet(17, "40 |", false);
	check_sheet(17, "Rate", false);
	check_sheet(17, "behind it", true);
}

const struct suite suite_sheet = { "sheet", (const struct test[]){ TEST(a_drawing_is_whole_or_left_out), { 0 } } };
