#include "ui/menu.h"

#include <locale.h>
#include <stdio.h>

#include "support/check.h"
#include "ui/dump.h"
#include "ui/fuzzy.h"

static enum menu_result press(struct menu *menu, const char *keys)
{
	struct str rest = str_from(keys), word;
	enum menu_result result = MENU_OPEN;

	while (str_split(&rest, ' ', &word)) {
		struct key key;

		if (!key_from_name(word, &key))
			key = (struct key){ .code = KEY_PASTE, .text = word };
		result = menu_key(menu, &key);
	}
	return result;
}

static void add(struct menu *menu, const char *text, const char *fact, bool current)
{
	menu_add(menu, &(struct menu_item){ .text = str_from(text), .fact = str_from(fact), .current = current });
}

static struct menu *models(void)
{
	struct menu *menu = menu_new("Model", "use \"%s\" as typed");

	setlocale(LC_CTYPE, "C.UTF-8");
	add(menu, "openai/gpt-5.4-nano", "400 k", false);
	add(menu, "openai/gpt-5.4-mini", "400 k", true);
	add(menu, "gemini-3-pro", "1 M", false);
	return menu;
}

static void check_choice(const struct menu *menu, long index, const char *typed)
{
	struct str text;

	CU_ASSERT_EQUAL(menu_choice(menu, &text), index);
	CHECK_STR(text, typed);
}

static void begins_at_the_current_item(void)
{
	struct menu *menu = models();

	check_choice(menu, 1, "");
	CU_ASSERT_EQUAL(press(menu, "Enter"), MENU_CHOSEN);
	CU_ASSERT_EQUAL(press(menu, "Down Enter"), MENU_CHOSEN);
	check_choice(menu, 2, "");
	press(menu, "Down Down");
	check_choice(menu, 2, "");
	press(menu, "PgUp Up");
	check_choice(menu, 0, "");
	CU_ASSERT_EQUAL(press(menu, "Esc"), MENU_LEFT);
	CU_ASSERT_EQUAL(press(menu, "Ctrl-R"), MENU_NOT_MINE);
	menu_free(menu);
}

static void filters_while_typing(void)
{
	struct menu *menu = models();

	CU_ASSERT_EQUAL(menu_count(menu), 3);
	press(menu, "m i n i");
	CU_ASSERT_EQUAL(menu_count(menu), 3); /* mini, gemini, as typed */
	check_choice(menu, 1, "");
	press(menu, "Down");
	check_choice(menu, 2, "");
	press(menu, "Down");
	check_choice(menu, -1, "mini");
	press(menu, "x");
	CU_ASSERT_EQUAL(menu_count(menu), 1);
	check_choice(menu, -1, "minix");
	CU_ASSERT_EQUAL(press(menu, "Enter"), MENU_CHOSEN);
	press(menu, "Ctrl-U gemini-3-pro");
	CU_ASSERT_EQUAL(menu_count(menu), 1); /* no typed row for a text that equals an item */
	check_choice(menu, 2, "");
	menu_free(menu);
}

static void may_be_empty(void)
{
	struct menu *menu = menu_new("Theme", NULL);

	CU_ASSERT_EQUAL(press(menu, "Enter"), MENU_OPEN);
	add(menu, "dark", "", false);
	press(menu, "z");
	CU_ASSERT_EQUAL(menu_count(menu), 0);
	CU_ASSERT_EQUAL(press(menu, "Enter"), MENU_OPEN);
	CU_ASSERT_EQUAL(press(menu, "Down Up"), MENU_OPEN);
	check_choice(menu, -1, "");
	menu_free(menu);
}

static void keeps_the_selection_when_refilled(void)
{
	struct menu *menu = models();

	press(menu, "Down");
	menu_clear(menu);
	CU_ASSERT_EQUAL(menu_count(menu), 0);
	add(menu, "aaa", "", false);
	add(menu, "gemini-3-pro", "", false);
	add(menu, "openai/gpt-5.4-mini", "", true);
	check_choice(menu, 1, "");
	press(menu, "o p");
	menu_clear(menu);
	add(menu, "op", "", false);
	add(menu, "gone", "", false);
	check_choice(menu, 0, "");
	menu_free(menu);
}

