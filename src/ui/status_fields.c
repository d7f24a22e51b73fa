#include "ui/status.h"

#include <stdio.h>
#include <string.h>

#include "ui/figure.h"
#include "ui/spark.h"

#define ROUGHLY 10000           /* estimates from here on are told in thousands: their last digits mean nothing */

static const char *const words[STATUS_COUNT] = {
	[STATUS_STATE] = "state",         [STATUS_PROVIDER] = "provider", [STATUS_MODEL] = "model",         [STATUS_ROUTED] = "routed",
	[STATUS_PROTOCOL] = "protocol",   [STATUS_IN] = "in",             [STATUS_CACHED] = "cached",       [STATUS_OUT] = "out",
	[STATUS_REASONING] = "reasoning", [STATUS_RATE] = "rate",         [STATUS_SPARKLINE] = "sparkline", [STATUS_FIRST] = "first",
	[STATUS_ELAPSED] = "elapsed",     [STATUS_KEYS] = "keys",
};

/* --- the choice --- */

static bool refuse(struct str word, struct error *err)
{
	struct buf known;

	buf_init(&known, 1000);
	for (int i = 0; i < STATUS_COUNT; i++)
		buf_printf(&known, "%s%s", i ? ", " : "", words[i]);
	error_set(err, "status: there is no field \"%.*s\"; there are %s", STR_ARG(str_head(word, 40)), buf_z(&known));
	buf_fini(&known);
	return false;
}

static bool has(const struct status_choice *choice, int field)
{
	return memchr(choice->fields, field, choice->count) != NULL;
}

static void choose_all(struct status_choice *choice)
{
	for (choice->count = 0; choice->count < STATUS_COUNT; choice->count++)
		choice->fields[choice->count] = choice->count;
}

bool status_choose(struct status_choice *choice, struct str text, struct error *err)
{
	struct str word;

	*choice = (struct status_choice){ .count = 0 };
	while (str_split(&text, ' ', &word)) {
		int field = 0;

		word = str_ends(word, ",") ? str_head(word, word.len - 1) : word;
		while (field < STATUS_COUNT && !str_is(word, words[field]))
			field++;
		if (word.len && field == STATUS_COUNT)
			return refuse(word, err);
		if (word.len && !has(choice, field))
			choice->fields[choice->count++] = (uint8_t)field;
	}
	if (!choice->count)
		choose_all(choice);
	return true;
}

/* --- the state --- */

void status_tell_state(struct status_text *out, const struct view *view)
{
	static const char *const states[] = {
		[VIEW_READY] = "ready",         [VIEW_KEY] = "key",       [VIEW_CONNECTING] = "connecting", [VIEW_WAITING] = "waiting",
		[VIEW_STREAMING] = "streaming", [VIEW_RETRYING] = "retrying",  [VIEW_PAUSED] = "paused", [VIEW_REPLAYING] = "replay",
	};
	char counted[32];
	bool retries = view->state == VIEW_RETRYING, quiet = !retries && view->quiet_ms >= VIEW_QUIET_MS && view->state != VIEW_READY;

	snprintf(counted, sizeof counted, "%s %lld s", retries ? "retry" : "quiet",
	         (long long)(retries ? view->retry_ms + 999 : view->quiet_ms) / 1000);
	if (view->message)
		snprintf(out->of[STATUS_STATE], STATUS_TEXT, "%.100s  ", view->message);
	else
		snprintf(out->of[STATUS_STATE], STATUS_TEXT, "%-10s",
		         retries || quiet ? counted : states[view->state]);
}

/* --- the turn --- */

/* Whom the figures are of; while nothing runs, who is asked next. */
static void tell_names(struct status_text *out, const struct view *view, const struct turn *t)
{
	bool next = !view->live && !view->replay;
	struct str provider = next || !t ? view->provider : str_from(t->scope.provider);
	bool asked = t && t->scope.model && *t->scope.model;
	struct str model = next || !t ? view->model : asked ? str_from(t->scope.model) : view->replay ? str_from(t->model) : view->model;
	const char *routed = t ? (t->routed_model && *t->routed_model ? t->routed_model : t->model) : NULL;
	struct str protocol = next || !t || !*t->scope.protocol_name ? view->protocol : str_from(t->scope.protocol_name);

	if (provider.len)
		snprintf(out->of[STATUS_PROVIDER], STATUS_TEXT, "%.*s", STR_ARG(str_head(provider, 40)));
	snprintf(out->of[STATUS_MODEL], STATUS_TEXT, "%.*s",
	         STR_ARG(model.len ? str_head(model, 60) : view->replay ? STR_NONE : STR("no model")));
	if (routed && *routed && t->scope.model && str_equal(model, str_from(t->scope.model)) && !str_is(model, routed))
		snprintf(out->of[STATUS_ROUTED], STATUS_TEXT, "-> %.60s", routed);
	snprintf(out->of[STATUS_PROTOCOL], STATUS_TEXT, "%.*s", STR_ARG(protocol));
}

