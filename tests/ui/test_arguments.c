#include "ui/pane/arguments.h"

#include <string.h>

#include "support/check.h"
#include "ui/pane/pane.h"

static struct arguments arguments;

/* Checks that the text shown, after the notice, is the end of json_scan_pretty()'s result for all arguments. */
static void check_end(struct str whole)
{
	struct buf all = { 0 };

	json_scan_pretty(whole, &all);
	struct str shown = str_skip(buf_str(&arguments.text), arguments.notice), expected = str_skip(buf_str(&all), all.len - shown.len);
	CHECK(str_equal(shown, expected), "%zu bytes", whole.len);
	CU_ASSERT_EQUAL(arguments.dropped + shown.len, all.len);
	CU_ASSERT(arguments.flow.count > 0 && arguments.flow.length == arguments.text.len);
	buf_fini(&all);
}

static void grow_to(size_t bytes, size_t step, const char *item)
{
	struct buf whole = { 0 };

	buf_add_z(&whole, "{\"list\":[0");
	while (whole.len < bytes)
		buf_add_z(&whole, item);
	for (size_t at = step; at < whole.len + step; at += step) {
		arguments_update(&arguments, str_head(buf_str(&whole), at), 78);
		CU_ASSERT_FATAL(arguments.text.len <= ARGUMENTS_SHOWN + 64);
	}
	check_end(buf_str(&whole));
	buf_fini(&whole);
}

static void shows_the_end_of_any_size(void)
{
	static const char *const items[] = { ",1", ",{\"a\":\"\u00e9\u6771\"}", ",\"a word in a long text without an end to its line\"" };

	arguments_init(&arguments);
	for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
		arguments_begin(&arguments);
		grow_to(2000, 7, items[i]);
		CU_ASSERT_EQUAL(arguments.dropped, 0);
		arguments_begin(&arguments);
		grow_to((size_t)2 << 20, 16381, items[i]);
		CHECK(str_starts(buf_str(&arguments.text), "\u2026 ") && strstr(buf_z(&arguments.text), " above\n"), "%.40s", buf_z(&arguments.text));
	}
	arguments_fini(&arguments);
}

static void reports_the_state_of_the_arguments(void)
{
	arguments_init(&arguments);
	arguments_update(&arguments, STR("{\"a\":"), 20);
	CU_ASSERT_STRING_EQUAL(arguments_state(&arguments), "assembling");
	arguments_update(&arguments, STR("{\"a\":1}"), 20);
	CU_ASSERT_STRING_EQUAL(arguments_state(&arguments), "whole");
	arguments_update(&arguments, STR("{\"a\":1}}"), 20);
	CU_ASSERT_STRING_EQUAL(arguments_state(&arguments), "not JSON");
	arguments_update(&arguments, STR("{"), 20); /* another call */
	CU_ASSERT_STRING_EQUAL(arguments_state(&arguments), "assembling");
	CHECK_STR(buf_str(&arguments.text), "{");
	arguments_fini(&arguments);
}

static void press(struct tail *tail, const struct flow *flow, enum key_code code)
{
	struct key key = { .code = code };

	CU_ASSERT_TRUE(tail_key(tail, flow, &key));
}

static void stays_where_the_user_scrolled(void)
{
	struct tail tail = { 0 };
	struct flow flow;
	struct buf text;

	buf_init(&text, 10000);
	flow_init(&flow);
	tail_begin(&tail);
	for (int i = 0; i < 20; i++)
		buf_printf(&text, "row %d\n", i);
	flow_update(&flow, buf_str(&text), 40);
	CU_ASSERT_EQUAL(tail_first(&tail, &flow, 5), 15);
	press(&tail, &flow, KEY_UP);
	CU_ASSERT_EQUAL(tail_first(&tail, &flow, 5), 14);
	buf_add_z(&text, "more\nand more\n");
	flow_update(&flow, buf_str(&text), 40);
	CU_ASSERT_EQUAL(tail_first(&tail, &flow, 5), 14); /* new text does not scroll */
	press(&tail, &flow, KEY_HOME);
	CU_ASSERT_EQUAL(tail_first(&tail, &flow, 5), 0);
	press(&tail, &flow, KEY_WHEEL_DOWN);
	press(&tail, &flow, KEY_PAGE_DOWN);
	CU_ASSERT_EQUAL(tail_first(&tail, &flow, 5), 3 + 4);
	press(&tail, &flow, KEY_END);
	buf_add_z(&text, "end\n");
	flow_update(&flow, buf_str(&text), 40);
	CU_ASSERT_EQUAL(tail_first(&tail, &flow, 5), 18); /* follows the end again */
	struct key letter = { .code = KEY_TEXT };
	CU_ASSERT_FALSE(tail_key(&tail, &flow, &letter));
	flow_fini(&flow);
	buf_fini(&text);
}

