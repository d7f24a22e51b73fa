#include "chat/conversation/conversation.h"
#include "ui/pane/status.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "ui/dump.h"
#include "ui/pane/pane.h"
#include "ui/pane/spark.h"

static void check_spark(const double values[SPARK_COLUMNS], bool ascii, const char *expected)
{
	char out[SPARK_SIZE];

	spark_write(out, values, SPARK_COLUMNS, ascii);
	CHECK(!strcmp(out, expected), "'%s', not '%s'", out, expected);
}

static void sparklines_scale_to_the_highest_value(void)
{
	check_spark((double[SPARK_COLUMNS]){ 0 }, false, "        ");
	check_spark((double[SPARK_COLUMNS]){ 1, 2, 3, 4, 5, 6, 7, 8 }, false, "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588");
	check_spark((double[SPARK_COLUMNS]){ 1, 2, 3, 4, 5, 6, 7, 8 }, true, ".:-=+*#@");
	check_spark((double[SPARK_COLUMNS]){ 1e-9, 0, 1e12 }, false, "\u2581 \u2588     "); /* a tiny value is not drawn as zero */
}

/* --- the bar --- */

struct bar {
	struct conversation *conversation;
	struct turn *turn;
	struct pane *pane;
	struct look look;
	struct view view;
};

static void bar_init(struct bar *b)
{
	setlocale(LC_ALL, "C.UTF-8");
	*b = (struct bar){ .conversation = conversation_new(), .pane = pane_status_new() };
	turn_add(conversation_ask(b->conversation), PART_TEXT, STR("why?"), STR_NONE, STR_NONE);
	b->turn = conversation_answer(b->conversation, STR("sansa"), NULL, STR("sansa-auto"));
	b->turn->meter.asked.narrow = 400;
	b->view = (struct view){ .conversation = b->conversation, .provider = STR("sansa"), .model = STR("sansa-auto"), .look = &b->look,
	                         .help_key = "?", .live = b->turn, .state = VIEW_CONNECTING };
}

static void bar_fini(struct bar *b)
{
	b->pane->ops->free(b->pane);
	conversation_free(b->conversation);
}

static void bar_deliver(struct bar *b, struct delta delta)
{
	delta.at_ms = b->view.at_ms;
	meter_delta(&b->turn->meter, &delta);
	turn_delta(b->turn, &delta);
}

static void bar_ends(struct bar *b, int64_t in, int64_t cached, int64_t out)
{
	bar_deliver(b, (struct delta){ .kind = DELTA_TEXT, .text = STR("Because.") });
	bar_deliver(b, (struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(in), [USAGE_CACHED] = COUNT_SENT(cached),
	                                                                  [USAGE_COMPLETION] = COUNT_SENT(out) } });
	bar_deliver(b, (struct delta){ .kind = DELTA_END, .end = { OUTCOME_COMPLETE } });
	b->view.live = NULL;
	b->view.state = VIEW_READY;
}

/* The row as it is drawn, valid until the next call. */
static const char *bar_row(struct bar *b, unsigned columns)
{
	static char row[1000];
	struct canvas *canvas = canvas_new(1, columns);
	struct buf out;

	buf_init(&out, sizeof row - 1);
	canvas_clear(canvas);
	pane_draw(b->pane, &b->view, canvas, (struct area){ 0, 0, 1, columns }, false);
	dump_canvas(canvas, false, &out);
	snprintf(row, sizeof row, "%.*s", (int)strcspn(buf_z(&out), "\n"), buf_z(&out));
	buf_fini(&out);
	canvas_free(canvas);
	return row;
}

static void bar_check(struct bar *b, unsigned columns, const char *expected)
{
	const char *row = bar_row(b, columns);

	CHECK(!strcmp(row, expected), "%u columns:\n'%s', not\n'%s'", columns, row, expected);
}

/* The columns at which fields begin; -1: not shown. */
static void bar_note_places(struct bar *b, unsigned columns, int places[6])
{
	static const char *const words[] = { " in ", " out ", " tok/s", " first ", "? help", " s" };
	const char *row = bar_row(b, columns);

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *at = strstr(row, words[i]);

		places[i] = at ? (int)utf8_width((struct str){ row, (size_t)(at - row) }) : -1;
	}
	const char *last = strrchr(row, 's'); /* of the time elapsed */
	places[5] = columns >= 100 && last ? (int)utf8_width((struct str){ row, (size_t)(last - row) }) : -1;
}

