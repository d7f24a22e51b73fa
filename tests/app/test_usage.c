/* A figure of usage is one row in wire/usage.h; these tests check every place that must have it. */
#include <stdio.h>
#include <string.h>

#include "app/cli/man.h"
#include "app/session/details.h"
#include "base/json.h"
#include "chat/conversation/conversation.h"
#include "store/config/price_table.h"
#include "support/check.h"
#include "ui/pane/status.h"
#include "wire/event.h"
#include "wire/protocol/protocol.h"
#include "wire/summary.h"

#define EACH_FIGURE(i) (enum usage_figure i = 0; i < USAGE_FIGURE_COUNT; i++)

/* A delta with a different number for each figure. */
static struct delta all_figures(void)
{
	struct delta delta = { .kind = DELTA_USAGE };

	for EACH_FIGURE(i)
		delta.usage.of[i] = (struct count)COUNT_SENT(101 + (int)i);
	return delta;
}

static void check_members(const struct json *usage, bool sent, const char *where)
{
	int64_t number;

	for EACH_FIGURE(i) {
		const char *member = usage_row(i)->member;
		bool known = json_count(json_get(usage, member), &number);

		CHECK(known == sent && (!sent || number == 101 + (int)i), "%s: %s", where, member);
	}
}

/* Checks that the text has each member; figures that were not sent are null. */
static void check_json(struct str text, const char *object, bool sent, const char *where)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *value = json_parse(parser, text, &used);

	for EACH_FIGURE(i)
		CHECK(str_find(text, str_from(usage_row(i)->member)) < text.len, "%s: %s", where, usage_row(i)->member);
	check_members(object ? json_get(value, object) : value, sent, where);
	json_parser_free(parser);
}

static void summary_and_events_tell_every_figure(void)
{
	const struct delta sent = all_figures(), unsent = { .kind = DELTA_USAGE };

	for (int known = 0; known < 2; known++) {
		const struct delta *delta = known ? &sent : &unsent;
		struct summary *summary = summary_new();
		struct buf text = { 0 };

		summary_delta(summary, delta);
		summary_write(summary, STR("p"), STR("d"), &text);
		check_json(buf_str(&text), "usage", known, "summary");
		buf_clear(&text);
		event_write(delta, &text);
		check_json(buf_str(&text), NULL, known, "event");
		buf_fini(&text);
		summary_free(summary);
	}
}

static void the_details_tell_row(void *ctx, const char *name, struct str value)
{
	buf_printf(ctx, "%s: %.*s\n", name ? name : "", STR_ARG(value));
}

static void the_details_tell_every_figure(void)
{
	struct conversation *conversation = conversation_new();
	struct turn *turn = conversation_answer(conversation, STR("p"), NULL, STR("m"));
	const struct delta delta = all_figures();
	struct buf text = { 0 };

	turn_delta(turn, &delta);
	details_tell(turn, the_details_tell_row, &text);
	for EACH_FIGURE(i) {
		char row[64];

		snprintf(row, sizeof row, "\n%s: %d\n", usage_row(i)->label, 101 + (int)i);
		CHECK(str_find(buf_str(&text), str_from(row)) < text.len, "no row%sin %s", row, buf_z(&text));
	}
	buf_fini(&text);
	conversation_free(conversation);
}

static void every_figure_is_a_field_of_the_status_bar(void)
{
	struct conversation *conversation = conversation_new();
	struct look look = { .reasoning = REASONING_VIEW_HIDDEN }; /* else its pane shows the figure */
	struct view view = { .conversation = conversation, .state = VIEW_READY, .look = &look };
	struct turn *turn = conversation_answer(conversation, STR("p"), NULL, STR("m"));
	const struct delta delta = all_figures();
	static struct status_text text;

	turn_delta(turn, &delta);
	turn_delta(turn, &(struct delta){ .kind = DELTA_END, .end = { OUTCOME_COMPLETE } });
	for EACH_FIGURE(i) {
		enum status_field field = (enum status_field)(STATUS_PROMPT + i);
		char number[16];

		snprintf(number, sizeof number, "%d", 101 + (int)i);
		status_format(&text, &view, turn);
		CHECK(strstr(text.of[field], number), "%s says '%s'", usage_row(i)->word, text.of[field]);
	}
	conversation_free(conversation);
}

static const char *help_of_price(const char *price)
{
	for (size_t i = 0; price_table_help_at(i).name; i++)
		if (!strcmp(price_table_help_at(i).name, price))
			return price_table_help_at(i).help;
	return NULL;
}

static void prices_can_be_set_and_are_explained(void)
{
	for EACH_FIGURE(i) {
		const char *price = usage_price(i)->name;
		struct price_table t = { NULL, 0, 0 };
		struct prices prices = { .prompt_below = 0 };
		struct error err = { "" };

		if (!price)
			continue;
		CU_ASSERT_PTR_NOT_NULL(help_of_price(price));
		CHECK(price_table_set(&t, STR("*"), str_from(price), STR("1"), &err), "%s", err.text);
		CHECK(price_table_set(&t, STR("*"), STR("input"), STR("1"), &err), "%s", err.text);
		CU_ASSERT_TRUE(price_table_prices(&t, STR("m"), &prices) && prices.of[i].known);
		price_table_fini(&t);
	}
}

const struct suite suite_usage = { "usage", (const struct test[]){
	TEST(summary_and_events_tell_every_figure),
	TEST(the_details_tell_every_figure),
	TEST(every_figure_is_a_field_of_the_status_bar),
	TEST(prices_can_be_set_and_are_explained),
	{ 0 },
} };
