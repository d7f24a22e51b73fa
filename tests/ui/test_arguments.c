#include "ui/pane/arguments.h"

#include <locale.h>
#include <string.h>

#include "base/array.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "ui/pane/pane.h"

static struct arguments arguments;

/* Checks that the text shown, after the notice, is the end of all arguments. */
static void check_end(struct str whole)
{
	struct str shown = str_skip(buf_str(&arguments.text), arguments.notice), expected = str_skip(whole, whole.len - shown.len);

	CHECK(str_equal(shown, expected), "%zu bytes", whole.len);
	CU_ASSERT_EQUAL(arguments.dropped + shown.len, whole.len);
	CU_ASSERT(arguments.flow.count > 0 && arguments.flow.length == arguments.text.len);
}

static void grow_to(struct buf *whole, size_t bytes, size_t step, const char *item)
{
	while (whole->len < bytes)
		buf_add_z(whole, item);
	for (size_t at = step; at < whole->len + step; at += step) {
		arguments_update(&arguments, str_head(buf_str(whole), at), 78);
		CU_ASSERT_FATAL(arguments.text.len <= ARGUMENTS_SHOWN + 64);
	}
}

static void grow_list(size_t bytes, size_t step, const char *item)
{
	struct buf whole = { 0 };

	buf_add_z(&whole, "[0");
	arguments_begin(&arguments, false);
	grow_to(&whole, bytes, step, item);
	check_end(buf_str(&whole));
	buf_fini(&whole);
}

static void shows_the_end_of_any_size(void)
{
	static const char *const items[] = { ",1", ",{\"a\":\"\u00e9\u6771\"}", ",\"a word in a long text without an end to its line\"" };

	arguments_init(&arguments);
	for (size_t i = 0; i < ARRAY_LEN(items); i++) {
		grow_list(2000, 7, items[i]);
		CU_ASSERT_EQUAL(arguments.dropped, 0);
		grow_list((size_t)2 << 20, 16381, items[i]);
		CHECK(str_starts(buf_str(&arguments.text), "\u2026 ") && strstr(buf_z(&arguments.text), " above\n"), "%.40s", buf_z(&arguments.text));
	}
	arguments_fini(&arguments);
}

static struct member_row row_at(size_t row)
{
	return member_marks_row(&arguments.marks, flow_row(&arguments.flow, buf_str(&arguments.text), row));
}

static void an_object_of_any_size_costs_what_is_added(void)
{
	static const char *const starts[] = { "{\"content\":\"", "{\"a\":1", "{\"n\":[0" }, *const items[] = { "line\\n", ",\"\u00e9\":\"x y\"", ",{\"b\":2}" };
	static const char *const ends[] = { "\nline\nline\n", "\n\u00e9  x y\n\u00e9  x y", ",{\"b\":2},{\"b\":2}" };

	arguments_init(&arguments);
	for (size_t i = 0; i < ARRAY_LEN(items); i++) {
		struct buf whole = { 0 };

		buf_add_z(&whole, starts[i]);
		arguments_begin(&arguments, false);
		grow_to(&whole, (size_t)5 << 20, 16381, items[i]);
		CHECK(str_ends(buf_str(&arguments.text), ends[i]), "case %zu: %s", i, buf_z(&arguments.text) + arguments.text.len - 40);
		CHECK(arguments.notice && str_starts(buf_str(&arguments.text), "\u2026 "), "case %zu", i);
		CHECK(arguments.marks.count <= ARGUMENTS_SHOWN / 4, "case %zu: %zu marks", i, arguments.marks.count);
		struct member_row last = row_at(arguments.flow.count - 1);
		CU_ASSERT_EQUAL(last.name, i == 1 ? 2 : 0);
		CU_ASSERT_EQUAL(last.indent, i == 1 ? 0 : i ? 8 : 16);
		CU_ASSERT_EQUAL(row_at(0).indent, 0); /* the notice */
		buf_fini(&whole);
	}
	arguments_fini(&arguments);
}

