#include "ui/form.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "ui/dump.h"

/* Words that are keys are pressed; others are typed. */
static enum form_result press(struct form *form, const char *keys)
{
	struct str rest = str_from(keys), word;
	enum form_result result = FORM_OPEN;

	while (str_split(&rest, ' ', &word)) {
		struct key key;

		if (!key_from_name(word, &key))
			key = (struct key){ .code = KEY_TEXT, .text = word };
		result = form_key(form, &key);
	}
	return result;
}

enum { NAME, KEY, KEEP };

static struct form *a_form(void)
{
	struct form *form = form_new(STR("Set up box"), "Enter test and use   Esc back");

	setlocale(LC_CTYPE, "C.UTF-8");
	form_add(form, FORM_TEXT, "base URL");
	form_add(form, FORM_SECRET, "key");
	form_add(form, FORM_CHOICE, "keep");
	form_set_value(form, NAME, STR("https://box/v1"));
	form_set_note(form, KEY, STR("from BOX_API_KEY: not set"));
	form_set_word(form, KEEP, 0, STR("in a file"), STR("in a file that only you can read"));
	form_set_word(form, KEEP, 1, STR("not at all"), STR("not at all: it is lost when weir ends"));
	form_set_word(form, KEEP, 2, STR("from a command"), STR("from a command"));
	return form;
}

static void draw(struct form *form, unsigned rows, unsigned columns, struct buf *out)
{
	struct canvas *c = canvas_new(rows, columns);

	buf_clear(out);
	form_draw(form, c);
	dump_canvas(c, false, out);
	canvas_free(c);
}

#define SEES(form, rows, columns, words) check_sight(form, rows, columns, words, true)
#define MISSES(form, rows, columns, words) check_sight(form, rows, columns, words, false)
static void check_sight(struct form *form, unsigned rows, unsigned columns, const char *words, bool seen)
{
	struct buf out = { 0 };

	draw(form, rows, columns, &out);
	CHECK((str_find(buf_str(&out), str_from(words)) < out.len) == seen, "%ux%u: %s\n%s", columns, rows, words, buf_z(&out));
	buf_fini(&out);
}

static void secrets_are_bullets(void)
{
	struct form *form = a_form();

	CU_ASSERT_EQUAL(press(form, "Down sk-12"), FORM_CHANGED);
	CHECK_STR(form_value(form, KEY), "sk-12");
	SEES(form, 24, 80, "\u2022\u2022\u2022\u2022\u2022 ");
	MISSES(form, 24, 80, "\u2022\u2022\u2022\u2022\u2022\u2022");
	MISSES(form, 24, 80, "sk-12");
	press(form, "Backspace");
	CHECK_STR(form_value(form, KEY), "sk-1");
	CU_ASSERT_EQUAL(form_key(form, &(struct key){ .code = KEY_PASTE, .text = STR(" 99 \nmore\n") }), FORM_CHANGED);
	CHECK_STR(form_value(form, KEY), "sk-199");
	press(form, "Ctrl-U");
	CHECK_STR(form_value(form, KEY), "");
	press(form, "Ctrl-Y"); /* what was cleared is gone: there is no kill to yank and nothing to undo */
	press(form, "Ctrl-_");
	CHECK_STR(form_value(form, KEY), "");
	form_free(form);
}

static void a_secret_has_a_limit(void)
{
	static char text[FORM_SECRET_BYTES + 2];
	struct form *form = a_form();

	press(form, "Down");
	memset(text, 'k', sizeof text - 1);
	CU_ASSERT_EQUAL(form_key(form, &(struct key){ .code = KEY_PASTE, .text = str_from(text) }), FORM_OPEN);
	CU_ASSERT_EQUAL(form_value(form, KEY).len, 0);
	form_key(form, &(struct key){ .code = KEY_PASTE, .text = str_of(text, FORM_SECRET_BYTES) });
	CU_ASSERT_EQUAL(form_value(form, KEY).len, FORM_SECRET_BYTES);
	press(form, "k");
	CU_ASSERT_EQUAL(form_value(form, KEY).len, FORM_SECRET_BYTES);
	SEES(form, 6, 20, "\u2022");
	form_free(form);
}

/* What is typed behind Tab must not land in the field before: it may be a key, and that field shows it. */
static void tab_goes_from_field_to_field(void)
{
	struct form *form = a_form();

	press(form, "Right x Tab sk-12 Tab Right"); /* an arrow keeps what is there */
	CHECK_STR(form_value(form, NAME), "https://box/v1x");
	CHECK_STR(form_value(form, KEY), "sk-12");
	CU_ASSERT_EQUAL(form_choice(form, KEEP), 1);
	press(form, "Tab y"); /* behind the last one comes the first */
	CHECK_STR(form_value(form, NAME), "https://box/v1xy");
	press(form, "Shift-Tab");
	CU_ASSERT_EQUAL(form_focused(form), KEEP);
	form_show(form, KEY, false);
	press(form, "Shift-Tab");
	CU_ASSERT_EQUAL(form_focused(form), NAME);
	press(form, "Tab Tab");
	CU_ASSERT_EQUAL(form_focused(form), NAME);
	press(form, "Up");
	CU_ASSERT_EQUAL(form_focused(form), NAME);
	form_free(form);
	form = form_new_text(STR("Rename"), "title", STR("a"));
	press(form, "Tab b Shift-Tab c");
	CHECK_STR(form_value(form, 0), "bc"); /* typing replaces it */
	form_free(form);
}