/* It is muted, and yet what one came for. */
static void a_muted_item_can_be_chosen(void)
{
	struct menu *menu = menu_new("Provider", NULL);
	struct canvas *c = canvas_new(8, 40);

	menu_add(menu, &(struct menu_item){ .text = STR("azure"), .fact = STR("ready") });
	menu_add(menu, &(struct menu_item){ .text = STR("gemini"), .fact = STR("ready") });
	menu_add(menu, &(struct menu_item){ .text = STR("openai"), .fact = STR("needs a key"), .muted = true });
	menu_draw(menu, c);
	CU_ASSERT_EQUAL(canvas_cell(c, 3, 5)->role, ROLE_SHEET);
	CU_ASSERT_EQUAL(canvas_cell(c, 4, 5)->role, ROLE_SHEET_MUTED);
	CU_ASSERT_EQUAL(press(menu, "Down Down Enter"), MENU_CHOSEN);
	check_choice(menu, 2, "");
	canvas_free(c);
	menu_free(menu);
}

static void check_drawn(struct menu *menu, unsigned rows, unsigned columns, bool roles, const char *expected)
{
	struct canvas *c = canvas_new(rows, columns);
	struct buf out;

	buf_init(&out, 1 << 16);
	menu_draw(menu, c);
	dump_canvas(c, roles, &out);
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
	canvas_free(c);
}

#define EIGHT "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
#define DASHES2 "\u2500\u2500"
#define DASHES3 "\u2500\u2500\u2500"

static void draws_a_sheet(void)
{
	struct menu *menu = models();

	menu_set_figures(menu, STR("3 models"));
	check_drawn(menu, 9, 48, false,
		" Model " EIGHT EIGHT EIGHT DASHES3 DASHES2 DASHES2 " 3 models\n"
		" >\n"
		"     openai/gpt-5.4-nano                  400 k\n"
		" > \u25CF openai/gpt-5.4-mini                  400 k\n"
		"     gemini-3-pro                           1 M\n"
		EIGHT EIGHT DASHES3 DASHES2 DASHES2 " Enter choose   Esc back\n"
		"\n\n\n");
	press(menu, "mini");
	check_drawn(menu, 6, 20, true,
		" Model " EIGHT DASHES3 DASHES2 "\n"
		" > mini\n"
		" > openai/gpt-5.4-\u2026\n"
		"   gemini-3-pro\n"
		" 1 of 3 " DASHES2 " Esc back\n"
		"\n"
		"hHHHHHh=============\n"
		"hMhhhhhhhhhhhhhhhhhh\n"
		"CCCCCCCCCCCCCCCCCCCC\n"
		"hhhhhMMMMhhhhhhhhhhh\n"
		"hwwwwwwh==hwwwwwwwwh\n"
		"\n");
	menu_free(menu);
}

/* At every size: no crash, the chosen row visible from two rows on, the cursor in the filter line. */
/* On a narrow canvas what a name says goes on below it, with its fact in front: nothing of it is lost. */
static void what_names_say_wraps(void)
{
	struct menu *menu = menu_new("Commands", NULL);
	struct canvas *wide = canvas_new(12, 80), *narrow = canvas_new(12, 40);
	struct buf text = { 0 };

	setlocale(LC_CTYPE, "C.UTF-8");
	menu_add(menu, &(struct menu_item){ .text = STR("/resume [WORDS]       open or search stored conversations"), .fact = STR("F6"),
	                                    .group = "Chat", .name_at = 1, .name_len = 6 });
	menu_add(menu, &(struct menu_item){ .text = STR("            /undo           bring back what was deleted last"), .group = "Chat",
	                                    .name_at = 13, .name_len = 4 });
	menu_draw(menu, wide);
	dump_canvas(wide, false, &text);
	CHECK(str_find(buf_str(&text), STR("/resume [WORDS]       open or search stored conversations")) < text.len, "%s", buf_z(&text));
	buf_clear(&text);
	menu_draw(menu, narrow);
	dump_canvas(narrow, false, &text);
	CHECK(str_find(buf_str(&text), STR(" > /resume [WORDS]  F6  open or\n     search stored conversations\n")) < text.len, "%s", buf_z(&text));
	CHECK(str_find(buf_str(&text), STR("   /undo  bring back what was deleted\n     last\n")) < text.len, "%s", buf_z(&text));
	press(menu, "Down");
	for (unsigned rows = 1; rows < 16; rows++)
		for (unsigned columns = 1; columns < 60; columns++) {
			canvas_resize(narrow, rows, columns);
			menu_draw(menu, narrow);
			buf_clear(&text);
			dump_canvas(narrow, false, &text);
			bool has_room = rows >= 8 && columns >= 20;
			CHECK(!has_room || str_find(buf_str(&text), STR("/undo")) < text.len, "%u rows, %u columns:\n%s", rows, columns, buf_z(&text));
		}
	buf_fini(&text);
	canvas_free(wide);
	canvas_free(narrow);
	menu_free(menu);
}

