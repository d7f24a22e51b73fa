#include "app/session/details.h"

#include "chat/conversation/totals.h"
#include "chat/conversation/turn.h"
#include "render/chart.h"
#include "chat/conversation/figure.h"
#include "ui/page/page_words.h"

#define TEXT_LIMIT ((size_t)1 << 20)

struct sheet_rows {
	details_row *row;
	void *ctx;
};

static void details_fact(const struct sheet_rows *to, const char *name, const char *value)
{
	if (value && *value)
		to->row(to->ctx, name, str_from(value));
}

static void details_printed(const struct sheet_rows *to, const char *name, struct buf *text)
{
	to->row(to->ctx, name, buf_str(text));
	buf_clear(text);
}

static void details_heading(const struct sheet_rows *to, const char *name)
{
	to->row(to->ctx, name, STR_NONE);
}

static void details_lines(const struct sheet_rows *to, const char *text)
{
	if (text && *text)
		to->row(to->ctx, NULL, str_trim(str_from(text)));
}

/* --- the rate --- */

#define QUARTERS 4
#define SPAN_LEAST_MS 1000.0 /* a shorter answer has no course */

static double details_span_ms(const struct turn *t)
{
	return t->meter.begun ? t->meter.last_ms - t->meter.first_ms : 0;
}

/* "57.3 tokens a second; in quarters of that time 12, 60, 58, 40" */
static void details_tell_rate(const struct sheet_rows *to, const struct turn *t, struct buf *text)
{
	double rate = meter_rate(&t->meter, usage_is_known(&t->usage) ? &t->usage : NULL), tokens[QUARTERS], span_ms = details_span_ms(t);

	if (rate < 0)
		return;
	buf_printf(text, "%s%.1f tokens a second", t->usage.of[USAGE_COMPLETION].number ? "" : "~", rate);
	meter_course(&t->meter, tokens, QUARTERS);
	for (size_t i = 0; i < QUARTERS && span_ms >= SPAN_LEAST_MS; i++)
		buf_printf(text, "%s%.0f", i ? ", " : "; in quarters of its time ~", tokens[i] * QUARTERS * 1000 / span_ms);
	details_printed(to, "rate", text);
}

#define CHART_COLUMNS 56
#define CHART_ROWS 4

void details_chart(const struct turn *t, bool ascii, struct buf *out)
{
	double tokens[METER_PROFILE], width_ms = details_span_ms(t) / METER_PROFILE, sum = 0;
	struct chart_point points[METER_PROFILE + 2] = { { 0, 0 } };
	const struct chart chart = { .title = STR("estimated tokens a second"), .shape = CHART_AREA, .x_unit = CHART_MS,
	                             .series = { { .at = points, .count = METER_PROFILE + 2 } }, .series_count = 1 };

	meter_course(&t->meter, tokens, METER_PROFILE);
	for (size_t i = 0; i < METER_PROFILE; sum += tokens[i++])
		points[i + 1] = (struct chart_point){ t->meter.first_ms + (double)i * width_ms, width_ms > 0 ? tokens[i] * 1000 / width_ms : 0 };
	points[METER_PROFILE + 1].x = t->meter.last_ms;
	if (details_span_ms(t) >= SPAN_LEAST_MS && sum > 0)
		chart_text(&chart, CHART_COLUMNS, CHART_ROWS, ascii ? CHART_ASCII : CHART_BLOCKS, out);
}

/* --- rows --- */

static void details_tell_turn(const struct sheet_rows *to, const struct turn *t, struct buf *text)
{
	char time[FIGURE_SIZE];

	details_fact(to, "response id", t->id ? t->id : "none was sent");
	details_fact(to, "outcome", t->ended ? outcome_name(t->outcome) : "under way");
	details_fact(to, "finish", t->finish_reason);
	details_fact(to, "provider", t->scope.provider);
	details_fact(to, "protocol", t->scope.protocol_name);
	details_fact(to, "asked for", t->scope.model);
	details_fact(to, "answered by", t->model);
	if (t->routed_known) {
		details_fact(to, "routed", t->route.routed == 1 ? "yes" : t->route.routed == 0 ? "no" : "the server did not say");
		details_fact(to, "routed to", t->routed_model);
	}
	if (t->routed_known && t->route.routing_latency_ms >= 0) {
		buf_printf(text, "%.0f ms", t->route.routing_latency_ms);
		details_printed(to, "routing took", text);
	}
	if (t->meter.begun) {
		buf_printf(text, t->meter.first_ms < 5 ? "<0.01 s" : "%.2f s", t->meter.first_ms / 1000); /* the format of the status bar */
		details_printed(to, "first token", text);
	}
	if (t->ended && t->ended_ms >= 0)
		details_fact(to, "whole time", t->ended_ms < 50 ? "<0.1 s" : figure_seconds(time, t->ended_ms));
	details_tell_rate(to, t, text);
}

static void details_tell_usage(const struct sheet_rows *to, const struct turn *t, struct buf *text)
{
	char figure[FIGURE_SIZE];

	if (!usage_is_known(&t->usage)) {
		buf_printf(text, "the server sent none%s", t->ended ? "" : " yet");
		if (meter_tokens(&t->meter))
			buf_printf(text, "; about %lld by our estimate", (long long)meter_tokens(&t->meter));
		details_printed(to, "tokens", text);
		return;
	}
	for (unsigned place = 0; place < USAGE_FIGURE_COUNT; place++) {
		enum usage_figure i = usage_in_order(place);

		if (t->usage.of[i].sent)
			details_fact(to, usage_row(i)->label, figure_count(figure, t->usage.of[i].number));
	}
	details_fact(to, "money", figure_cost(figure, turn_spending(t).cost));
}

static void details_tell_trouble(const struct sheet_rows *to, const struct turn *t, struct buf *text)
{
	if (!t->has_error && !t->note_count)
		return;
	details_heading(to, "Trouble");
	if (t->has_error) {
		page_words_error(t, text);
		details_printed(to, "error", text);
	}
	for (size_t i = 0; i < t->note_count; i++)
		details_fact(to, t->notes[i].rule, t->notes[i].text);
}

static void details_tell_wire(const struct sheet_rows *to, const struct turn *t)
{
	bool has_lines = (t->details && *t->details) || (t->earlier && *t->earlier);

	if (!has_lines && !t->tape)
		return;
	details_heading(to, "Wire");
	if (t->tape) {
		to->row(to->ctx, NULL, STR("tape"));
		details_lines(to, t->tape);
	}
	details_lines(to, t->details);
	details_lines(to, t->earlier);
}

void details_tell(const struct turn *t, details_row *row, void *ctx)
{
	struct sheet_rows to = { .row = row, .ctx = ctx };
	struct buf text;

	buf_init(&text, TEXT_LIMIT);
	details_heading(&to, "Turn");
	details_tell_turn(&to, t, &text);
	details_heading(&to, "Tokens");
	details_tell_usage(&to, t, &text);
	details_tell_trouble(&to, t, &text);
	details_tell_wire(&to, t);
	buf_fini(&text);
}