static void a_choice_has_its_own_keys(void)
{
	struct form *form = a_form();

	SEES(form, 24, 80, "or not at all \u00b7 from a command");
	press(form, "Down Down");
	SEES(form, 24, 80, "Left Right: not at all \u00b7 from a command");
	CU_ASSERT_EQUAL(press(form, "Right"), FORM_CHANGED);
	CU_ASSERT_EQUAL(form_choice(form, KEEP), 1);
	SEES(form, 24, 80, "Left Right: in a file \u00b7 from a command");
	press(form, "Left Left");
	CU_ASSERT_EQUAL(form_choice(form, KEEP), 2);
	form_key(form, &(struct key){ .code = KEY_TEXT, .text = STR(" ") });
	CU_ASSERT_EQUAL(form_choice(form, KEEP), 0);
	form_free(form);
}

static void hidden_fields_are_skipped(void)
{
	struct form *form = a_form();

	form_show(form, KEY, false);
	MISSES(form, 24, 80, "BOX_API_KEY");
	press(form, "Down Right");
	CU_ASSERT_EQUAL(form_choice(form, KEEP), 1);
	press(form, "Up");
	form_show(form, NAME, false); /* the focus goes where something is */
	press(form, "Right");
	CU_ASSERT_EQUAL(form_choice(form, KEEP), 2);
	form_free(form);
}

static void enter_and_escape_are_the_callers(void)
{
	struct form *form = a_form();

	CU_ASSERT_EQUAL(press(form, "Enter"), FORM_DONE);
	CU_ASSERT_EQUAL(press(form, "Esc"), FORM_LEFT);
	CU_ASSERT_EQUAL(press(form, "F2"), FORM_NOT_MINE);
	press(form, "Backspace");
	CHECK_STR(form_value(form, NAME), "https://box/v");
	form_free(form);
}

/* A system prompt is read as a whole where it is edited. */
static void a_long_text_has_several_rows(void)
{
	struct form *form = form_new(STR("Role"), "Enter keep   Esc back");

	form_add(form, FORM_TEXT, "system");
	form_set_value(form, 0, STR("You review patches of a program in C. Name what is wrong, with its line, before what is good. Say nothing about "
	                            "spaces. Do not repeat the patch, and end with one sentence that says whether it can land."));
	form_add(form, FORM_TEXT, "model");
	form_set_value(form, 1, STR("m-1"));
	for (size_t focus = 0; focus < 2; focus++) {
		form_focus(form, focus);
		check_sight(form, 24, 80, "You review patches", true);
		check_sight(form, 24, 80, "Say nothing about", true);
		check_sight(form, 24, 80, "it can land.", true);
		check_sight(form, 24, 80, "m-1", true);
	}
	form_focus(form, 0);
	for (unsigned i = 0; i < 40; i++) /* beyond its rows, the end is in view */
		form_key(form, &(struct key){ .code = KEY_TEXT, .text = STR(" and so on and on") });
	form_key(form, &(struct key){ .code = KEY_TEXT, .text = STR(" last") });
	check_sight(form, 24, 80, "last", true);
	check_sight(form, 24, 80, "You review patches", false);
	check_sight(form, 24, 80, "m-1", true);
	check_sight(form, 6, 30, "last", true);
	form_free(form);
}

static void fits_any_size(void)
{
	struct form *form = a_form();
	struct buf out = { 0 };

	form_say(form, STR("the model list: cannot connect to box: Connection refused"));
	for (unsigned rows = 1; rows < 30; rows++)
		for (unsigned columns = 1; columns < 130; columns += columns < 30 ? 1 : 7)
			draw(form, rows, columns, &out);
	buf_fini(&out);
	SEES(form, 12, 40, "refused");
	SEES(form, 6, 20, "refused");
	form_say(form, STR_NONE);
	press(form, "Down");
	SEES(form, 6, 20, "> key");
	press(form, "Down");
	SEES(form, 6, 20, "> keep");
	form_free(form);
}

/* What stands above the fields is read to its end before anything is taken; a field that is written into is in view all the same. */
static void an_intro_is_read_first(void)
{
	struct form *form = a_form();
	struct buf intro = { 0 };

	for (int i = 0; i < 14; i++)
		buf_printf(&intro, "line %d of it\n", i);
	buf_add_z(&intro, "the end of it");
	form_set_intro(form, buf_str(&intro));
	form_focus(form, KEY);
	SEES(form, 12, 40, "line 0 of it");
	MISSES(form, 12, 40, "the end of it");
	CU_ASSERT_EQUAL(press(form, "x"), FORM_CHANGED);
	MISSES(form, 12, 40, "line 0 of it");
	for (int i = 0; i < 4 && press(form, "Enter") != FORM_DONE; i++)
		SEES(form, 12, 40, i ? "the end of it" : "line 9 of it");
	CU_ASSERT_EQUAL(press(form, "Enter"), FORM_DONE);
	CU_ASSERT_EQUAL(press(form, "PgUp"), FORM_OPEN);
	MISSES(form, 12, 40, "the end of it");
	form_free(form);
	buf_fini(&intro);
}

const struct suite suite_form = { "form", (const struct test[]){
	TEST(secrets_are_bullets), TEST(a_secret_has_a_limit), TEST(tab_goes_from_field_to_field), TEST(a_choice_has_its_own_keys), TEST(hidden_fields_are_skipped),
	TEST(enter_and_escape_are_the_callers), TEST(a_long_text_has_several_rows), TEST(fits_any_size), TEST(an_intro_is_read_first), { 0 } } };