static const struct { const char *sent, *shown; } member_cases[] = {
	{ "{\"city\": \"Tokyo\", \"unit\": \"cel", "city  Tokyo\nunit  cel" },
	{ " {\"ci", "ci" },
	{ "{ }", "" },
	{ "{\"a\" : [1, {\"b\": \"x \\n y\"}, []], \"c\": {} , \"d\": null,\n\"e\": -1.5e3, \"f\": \"\"}",
	  "a  [1,{\"b\":\"x \\n y\"},[]]\nc  {}\nd  null\ne  -1.5e3\nf  " },
	{ "{\"t\":\"a\\nb\\t\\\"q\\\" \\u00e9 \\ud83d\\ude00 \\ud800x \\ud800\\n \\ud800\\ud83d\\ude00 \\\\\"}",
	  "t  a\nb\t\"q\" \u00e9 \U0001F600 \uFFFDx \uFFFD\n \uFFFD\U0001F600 \\" },
	{ "{\"t\":\"\\ud83d\"}", "t  \uFFFD" },
	{ "{\"na\\nme\":1,\"\":2}", "na\\nme  1\n  2" },
	{ "{\"a\":1}} x", "a  1\n} x" },
	{ "{\"a\":tru3}", "a  tru3}" },
	{ "{\"t\":\"x\ny\"}", "t  x\ny\"}" },
	{ "{malformed json", "{malformed json" },
	{ "{\"a\":1,}", "a  1\n}" },
	{ "  just words", "just words" },
	{ "[1,{\"a\":2}]", "[1,{\"a\":2}]" },
	{ "for x in [1]:\n\tprint(x)", "for x in [1]:\n\tprint(x)" },
	{ "\"a\\nb\"", "\"a\\nb\"" },
};

/* However the arguments are cut: what is shown only grows, so no row changes its form. */
static void members_are_lines(void)
{
	arguments_init(&arguments);
	for (size_t i = 0; i < ARRAY_LEN(member_cases); i++) {
		struct str sent = str_from(member_cases[i].sent);

		for (size_t step = 1; step <= sent.len; step++) {
			struct buf before = { 0 };

			arguments_begin(&arguments, false);
			for (size_t at = step; at < sent.len + step; at += step) {
				arguments_update(&arguments, str_head(sent, at), 40);
				CHECK(str_starts(buf_str(&arguments.text), buf_z(&before)), "%s: %s, then %s", sent.ptr, buf_z(&before), buf_z(&arguments.text));
				buf_clear(&before);
				buf_add(&before, buf_str(&arguments.text));
			}
			CHECK_STR(buf_str(&arguments.text), member_cases[i].shown);
			buf_fini(&before);
		}
	}
	arguments_fini(&arguments);
}

/* Values begin in one column, which a longer name moves in steps. A name without room has the value behind it. */
static void values_are_in_one_column(void)
{
	static const struct { const char *sent; unsigned pads[3]; unsigned indent; } cases[] = {
		{ "{\"from\":\"a\",\"to\":\"b\",\"of\":\"c\"}", { 2, 4, 4 }, 8 },
		{ "{\"from\":\"a\",\"to\":\"b\",\"location\":\"c\"}", { 10, 12, 6 }, 16 },
		{ "{\"from\":\"a\",\"to\":\"b\",\"\u6771\u6771\u6771\":\"c\"}", { 2, 4, 0 }, 8 },
		{ "{\"from\":\"a\",\"to\":\"b\",\"a name of thirty letters or so\":\"c\"}", { 2, 4, 0 }, 8 },
	};

	setlocale(LC_ALL, "C.UTF-8");
	arguments_init(&arguments);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		arguments_begin(&arguments, false);
		arguments_update(&arguments, str_from(cases[i].sent), 60);
		CU_ASSERT_EQUAL_FATAL(arguments.flow.count, 3);
		for (size_t row = 0; row < 3; row++)
			CHECK(row_at(row).pad == cases[i].pads[row], "%s: row %zu has %u blanks", cases[i].sent, row, row_at(row).pad);
	}
	arguments_begin(&arguments, false);
	arguments_update(&arguments, STR("{\"text\":\"one two three four five six seven\\neight\",\"n\":1}"), 30);
	CU_ASSERT_EQUAL_FATAL(arguments.flow.count, 4);
	CHECK_STR(flow_row(&arguments.flow, buf_str(&arguments.text), 0), "text  one two three four"); /* 2 blanks more make 28 columns */
	CHECK_STR(flow_row(&arguments.flow, buf_str(&arguments.text), 1), "five six seven");
	CU_ASSERT(row_at(1).indent == 8 && row_at(2).indent == 8 && row_at(3).indent == 0);
	arguments_fini(&arguments);
}