static const char *estimated(char out[FIGURE_SIZE + 1], int64_t tokens)
{
	if (tokens >= 100 * ROUGHLY)
		snprintf(out, FIGURE_SIZE, "~%.1fM", (double)tokens / 1e6);
	else if (tokens >= ROUGHLY)
		snprintf(out, FIGURE_SIZE, tokens < 10 * ROUGHLY ? "~%.1fk" : "~%.0fk", (double)tokens / 1000);
	else
		snprintf(out, FIGURE_SIZE, "~%lld", (long long)tokens);
	return out;
}

static void tell_tokens(struct status_text *out, const struct turn *t)
{
	char figure[FIGURE_SIZE + 1], words_of[FIGURE_SIZE + 24];
	const struct usage *u = &t->usage;

	snprintf(out->of[STATUS_IN], STATUS_TEXT, "in %6s", u->prompt_tokens < 0 ? "-" : figure_count(figure, u->prompt_tokens));
	if (u->cached_tokens >= 0)
		snprintf(out->of[STATUS_CACHED], STATUS_TEXT, "(%s cached)", figure_count(figure, u->cached_tokens));
	int64_t estimate = meter_tokens(&t->meter), reasoning = estimate_tokens(&t->meter.reasoning);
	bool sent = u->completion_tokens >= 0 && (t->ended || u->completion_tokens >= estimate);
	const char *generated = sent ? figure_count(figure, u->completion_tokens) : estimate ? estimated(figure, estimate) : "-";
	snprintf(out->of[STATUS_OUT], STATUS_TEXT, "out %6s", generated);
	bool counted = u->reasoning_tokens > 0; /* some servers say 0 beside the reasoning that they sent */
	if (!counted && !reasoning)
		return;
	snprintf(words_of, sizeof words_of, "(%s reasoning)",
	         counted ? figure_count(figure, u->reasoning_tokens) : estimated(figure, reasoning));
	snprintf(out->of[STATUS_REASONING], STATUS_TEXT, "%18s", words_of);
}

/* While it runs the pace of the last seconds, then the course of the whole. */
static void tell_sparkline(struct status_text *out, const struct view *view, const struct turn *t)
{
	double tokens[SPARK_COLUMNS];

	if (t->ended)
		meter_course(&t->meter, tokens, SPARK_COLUMNS);
	else
		meter_recent(&t->meter, view->at_ms, tokens, SPARK_COLUMNS);
	if (!t->ended || t->meter.begun)
		spark_write(out->of[STATUS_SPARKLINE], tokens, SPARK_COLUMNS, view->ascii);
}

static void tell_times(struct status_text *out, const struct view *view, const struct turn *t)
{
	char figure[24];
	bool sent = t->ended && t->usage.completion_tokens > 0;
	double rate = meter_rate(&t->meter, t->ended ? &t->usage : NULL), elapsed = t->ended ? t->ended_ms : view->at_ms;

	snprintf(figure, sizeof figure, "%s%.0f", sent ? "" : "~", rate);
	if (rate >= 0 || !t->ended)
		snprintf(out->of[STATUS_RATE], STATUS_TEXT, "%5s tok/s", rate < 0 ? "-" : figure);
	snprintf(figure, sizeof figure, "%.2f s", t->meter.first_ms / 1000);
	if (t->meter.begun || !t->ended)
		snprintf(out->of[STATUS_FIRST], STATUS_TEXT, "first %6s", t->meter.begun ? figure : "-");
	if (elapsed > 0 || !t->ended)
		figure_clock(out->of[STATUS_ELAPSED], elapsed);
}

void status_tell_turn(struct status_text *out, const struct view *view, const struct turn *t)
{
	for (int i = STATUS_STATE + 1; i < STATUS_COUNT; i++)
		*out->of[i] = 0;
	tell_names(out, view, t);
	if (!t) {
		snprintf(out->of[STATUS_KEYS], STATUS_TEXT, "Ctrl-P commands   ? help");
		return;
	}
	tell_tokens(out, t);
	tell_sparkline(out, view, t);
	tell_times(out, view, t);
}