static void scrolls_to_a_hit_once(void)
{
	struct hit list[] = { { 2, 1, 7 * 6 }, { 2, 1, 7 * 30 } };
	struct hits hits = { .list = list, .count = 2 };
	struct hits_place text = { 2, 1, 0 };
	struct tail tail = { 0 };
	struct flow flow;
	struct buf rows;

	buf_init(&rows, 10000);
	flow_init(&flow);
	tail_begin(&tail);
	for (int i = 0; i < 40; i++)
		buf_printf(&rows, "row %02d\n", i);
	flow_update(&flow, buf_str(&rows), 40);
	CU_ASSERT_EQUAL(tail_first(&tail, &flow, 9), 31);
	tail_show_hit(&tail, &flow, &hits, text);
	CU_ASSERT_EQUAL(tail_first(&tail, &flow, 9), 3);
	press(&tail, &flow, KEY_UP);
	tail_show_hit(&tail, &flow, &hits, text);
	CU_ASSERT_EQUAL(tail_first(&tail, &flow, 9), 2); /* scrolling away from the hit is possible */
	hits.current = 1;
	tail_show_hit(&tail, &flow, &hits, text);
	CU_ASSERT_EQUAL(tail_first(&tail, &flow, 9), 27);
	flow_fini(&flow);
	buf_fini(&rows);
}

static void row_of_call(struct pane *pane, struct view *view, struct canvas *canvas, struct buf *row)
{
	canvas_clear(canvas);
	pane_rows(pane, view, canvas->columns, canvas->rows);
	pane_draw(pane, view, canvas, (struct area){ 0, 0, canvas->rows, canvas->columns }, false);
	buf_clear(row);
	for (unsigned c = 0; c < canvas->columns; c++)
		buf_add(row, str_of(canvas_cell(canvas, 0, c)->text, canvas_cell(canvas, 0, c)->len));
}

/* Figures change with the clock, but what is to be seen is not denied until then. */
static void the_first_bytes_are_counted_at_once(void)
{
	struct conversation *conversation = conversation_new();
	struct turn *t = conversation_answer(conversation, STR("p"), NULL, STR("m"));
	struct look look = { .text_width = 0 };
	struct view view = { .conversation = conversation, .live = t, .look = &look, .at_ms = 250 };
	struct canvas *canvas = canvas_new(4, 40);
	struct pane *pane = pane_tools_new();
	struct buf row;

	buf_init(&row, 1000);
	turn_delta(t, &(struct delta){ .kind = DELTA_BEGIN });
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { .id = STR("c"), .name = STR("get_weather") } });
	row_of_call(pane, &view, canvas, &row);
	CHECK(str_find(buf_str(&row), STR(" 0 B ")) < row.len, "%s", buf_z(&row));
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_ARGUMENTS, .text = STR("{\"city\": \"Tokyo\"") });
	row_of_call(pane, &view, canvas, &row);
	CHECK(str_find(buf_str(&row), STR(" 16 B ")) < row.len, "%s", buf_z(&row));
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_ARGUMENTS, .text = STR("}") });
	row_of_call(pane, &view, canvas, &row);
	CHECK(str_find(buf_str(&row), STR(" 16 B ")) < row.len, "%s", buf_z(&row));
	view.at_ms = 500;
	row_of_call(pane, &view, canvas, &row);
	CHECK(str_find(buf_str(&row), STR(" 17 B ")) < row.len, "%s", buf_z(&row));
	buf_fini(&row);
	pane_free(pane);
	canvas_free(canvas);
	conversation_free(conversation);
}

const struct suite suite_arguments = { "arguments", (const struct test[]){
	TEST(shows_the_end_of_any_size),
	TEST(reports_the_state_of_the_arguments),
	TEST(stays_where_the_user_scrolled),
	TEST(scrolls_to_a_hit_once),
	TEST(the_first_bytes_are_counted_at_once),
	{ 0 },
} };