static void fits_any_size(void)
{
	struct menu *menu = menu_new("\xE6\xA8\xA1\xE5\x9E\x8B", "use \"%s\"");
	char name[32];

	setlocale(LC_CTYPE, "C.UTF-8");
	for (int i = 0; i < 30; i++) {
		snprintf(name, sizeof name, "\xE9\x80\x9A\xE4\xB9\x89-%d", i);
		add(menu, name, "\xE5\xBF\xAB", i == 3);
	}
	menu_set_figures(menu, STR("30 \xE4\xB8\xAA"));
	press(menu, "PgDn PgDn");
	for (unsigned rows = 1; rows < 40; rows++)
		for (unsigned columns = 1; columns < 100; columns += 3) {
			struct canvas *c = canvas_new(rows, columns);
			bool chosen = false;

			menu_draw(menu, c);
			for (unsigned r = 0; r < rows; r++)
				for (unsigned k = 0; k < columns; k++)
					chosen |= canvas_cell(c, r, k)->role == ROLE_SHEET_CHOSEN;
			CHECK(columns < 4 || rows < 2 || (chosen && c->cursor_shown), "%u x %u", columns, rows);
			canvas_free(c);
		}
	menu_free(menu);
}

static void scores(void)
{
	CU_ASSERT_EQUAL(fuzzy_score(STR(""), STR("abc")), 0);
	CU_ASSERT_EQUAL(fuzzy_score(STR("acb"), STR("abc")), -1);
	CU_ASSERT_EQUAL(fuzzy_score(STR("a"), STR("")), -1);
	CU_ASSERT(fuzzy_score(STR("AC"), STR("abc")) > 0);
	CU_ASSERT(fuzzy_score(STR("g m"), STR("gpt-mini")) == fuzzy_score(STR("gm"), STR("gpt-mini")));
	CU_ASSERT(fuzzy_score(STR("mini"), STR("gpt-mini")) > fuzzy_score(STR("mini"), STR("gemini")));        /* a word's start */
	CU_ASSERT(fuzzy_score(STR("mini"), STR("gemini")) > fuzzy_score(STR("mini"), STR("m-i-n-e-i")));       /* in one piece */
	CU_ASSERT(fuzzy_score(STR("gpt"), STR("gpt-4")) > fuzzy_score(STR("gpt"), STR("gpt-4-turbo")));        /* shorter */
	CU_ASSERT(fuzzy_score(STR("to"), STR("/tools, many of them")) > fuzzy_score(STR("to"), STR("/attach to")));  /* earlier */
	CU_ASSERT(fuzzy_score(STR("fc"), STR("fetchCount")) > fuzzy_score(STR("fc"), STR("fabric")));          /* an inner word */
}

static void marks_the_best_letters(void)
{
	bool matched[FUZZY_TEXT_BYTES];
	char long_text[400];

	CU_ASSERT(fuzzy_match(STR("mi"), STR("main-mini"), matched) > 0);
	for (size_t i = 0; i < 9; i++)
		CHECK(matched[i] == (i == 5 || i == 6), "byte %zu", i);
	for (size_t i = 0; i < sizeof long_text; i++)
		long_text[i] = (char)('a' + i % 26);
	CU_ASSERT(fuzzy_score(STR("zzzzzzzzz"), str_of(long_text, sizeof long_text)) > 0); /* nine of them are within FUZZY_TEXT_BYTES */
	CU_ASSERT_EQUAL(fuzzy_score(STR("zzzzzzzzzz"), str_of(long_text, sizeof long_text)), -1);
}

/* --- names and groups --- */

static void add_named(struct menu *menu, const char *text, size_t name_len, const char *group)
{
	menu_add(menu, &(struct menu_item){ .text = str_from(text), .name_at = 1, .name_len = name_len, .group = group });
}

static struct menu *commands(void)
{
	struct menu *menu = menu_new("Commands", NULL);

	setlocale(LC_CTYPE, "C.UTF-8");
	add_named(menu, "/id       copy the id", 2, "Copy");
	add_named(menu, "/protocol choose it", 8, "Model");
	add_named(menu, "/scope    see far", 5, "Model");
	add_named(menu, "/copy     the answer", 4, "View");
	return menu;
}