static void check_places(struct bar *b, const int before[6], unsigned columns, const char *when)
{
	int now[6];

	bar_note_places(b, columns, now);
	for (int i = 0; i < 6; i++)
		CHECK(now[i] == before[i], "%u columns, %s: field %d moved from %d to %d: %s", columns, when, i, before[i], now[i], bar_row(b, columns));
}

/* Figures and names appear and grow; no field moves. */
static void fields_keep_their_place_while_streaming(void)
{
	static const unsigned widths[] = { 200, 120, 100, 80, 60, 40 };

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		struct bar b;
		int places[6];

		bar_init(&b);
		bar_note_places(&b, widths[i], places);
		CHECK(places[0] > 0 && places[1] > 0, "%s", bar_row(&b, widths[i]));
		b.view.state = VIEW_STREAMING;
		b.view.at_ms = 500;
		bar_deliver(&b, (struct delta){ .kind = DELTA_BEGIN, .meta = { STR("1"), STR("gpt-5.4-mini") } });
		bar_deliver(&b, (struct delta){ .kind = DELTA_TEXT, .text = STR("Because") });
		check_places(&b, places, widths[i], "begun");
		bar_deliver(&b, (struct delta){ .kind = DELTA_ROUTE, .route = { 1, STR("somebody/a-model-with-a-very-long-name"), 3 } });
		bar_deliver(&b, (struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(98765), [USAGE_CACHED] = COUNT_SENT(87654) } });
		b.view.at_ms = 750;
		check_places(&b, places, widths[i], "figures");
		for (int k = 0; k < 20000; k++)
			bar_deliver(&b, (struct delta){ .kind = DELTA_TEXT, .text = STR("many more words ") });
		b.view.at_ms = 99000;
		check_places(&b, places, widths[i], "long");
		bar_fini(&b);
	}
}

static void shows_the_running_turn(void)
{
	struct bar b;

	bar_init(&b);
	bar_check(&b, 120, " connecting sansa-auto           in ~100   out -          - tok/s           first      -  0.0 s                  ? help");
	b.view.state = VIEW_STREAMING;
	b.view.at_ms = 500;
	bar_deliver(&b, (struct delta){ .kind = DELTA_BEGIN, .meta = { STR("1"), STR("gpt-5.4-mini") } });
	bar_deliver(&b, (struct delta){ .kind = DELTA_TEXT, .text = STR("Because of the rain. ") });
	bar_deliver(&b, (struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(12), [USAGE_CACHED] = COUNT_SENT(8) } });
	b.view.at_ms = 1500;
	b.view.set.system = true;
	bar_check(&b, 120, " streaming  gpt-5.4-mini         in 12     out ~6         - tok/s       \u2588   first 0.50 s  1.5 s  8 cached        ? help");
	bar_deliver(&b, (struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(12), [USAGE_CACHED] = COUNT_SENT(0) } });
	b.view.at_ms = 1750;
	bar_check(&b, 80, " streaming  gpt-5.4-mini   in 12     out ~6         - tok/s               ? help"); /* a zero is not shown */
	bar_fini(&b);
}

/* Nothing is said of the prompt, and nothing stands in its place, until the server counts it. */
static void a_prompt_that_is_not_known_has_no_place(void)
{
	struct bar b;

	bar_init(&b);
	b.turn->meter.asked.narrow = 0;
	b.view.state = VIEW_STREAMING;
	bar_deliver(&b, (struct delta){ .kind = DELTA_TEXT, .text = STR("Because") });
	bar_check(&b, 80, " streaming  sansa-auto      out ~2         - tok/s                        ? help");
	bar_deliver(&b, (struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(12) } });
	b.view.at_ms = 250;
	bar_check(&b, 80, " streaming  sansa-auto      out ~2         - tok/s  in 12                 ? help");
	bar_fini(&b);
}