static void the_source_has_no_lines_of_members(void)
{
	arguments_init(&arguments);
	arguments_begin(&arguments, true);
	arguments_update(&arguments, STR("{\"a\":\"b\"}"), 60);
	CHECK_STR(buf_str(&arguments.text), "{\"a\":\"b\"}");
	CU_ASSERT_STRING_EQUAL(arguments_state(&arguments), "whole");
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
	arguments_update(&arguments, STR("{\"b"), 20); /* another call */
	CU_ASSERT_STRING_EQUAL(arguments_state(&arguments), "assembling");
	CHECK_STR(buf_str(&arguments.text), "b");
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

static void text_of_row(const struct canvas *canvas, unsigned at, struct buf *row)
{
	buf_clear(row);
	for (unsigned c = 0; c < canvas->columns; c++)
		buf_add(row, str_of(canvas_cell(canvas, at, c)->text, canvas_cell(canvas, at, c)->len));
}

static void draw_calls(struct pane *pane, const struct view *view, struct canvas *canvas, bool focused)
{
	canvas_clear(canvas);
	pane_rows(pane, view, canvas->columns, canvas->rows);
	pane_draw(pane, view, canvas, (struct area){ 0, 0, canvas->rows, canvas->columns }, focused);
}

static void row_of_call(struct pane *pane, struct view *view, struct canvas *canvas, struct buf *row)
{
	draw_calls(pane, view, canvas, false);
	text_of_row(canvas, 0, row);
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

static unsigned rows_with(const struct canvas *canvas, const char *words)
{
	struct buf row = { 0 };
	unsigned count = 0;

	for (unsigned r = 0; r < canvas->rows; r++) {
		text_of_row(canvas, r, &row);
		count += str_find(buf_str(&row), str_from(words)) < row.len;
	}
	buf_fini(&row);
	return count;
}

/* The focus adds the keys once and moves nothing. */
static void check_focus(unsigned columns, const char *figures, const char *keys)
{
	struct conversation *conversation = conversation_new();
	struct turn *t = conversation_answer(conversation, STR("p"), NULL, STR("m"));
	struct look look = { .text_width = 0 };
	struct view view = { .conversation = conversation, .live = t, .look = &look, .at_ms = 250 };
	struct canvas *plain = canvas_new(6, columns), *focused = canvas_new(6, columns);
	struct pane *pane = pane_tools_new();

	turn_delta(t, &(struct delta){ .kind = DELTA_BEGIN });
	for (unsigned i = 0; i < 2; i++) {
		turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { .index = i, .id = STR("c"), .name = STR("get_weather") } });
		turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_ARGUMENTS, .tool = { .index = i }, .text = STR("{\"city\": \"Tokyo\"") });
	}
	draw_calls(pane, &view, plain, false);
	draw_calls(pane, &view, focused, true);
	CHECK(rows_with(plain, "scroll") + rows_with(plain, "y copy") == 0 && rows_with(focused, keys) == 1, "%u columns", columns);
	CHECK(rows_with(plain, figures) == 2 && rows_with(focused, figures) == 2, "%u columns", columns);
	for (unsigned c = columns - 3 - (unsigned)strlen(figures); c < columns; c++)
		CHECK(strcmp(canvas_cell(plain, 0, c)->text, canvas_cell(focused, 0, c)->text) == 0, "%u columns: column %u", columns, c);
	for (unsigned r = 1; r < 6; r++)
		CHECK(canvas_row_equal(plain, focused, r), "%u columns: row %u is not the pane's hairline", columns, r);
	CU_ASSERT_EQUAL(canvas_cell(plain, 0, 0)->role, ROLE_HAIRLINE);
	CU_ASSERT_EQUAL(canvas_cell(focused, 0, 0)->role, ROLE_ACCENT);
	CU_ASSERT_EQUAL(canvas_cell(focused, 0, columns - 1)->role, ROLE_ACCENT);
	pane_free(pane);
	canvas_free(plain);
	canvas_free(focused);
	conversation_free(conversation);
}

static void the_focus_names_its_keys_once_and_moves_no_figure(void)
{
	check_focus(120, "16 B    0.2 s  assembling", "call 1  get_weather \u2500\u2500 j k scroll   y copy \u2500");
	check_focus(80, "16 B    0.2 s  assembling", "j k scroll   y copy");
	check_focus(70, "16 B    0.2 s  assembling", "call 1  get_weather \u2500\u2500 y copy \u2500");
	check_focus(48, "16 B", "call 1  get_weather \u2500\u2500 y copy \u2500");
}

const struct suite suite_arguments = { "arguments", (const struct test[]){
	TEST(shows_the_end_of_any_size),
	TEST(an_object_of_any_size_costs_what_is_added),
	TEST(members_are_lines),
	TEST(values_are_in_one_column),
	TEST(the_source_has_no_lines_of_members),
	TEST(reports_the_state_of_the_arguments),
	TEST(stays_where_the_user_scrolled),
	TEST(scrolls_to_a_hit_once),
	TEST(the_first_bytes_are_counted_at_once),
	TEST(the_focus_names_its_keys_once_and_moves_no_figure),
	{ 0 },
} };