/* Names that begin so, names that hold the letters in their order, then what has them elsewhere. */
static void names_go_first(void)
{
	struct menu *menu = commands();

	press(menu, "c o p");
	CU_ASSERT_EQUAL(menu_matches(menu), 3);
	check_choice(menu, 3, "");
	CU_ASSERT_TRUE(menu_is_meant(menu) && !menu_has_moved(menu));
	press(menu, "Down");
	check_choice(menu, 2, "");
	CU_ASSERT_TRUE(menu_is_meant(menu) && menu_has_moved(menu));
	press(menu, "Down");
	check_choice(menu, 0, "");
	press(menu, "Ctrl-U s c p");
	check_choice(menu, 2, "");
	CU_ASSERT_FALSE(menu_is_meant(menu));
	press(menu, "Ctrl-U / i d");
	check_choice(menu, 0, "");
	CU_ASSERT_TRUE(menu_is_meant(menu));
	press(menu, "Ctrl-U f a r");
	check_choice(menu, 2, "");
	CU_ASSERT_FALSE(menu_is_meant(menu));
	menu_free(menu);
}

static void groups_have_headings_until_one_types(void)
{
	struct menu *menu = commands();
	struct canvas *canvas = canvas_new(16, 50);
	struct buf text;

	buf_init(&text, BUF_LIMIT_DEFAULT);
	menu_draw(menu, canvas);
	dump_canvas(canvas, false, &text);
	CU_ASSERT_TRUE(str_find(buf_str(&text), STR("Copy\n")) < str_find(buf_str(&text), STR("> /id")));
	CU_ASSERT_TRUE(str_find(buf_str(&text), STR("Model\n")) < str_find(buf_str(&text), STR("/protocol")));
	CHECK(str_find(buf_str(&text), STR("View\n")) < text.len, "%s", buf_z(&text));
	press(menu, "o");
	canvas_clear(canvas);
	menu_draw(menu, canvas);
	buf_clear(&text);
	dump_canvas(canvas, false, &text);
	CHECK(str_find(buf_str(&text), STR("Model\n")) == text.len, "%s", buf_z(&text));
	buf_fini(&text);
	canvas_free(canvas);
	menu_free(menu);
}

/* Where there is no room for all facts, all rows show the same ones. */
static void facts_stand_in_line(void)
{
	struct menu *menu = menu_new("Model", NULL);
	struct canvas *wide = canvas_new(9, 80), *narrow = canvas_new(9, 40);
	struct buf text;

	buf_init(&text, BUF_LIMIT_DEFAULT);
	add(menu, "openai/gpt-5.4-mini", "400 k context   $0.15 / $0.60", false);
	add(menu, "m", "1 M context   $15.00 / $75.00", false);
	menu_draw(menu, wide);
	dump_canvas(wide, false, &text);
	CHECK(str_find(buf_str(&text), STR("400 k context     $0.15 / $0.60 \u2502\n")) < text.len, "%s", buf_z(&text));
	buf_clear(&text);
	menu_draw(menu, narrow);
	dump_canvas(narrow, false, &text);
	CHECK(str_find(buf_str(&text), STR("gpt-5.4-mini    400 k context\n")) < text.len, "%s", buf_z(&text));
	CHECK(str_find(buf_str(&text), STR("1 M context\n")) < text.len, "%s", buf_z(&text));
	CHECK(str_find(buf_str(&text), STR("$")) == text.len, "%s", buf_z(&text));
	buf_fini(&text);
	canvas_free(wide);
	canvas_free(narrow);
	menu_free(menu);
}

/* Bytes of a line before the end of `what`; all lines here are ASCII in front of it. */
static long end_in_line(const char *screen, const char *what)
{
	const char *at = strstr(screen, what), *line = at;

	while (line && line > screen && line[-1] != '\n')
		line--;
	return at ? at - line + (long)strlen(what) : -1;
}

