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
#include "wire/stream.h"
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

/* The members of summary and events are fixed: a figure that came later is told elsewhere. */
static void check_members(const struct json *usage, bool sent, const char *where)
{
	int64_t number;

	for (enum usage_figure i = 0; i < USAGE_SUMMARY_COUNT; i++) {
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
		CHECK((str_find(text, str_from(usage_row(i)->member)) < text.len) == (i < USAGE_SUMMARY_COUNT), "%s: %s", where, usage_row(i)->member);
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

/* --- what the decoders know --- */

static void take_usage(void *usage, const struct delta *d)
{
	if (d->kind == DELTA_USAGE)
		*(struct usage *)usage = d->usage;
}

static void media_and_searches_are_counted(void)
{
	static const struct { const struct protocol *protocol; const char *body; int64_t image, audio, searches; } cases[] = {
		{ &protocol_openai_chat, "data: {\"choices\":[],\"usage\":{\"completion_tokens\":9,\"completion_tokens_details\":{\"image_tokens\":5,\"audio_tokens\":2},"
		  "\"server_tool_use\":{\"web_search_requests\":3}}}\n\n", 5, 2, 3 },
		{ &protocol_anthropic, "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{},\"usage\":{\"output_tokens\":4,"
		  "\"server_tool_use\":{\"web_search_requests\":1}}}\n\n", 0, 0, 1 },
		{ &protocol_gemini, "data: {\"usageMetadata\":{\"candidatesTokenCount\":9,\"candidatesTokensDetails\":[{\"modality\":\"TEXT\",\"tokenCount\":1},"
		  "{\"modality\":\"IMAGE\",\"tokenCount\":6},{\"modality\":\"AUDIO\",\"tokenCount\":2}]}}\n\n", 6, 2, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct usage usage = { 0 };
		struct stream *stream = stream_new(&(struct stream_options){ .protocol = cases[i].protocol, .untimed = true }, take_usage, &usage);

		stream_head(stream, &(struct response_head){ .status = 200 }, 0);
		stream_body(stream, str_from(cases[i].body), 0);
		stream_end(stream, END_CLOSED, 0);
		CHECK(usage.of[USAGE_IMAGE].number == cases[i].image && usage.of[USAGE_AUDIO].number == cases[i].audio &&
		      usage.of[USAGE_SEARCHES].number == cases[i].searches, "%s", cases[i].protocol->name);
		stream_free(stream);
	}
}

const struct suite suite_usage = { "usage", (const struct test[]){
	TEST(media_and_searches_are_counted),
	TEST(summary_and_events_tell_every_figure),
	TEST(the_details_tell_every_figure),
	TEST(every_figure_is_a_field_of_the_status_bar),
	TEST(prices_can_be_set_and_are_explained),
	{ 0 },
} };