static void shows_the_conversation_while_nothing_runs(void)
{
	struct bar b;

	bar_init(&b);
	bar_ends(&b, 31200, 28000, 8204);
	bar_check(&b, 100, " ready      sansa-auto \u00b7 sansa  1 turn  tokens in 31.2k (28.0k cached)  out 8.2k             ? help");
	turn_set_prices(b.turn, &(struct prices){ .of = { [USAGE_PROMPT] = MONEY(0.5), [USAGE_COMPLETION] = MONEY(3.1) } }, "the test");
	b.view.context_tokens = 400000;
	b.view.set = (struct view_set){ .system = true, .tools = true, .tool_count = 4, .schema = true, .reasoning = "high",
		.server_tools = 1u << SERVER_CAN_WEB_SEARCH | 1u << SERVER_CAN_CODE };
	b.look.raw = true;
	bar_check(&b, 180, " ready      sansa-auto \u00b7 sansa  1 turn  tokens in 31.2k (28.0k cached)  out 8.2k  ~$0.041  ctx 10 %"
	          "   system  4 tools  schema  reasoning high  web_search,code  plain source  ? help");
	b.view.context_tokens = 40000000;
	turn_set_prices(b.turn, &(struct prices){ .of = { [USAGE_PROMPT] = MONEY(0), [USAGE_COMPLETION] = MONEY(0) } }, "the test"); /* costs nothing */
	b.view.set = (struct view_set){ .tools = true };
	b.look.raw = false;
	bar_check(&b, 100, " ready      sansa-auto \u00b7 sansa  1 turn  in 31.2k (28.0k cached)  out 8.2k  ctx <1 %   tools  ? help");
	bar_fini(&b);
}

static void marks_sums_that_contain_estimates(void)
{
	struct bar b;

	bar_init(&b);
	bar_deliver(&b, (struct delta){ .kind = DELTA_TEXT, .text = STR("12345678") });
	bar_deliver(&b, (struct delta){ .kind = DELTA_END, .end = { OUTCOME_CUT } });
	b.view.live = NULL;
	b.view.state = VIEW_READY;
	bar_check(&b, 80, " ready      sansa-auto \u00b7 sansa  1 turn  tokens in ~100  out ~2           ? help");
	bar_fini(&b);
}

/* `words`: one of each field, in the order in which the fields are dropped. */
static void check_dropping(struct bar *b, const char *const *words, size_t count, unsigned least)
{
	size_t shown_before = count;

	for (unsigned columns = 200; columns >= least; columns--) {
		const char *row = bar_row(b, columns);
		size_t shown = 0;

		while (shown < count && strstr(row, words[count - 1 - shown]))
			shown++;
		CHECK(shown <= shown_before, "%u columns: %s", columns, row);
		for (size_t i = 0; i + shown < count; i++)
			CHECK(!strstr(row, words[i]), "%u columns: \"%s\" stays, \"%s\" does not: %s", columns, words[i], words[count - 1 - shown], row);
		shown_before = shown;
	}
	CHECK(shown_before == 0, "%zu of %zu are not dropped at %u columns", shown_before, count, least);
}

static void drops_fields_in_the_order_of_their_ranks(void)
{
	static const char *const running[] = { "\u2588", "0.9 s", "first", "cached", "tok/s" };
	static const char *const else_[] = { "system", "\u00b7 sansa", "1 turn", "cached", "$", "ctx" };
	struct bar b;

	bar_init(&b);
	b.view.state = VIEW_STREAMING;
	b.view.at_ms = 250;
	bar_deliver(&b, (struct delta){ .kind = DELTA_TEXT, .text = STR("Because of the rain. ") });
	bar_deliver(&b, (struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(12), [USAGE_CACHED] = COUNT_SENT(8) } });
	b.view.at_ms = 900;
	check_dropping(&b, running, sizeof running / sizeof *running, 40);
	bar_ends(&b, 31200, 28000, 8204);
	turn_set_prices(b.turn, &(struct prices){ .of = { [USAGE_PROMPT] = MONEY(0.5), [USAGE_COMPLETION] = MONEY(3.1) } }, "the test");
	b.view.context_tokens = 400000;
	b.view.set.system = true;
	check_dropping(&b, else_, sizeof else_ / sizeof *else_, 40);
	bar_fini(&b);
}

