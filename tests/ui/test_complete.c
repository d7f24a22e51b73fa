#include "ui/edit/complete.h"

#include "support/check.h"
#include "ui/dump.h"

static void fill(struct complete *l, const char *needle)
{
	static const char *const names[] = { "help", "theme", "the-other", "model", "provider" };

	complete_begin(l, str_from(needle));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		complete_add(l, str_from(names[i]), i == 1 ? STR("F5") : STR_NONE, i);
	complete_end(l);
}

static enum complete_result press(struct complete *l, const char *name)
{
	struct key key;

	CU_ASSERT_TRUE_FATAL(key_from_name(str_from(name), &key));
	return complete_key(l, &key);
}

static void check_choice(const struct complete *l, const char *expected, size_t expected_id)
{
	size_t id;

	CHECK_STR(complete_choice(l, &id), expected);
	CU_ASSERT_EQUAL(id, expected_id);
}

static void sorts_matches_by_score(void)
{
	struct complete *l = complete_new();

	fill(l, "the");
	CU_ASSERT_EQUAL(complete_count(l), 2);
	check_choice(l, "theme", 1);
	fill(l, "");
	CU_ASSERT_EQUAL(complete_count(l), 5);
	check_choice(l, "help", 0);
	fill(l, "xyz");
	CU_ASSERT_EQUAL(complete_count(l), 0);
	CU_ASSERT_EQUAL(complete_rows(l, 9), 0);
	complete_free(l);
}

static void keys_select_and_accept(void)
{
	struct complete *l = complete_new();

	CU_ASSERT_EQUAL(press(l, "Tab"), COMPLETE_NOT_MINE); /* no list: the key is for the next pane */
	CU_ASSERT_EQUAL(press(l, "Up"), COMPLETE_NOT_MINE);
	CU_ASSERT_EQUAL(press(l, "Esc"), COMPLETE_NOT_MINE);
	fill(l, "");
	CU_ASSERT_EQUAL(press(l, "Enter"), COMPLETE_NOT_MINE); /* nothing selected: Enter sends the prompt */
	CU_ASSERT_EQUAL(press(l, "x"), COMPLETE_NOT_MINE);
	CU_ASSERT_EQUAL(press(l, "Up"), COMPLETE_OPEN);
	check_choice(l, "provider", 4);
	CU_ASSERT_EQUAL(press(l, "Down"), COMPLETE_OPEN);
	CU_ASSERT_EQUAL(press(l, "Down"), COMPLETE_OPEN);
	check_choice(l, "theme", 1);
	CU_ASSERT_EQUAL(press(l, "Alt-Enter"), COMPLETE_NOT_MINE);
	CU_ASSERT_EQUAL(press(l, "Enter"), COMPLETE_TAKEN);
	CU_ASSERT_EQUAL(press(l, "Tab"), COMPLETE_TAKEN);
	CU_ASSERT_EQUAL(press(l, "Esc"), COMPLETE_LEFT);
	complete_free(l);
}

static void draws(void)
{
	struct complete *l = complete_new();
	struct canvas *c = canvas_new(3, 30);
	struct buf out;

	buf_init(&out, 1 << 16);
	fill(l, "");
	complete_step(l, 1);
	CU_ASSERT_EQUAL(complete_rows(l, 3), 3);
	complete_draw(l, c, (struct area){ 0, 0, 3, 30 });
	dump_canvas(c, false, &out);
	CHECK_STR(buf_str(&out), "   help\n > theme                   F5\n   the-other\n");
	complete_step(l, 1);
	complete_step(l, 1);
	complete_draw(l, c, (struct area){ 0, 0, 3, 30 });
	buf_clear(&out);
	dump_canvas(c, false, &out);
	CHECK_STR(buf_str(&out), "   theme                   F5\n   the-other\n > model\n");
	buf_fini(&out);
	canvas_free(c);
	complete_free(l);
}

static void fits_any_area(void)
{
	struct complete *l = complete_new();

	fill(l, "");
	for (unsigned columns = 1; columns < 12; columns++) {
		struct canvas *c = canvas_new(2, columns);

		complete_draw(l, c, (struct area){ 0, 0, 2, columns });
		complete_draw(l, c, (struct area){ 0, 0, 0, columns });
		canvas_free(c);
	}
	complete_free(l);
}

/* Below the last row a line says that there are more. */
static void what_is_left_out_is_told(void)
{
	struct complete *l = complete_new();
	struct canvas *c = canvas_new(3, 50);
	struct buf out;

	buf_init(&out, 1 << 16);
	complete_begin(l, STR("a"));
	for (size_t i = 0; i < COMPLETE_MOST; i++)
		complete_add(l, STR("alpha"), STR_NONE, i);
	complete_add(l, STR("beyond"), STR_NONE, COMPLETE_MOST); /* does not match */
	CU_ASSERT_FALSE(complete_is_cut(l));
	complete_add(l, STR("a last one"), STR_NONE, COMPLETE_MOST);
	complete_end(l);
	CU_ASSERT_TRUE(complete_is_cut(l));
	CU_ASSERT_EQUAL(complete_count(l), COMPLETE_MOST);
	complete_step(l, -1);
	complete_draw(l, c, (struct area){ 0, 0, 3, 50 });
	dump_canvas(c, false, &out);
	CHECK_STR(buf_str(&out), "   alpha\n > alpha\n   there are more: type more to find them\n");
	complete_begin(l, STR("xyz"));
	complete_leave_out(l, "a reason");
	complete_end(l);
	CU_ASSERT_EQUAL(complete_rows(l, 3), 1);
	CU_ASSERT_EQUAL(press(l, "Tab"), COMPLETE_NOT_MINE);
	canvas_clear(c);
	complete_draw(l, c, (struct area){ 0, 0, 1, 50 });
	buf_clear(&out);
	dump_canvas(c, false, &out);
	CHECK_STR(buf_str(&out), "   a reason\n\n\n");
	complete_close(l);
	CU_ASSERT_EQUAL(complete_rows(l, 3), 0);
	buf_fini(&out);
	canvas_free(c);
	complete_free(l);
}

const struct suite suite_complete = { "complete", (const struct test[]){
	TEST(sorts_matches_by_score), TEST(keys_select_and_accept), TEST(draws), TEST(fits_any_area), TEST(what_is_left_out_is_told), { 0 } } };