/* A fact that a row lacks leaves its place in the column empty. A column that no row has takes no place. */
static void unknown_facts_leave_their_column_empty(void)
{
	struct menu *menu = menu_new("Model", NULL);
	struct canvas *wide = canvas_new(9, 80), *narrow = canvas_new(9, 40);
	struct buf text;

	buf_init(&text, BUF_LIMIT_DEFAULT);
	add(menu, "priced", "1 M context   $15.00 / $75.00   ", false);
	add(menu, "bare", "400 k context      ", false);
	add(menu, "cheap", "   $0.15 / $0.60   ", false);
	menu_draw(menu, wide);
	dump_canvas(wide, false, &text);
	CHECK(end_in_line(buf_z(&text), "1 M context") == end_in_line(buf_z(&text), "400 k context"), "%s", buf_z(&text));
	CHECK(end_in_line(buf_z(&text), "/ $75.00") == end_in_line(buf_z(&text), "/ $0.60"), "%s", buf_z(&text));
	CHECK(end_in_line(buf_z(&text), "400 k context") + 18 == end_in_line(buf_z(&text), "/ $0.60"), "%s", buf_z(&text));
	buf_clear(&text);
	add(menu, "a/model/with/a-long-name", "2 M context      ", false);
	menu_draw(menu, narrow);
	dump_canvas(narrow, false, &text);
	CHECK(end_in_line(buf_z(&text), "1 M context") == end_in_line(buf_z(&text), "400 k context"), "%s", buf_z(&text));
	CHECK(!strstr(buf_z(&text), "$"), "%s", buf_z(&text));
	menu_clear(menu);
	add(menu, "a/model/with/a-long-name", "   $0.15 / $0.60   8B", false);
	buf_clear(&text);
	menu_draw(menu, narrow);
	dump_canvas(narrow, false, &text);
	CHECK(strstr(buf_z(&text), "$0.15 / $0.60   8B\n"), "%s", buf_z(&text));
	buf_fini(&text);
	canvas_free(wide);
	canvas_free(narrow);
	menu_free(menu);
}

/* The rows of the canvas that hold its upper and lower edge. */
static void find_edges(struct menu *menu, size_t *upper, size_t *lower)
{
	struct canvas *canvas = canvas_new(16, 60);
	struct buf text;
	struct str rest, line;
	size_t row = 0;

	buf_init(&text, BUF_LIMIT_DEFAULT);
	menu_draw(menu, canvas);
	dump_canvas(canvas, false, &text);
	rest = buf_str(&text);
	*upper = *lower = 16;
	for (; str_split(&rest, '\n', &line); row++)
		if (str_find(line, STR("\u2500\u2500")) < line.len) {
			*upper = *upper == 16 ? row : *upper;
			*lower = row;
		}
	buf_fini(&text);
	canvas_free(canvas);
}

/* Filtered, it is as high as its rows need, and its upper edge stays where it is. */
static void is_as_high_as_its_rows(void)
{
	struct menu *menu = commands();
	size_t upper, lower, first, last;

	find_edges(menu, &upper, &lower);
	press(menu, "p r o t");
	CU_ASSERT_EQUAL(menu_count(menu), 1);
	find_edges(menu, &first, &last);
	CU_ASSERT_EQUAL(first, upper);
	CHECK(last == first + 3, "from %zu to %zu", first, last);
	press(menu, "x y z");
	find_edges(menu, &first, &last);
	CHECK(first == upper && last == first + 3, "nothing matches: from %zu to %zu", first, last);
	press(menu, "Ctrl-U");
	find_edges(menu, &first, &last);
	CHECK(first == upper && last == lower, "from %zu to %zu", first, last);
	menu_free(menu);
}

/* No row is chosen until one moves or filters, and a slash is no filter; some rows are there for a filter only. */
static void may_wait_for_a_choice(void)
{
	struct menu *menu = commands();

	menu_wait(menu);
	menu_add(menu, &(struct menu_item){ .text = STR("/hidden"), .name_at = 1, .name_len = 6, .filtered_only = true });
	size_t count = menu_count(menu);
	check_choice(menu, -1, "");
	CU_ASSERT_EQUAL(press(menu, "Enter"), MENU_OPEN);
	press(menu, "/");
	CU_ASSERT_EQUAL(menu_count(menu), count);
	CU_ASSERT_EQUAL(press(menu, "Enter"), MENU_OPEN);
	press(menu, "Down");
	check_choice(menu, 0, "");
	CU_ASSERT_EQUAL(press(menu, "Enter"), MENU_CHOSEN);
	press(menu, "h i d d");
	check_choice(menu, (long)count, "");
	menu_free(menu);
	menu = commands();
	menu_wait(menu);
	press(menu, "Up");
	check_choice(menu, (long)menu_count(menu) - 1, "");
	menu_free(menu);
}

const struct suite suite_menu = { "menu", (const struct test[]){
	TEST(begins_at_the_current_item), TEST(filters_while_typing), TEST(names_go_first), TEST(groups_have_headings_until_one_types),
	TEST(may_be_empty), TEST(keeps_the_selection_when_refilled),
	TEST(a_muted_item_can_be_chosen), TEST(draws_a_sheet), TEST(facts_stand_in_line), TEST(unknown_facts_leave_their_column_empty), TEST(is_as_high_as_its_rows), TEST(may_wait_for_a_choice), TEST(fits_any_size), TEST(what_names_say_wraps), TEST(scores), TEST(marks_the_best_letters), { 0 } } };