/* Fields that do not fit: the sparkline goes first, then the time, then the first token, then cached, then the rate. */
static void a_running_turn_is_told_whole_in_100_columns(void)
{
	static const char *const models[] = { "gpt-5.4-mini", "anthropic/claude-sonnet-4-5-20250929" };
	static const struct { unsigned columns; const char *rows[2]; } widths[] = {
		{ 120, { " streaming  gpt-5.4-mini         in 31k    out ~6         - tok/s        \u2588  first 0.25 s  0.9 s  28k cached      ? help",
		         " streaming  claude-sonnet-4-5-2025\u2026  in 31k    out ~6         - tok/s        \u2588  first 0.25 s  0.9 s  28k cached   ? help" } },
		{ 100, { " streaming  gpt-5.4-mini  in 31k    out ~6         - tok/s  first 0.25 s  0.9 s  28k cached   ? help",
		         " streaming  claude-sonn\u2026  in 31k    out ~6         - tok/s  first 0.25 s  0.9 s  28k cached   ? help" } },
		{ 80, { " streaming  gpt-5.4-mini   in 31k    out ~6         - tok/s  28k cached   ? help",
		        " streaming  claude-sonne\u2026  in 31k    out ~6         - tok/s  28k cached   ? help" } },
		{ 60, { " streaming  gpt-5.4-mini        in 31k    out ~6      ? help", " streaming  claude-sonnet-4-5\u2026  in 31k    out ~6      ? help" } },
		{ 40, { " streaming  gpt-5\u2026  in 31k    out ~6", " streaming  claud\u2026  in 31k    out ~6" } },
		{ 20, { "streaming out ~6", "streaming out ~6" } },
	};

	for (size_t m = 0; m < 2; m++) {
		struct bar b;

		bar_init(&b);
		b.view.model = str_from(models[m]);
		str_replace(&b.turn->scope.model, str_from(models[m]));
		b.view.state = VIEW_STREAMING;
		b.view.at_ms = 250;
		bar_deliver(&b, (struct delta){ .kind = DELTA_TEXT, .text = STR("Because of the rain. ") });
		bar_deliver(&b, (struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(31200), [USAGE_CACHED] = COUNT_SENT(28000) } });
		b.view.at_ms = 900;
		for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
			bar_check(&b, widths[i].columns, widths[i].rows[m]);
		bar_fini(&b);
	}
}

static void keeps_help_from_60_columns_and_figures_from_40(void)
{
	struct bar b;

	bar_init(&b);
	b.view.state = VIEW_STREAMING;
	b.view.help_key = "F1";
	for (unsigned columns = 200; columns >= 20; columns--) {
		const char *row = bar_row(&b, columns);

		CHECK((strstr(row, "F1 help") != NULL) == (columns >= 60), "%u columns: %s", columns, row);
		CHECK(strstr(row, "streaming") && strstr(row, "out -"), "%u columns: %s", columns, row);
		CHECK(columns < 40 || (strstr(row, "in ~100") && strstr(row, "sans")), "%u columns: %s", columns, row);
	}
	bar_fini(&b);
}

/* While one types, another key opens the help, or none. */
static void another_help_key_moves_no_other_field(void)
{
	static const char *const keys[] = { "F1", "" };
	static const unsigned widths[] = { 120, 100, 80, 60, 40 };

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		struct bar b;
		int before[6], now[6];

		bar_init(&b);
		b.view.help_key_columns = 2;
		bar_note_places(&b, widths[i], before);
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
			b.view.help_key = keys[k];
			b.view.at_ms += 250;
			bar_note_places(&b, widths[i], now);
			CHECK(!memcmp(before, now, 4 * sizeof *now), "%u columns, \"%s\": %s", widths[i], keys[k], bar_row(&b, widths[i]));
			CHECK((strstr(bar_row(&b, widths[i]), "F1 help") != NULL) == (widths[i] >= 60 && *keys[k]), "%s", bar_row(&b, widths[i]));
		}
		bar_fini(&b);
	}
}

const struct suite suite_status = { "status", (const struct test[]){
	
	
	
	TEST(sparklines_scale_to_the_highest_value),
	TEST(fields_keep_their_place_while_streaming),
	TEST(shows_the_running_turn),
	TEST(a_prompt_that_is_not_known_has_no_place),
	TEST(shows_the_conversation_while_nothing_runs),
	TEST(marks_sums_that_contain_estimates),
	
	TEST(drops_fields_in_the_order_of_their_ranks),
	TEST(a_running_turn_is_told_whole_in_100_columns),
	TEST(keeps_help_from_60_columns_and_figures_from_40),
	TEST(another_help_key_moves_no_other_field),
	{ 0 },
} };
