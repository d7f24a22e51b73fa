#include "app/details.h"

#include "ui/figure.h"
#include "ui/page/page_words.h"

#define TEXT_LIMIT ((size_t)1 << 20)

struct sheet_rows {
	details_row *row;
	void *ctx;
};

static void fact(const struct sheet_rows *to, const char *name, const char *value)
{
	if (value && *value)
		to->row(to->ctx, name, str_from(value));
}

static void printed(const struct sheet_rows *to, const char *name, struct buf *text)
{
	to->row(to->ctx, name, buf_str(text));
	buf_clear(text);
}

static void heading(const struct sheet_rows *to, const char *name)
{
	to->row(to->ctx, name, STR_NONE);
}

static void lines(const struct sheet_rows *to, const char *text)
{
	if (text && *text)
		to->row(to->ctx, NULL, str_trim(str_from(text)));
}

static void tell_turn(const struct sheet_rows *to, const struct turn *t, struct buf *text)
{
	char time[FIGURE_SIZE];

	fact(to, "response id", t->id ? t->id : "none was sent");
	fact(to, "outcome", t->ended ? outcome_name(t->outcome) : "under way");
	fact(to, "finish", t->finish_reason);
	fact(to, "provider", t->scope.provider);
	fact(to, "protocol", t->scope.protocol_name);
	fact(to, "asked for", t->scope.model);
	fact(to, "answered by", t->model);
	if (t->routed_known) {
		fact(to, "routed", t->route.routed == 1 ? "yes" : t->route.routed == 0 ? "no" : "the server did not say");
		fact(to, "routed to", t->routed_model);
	}
	if (t->routed_known && t->route.routing_latency_ms >= 0) {
		buf_printf(text, "%.0f ms", t->route.routing_latency_ms);
		printed(to, "routing took", text);
	}
	if (t->meter.begun) {
		buf_printf(text, "%.2f s", t->meter.first_ms / 1000); /* as the status bar has it */
		printed(to, "first token", text);
	}
	if (t->ended && t->ended_ms >= 0)
		fact(to, "whole time", figure_seconds(time, t->ended_ms));
}

static void tell_usage(const struct sheet_rows *to, const struct turn *t, struct buf *text)
{
	char figure[FIGURE_SIZE];

	if (!usage_is_known(&t->usage)) {
		buf_printf(text, "the server sent none%s; about %lld by our estimate", t->ended ? "" : " yet", (long long)meter_tokens(&t->meter));
		printed(to, "tokens", text);
		return;
	}
	for (unsigned place = 0; place < USAGE_FIGURE_COUNT; place++) {
		enum usage_figure i = usage_in_order(place);

		if (t->usage.of[i].sent)
			fact(to, usage_row(i)->label, figure_count(figure, t->usage.of[i].number));
	}
}

static void tell_trouble(const struct sheet_rows *to, const struct turn *t, struct buf *text)
{
	if (!t->has_error && !t->note_count)
		return;
	heading(to, "Trouble");
	if (t->has_error) {
		page_words_error(t, text);
		printed(to, "error", text);
	}
	for (size_t i = 0; i < t->note_count; i++)
		fact(to, t->notes[i].rule, t->notes[i].text);
}

static void tell_wire(const struct sheet_rows *to, const struct turn *t)
{
	bool has_lines = (t->details && *t->details) || (t->earlier && *t->earlier);

	if (!has_lines && !t->tape)
		return;
	heading(to, "Wire");
	if (t->tape) {
		to->row(to->ctx, NULL, STR("tape"));
		lines(to, t->tape);
	}
	lines(to, t->details);
	lines(to, t->earlier);
}

void details_tell(const struct turn *t, details_row *row, void *ctx)
{
	struct sheet_rows to = { row, ctx };
	struct buf text;

	buf_init(&text, TEXT_LIMIT);
	heading(&to, "Turn");
	tell_turn(&to, t, &text);
	heading(&to, "Tokens");
	tell_usage(&to, t, &text);
	tell_trouble(&to, t, &text);
	tell_wire(&to, t);
	buf_fini(&text);
}
