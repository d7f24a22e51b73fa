#include "ui/pane/status.h"

#include <stdio.h>
#include <string.h>

#include "ui/figure.h"
#include "ui/pane/spark.h"
#include "ui/rows.h"

#define ROUGHLY 10000           /* estimates from here on are written in thousands: their last digits are meaningless */

static const struct status_row field_rows[STATUS_COUNT] = {
#define X(upper, word, rank, gap) [STATUS_##upper] = { word, rank, gap },
	STATUS_NAMES(X) STATUS_PACE(X)
#undef X
#define X(upper, member, part_of, label, word, rank) [STATUS_##upper] = { word, rank, USAGE_##upper == USAGE_##part_of ? 2 : 1 },
	USAGE_FIGURES(X)
#undef X
};

static const enum status_field figure_fields[USAGE_FIGURE_COUNT] = {
#define X(upper, ...) [USAGE_##upper] = STATUS_##upper,
	USAGE_FIGURES(X)
#undef X
};

const struct status_row *status_row(enum status_field field)
{
	return &field_rows[field];
}

/* --- the choice --- */

/* The field at a position in screen order. */
static enum status_field status_field_at(int place)
{
	if (place > STATUS_PROTOCOL && place < STATUS_RATE)
		return figure_fields[usage_in_order((unsigned)(place - STATUS_PROTOCOL - 1))];
	return (enum status_field)place;
}

void status_write_words(const char *between, struct buf *out)
{
	for (int place = 0; place < STATUS_COUNT; place++)
		buf_printf(out, "%s%s", place ? between : "", field_rows[status_field_at(place)].word);
}

static bool status_refuse_word(struct str word, struct error *err)
{
	struct buf known;

	buf_init(&known, 1000);
	status_write_words(", ", &known);
	error_set(err, "status: there is no field \"%.*s\"; there are %s", STR_ARG(str_head(word, 40)), buf_z(&known));
	buf_fini(&known);
	return false;
}

static bool status_has(const struct status_choice *choice, int field)
{
	return memchr(choice->fields, field, choice->count) != NULL;
}

static void status_choose_all(struct status_choice *choice)
{
	for (int place = 0; place < STATUS_COUNT; place++)
		if (field_rows[status_field_at(place)].rank)
			choice->fields[choice->count++] = (uint8_t)status_field_at(place);
}

bool status_choose(struct status_choice *choice, struct str text, struct error *err)
{
	struct str word;

	*choice = (struct status_choice){ .count = 0 };
	while (str_split(&text, ' ', &word)) {
		int field = 0;

		word = str_ends(word, ",") ? str_head(word, word.len - 1) : word;
		while (field < STATUS_COUNT && !str_is(word, field_rows[field].word))
			field++;
		if (word.len && field == STATUS_COUNT)
			return status_refuse_word(word, err);
		if (word.len && !status_has(choice, field))
			choice->fields[choice->count++] = (uint8_t)field;
	}
	if (!choice->count)
		status_choose_all(choice);
	return true;
}

/* --- the state --- */

void status_format_state(struct status_text *out, const struct view *view)
{
	char counted[32];
	bool retries = view->state == VIEW_RETRYING, quiet = !retries && view->quiet_ms >= VIEW_QUIET_MS && view->state != VIEW_READY;

	snprintf(counted, sizeof counted, "%s %lld s", retries ? "retry" : "quiet",
	         (long long)(retries ? view->retry_ms + 999 : view->quiet_ms) / 1000);
	snprintf(out->of[STATUS_STATE], STATUS_TEXT, "%-10s", retries || quiet ? counted : view_state_name(view->state));
}

/* --- the turn --- */

/* The provider, model and protocol: those of the turn while it runs, else those of the next request. */
static void status_format_names(struct status_text *out, const struct view *view, const struct turn *t)
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

static const char *status_estimated(char out[FIGURE_SIZE + 1], int64_t tokens)
{
	if (tokens >= 100 * ROUGHLY)
		snprintf(out, FIGURE_SIZE, "~%.1fM", (double)tokens / 1e6);
	else if (tokens >= ROUGHLY)
		snprintf(out, FIGURE_SIZE, tokens < 10 * ROUGHLY ? "~%.1fk" : "~%.0fk", (double)tokens / 1000);
	else
		snprintf(out, FIGURE_SIZE, "~%lld", (long long)tokens);
	return out;
}

/* A total has a fixed width from the start. A part of a total follows it in brackets once it is known. */
static void status_format_figure(struct status_text *out, enum usage_figure i, const char *figure)
{
	const struct usage_row *row = usage_row(i);
	char *text = out->of[figure_fields[i]];

	if (row->part_of == i)
		snprintf(text, STATUS_TEXT, "%s %6s", row->word, figure ? figure : "-");
	else if (figure)
		snprintf(text, STATUS_TEXT, "(%s %s)", figure, row->label);
}

/* The generated tokens: our estimate, until the server reports a final or a higher figure. */
static const char *status_generated(char figure[FIGURE_SIZE + 1], const struct turn *t)
{
	struct count sent = t->usage.of[USAGE_COMPLETION];
	int64_t estimate = meter_tokens(&t->meter);

	if (sent.sent && (t->ended || sent.number >= estimate))
		return figure_count(figure, sent.number);
	return estimate ? status_estimated(figure, estimate) : NULL;
}

/* Some servers report 0 although they sent reasoning: the estimate is used then. Right-aligned, because the figure grows. */
static void status_format_reasoning(struct status_text *out, const struct turn *t)
{
	char figure[FIGURE_SIZE + 1], *text = out->of[STATUS_REASONING], words[STATUS_TEXT];
	int64_t sent = t->usage.of[USAGE_REASONING].number, estimate = estimate_tokens(&t->meter.reasoning);

	status_format_figure(out, USAGE_REASONING, sent ? figure_count(figure, sent) : estimate ? status_estimated(figure, estimate) : NULL);
	if (*text)
		snprintf(text, STATUS_TEXT, "%18s", strcpy(words, text));
}

static void status_format_tokens(struct status_text *out, const struct turn *t)
{
	char figure[FIGURE_SIZE + 1];

	for (int i = 0; i < USAGE_FIGURE_COUNT; i++) {
		struct count count = t->usage.of[i];

		if (i == USAGE_REASONING)
			status_format_reasoning(out, t);
		else if (i == USAGE_COMPLETION)
			status_format_figure(out, USAGE_COMPLETION, status_generated(figure, t));
		else
			status_format_figure(out, (enum usage_figure)i, count.sent ? figure_count(figure, count.number) : NULL);
	}
}

/* The pace of the last seconds while the turn runs, then the course of the whole turn. */
static void status_format_sparkline(struct status_text *out, const struct view *view, const struct turn *t)
{
	double tokens[SPARK_COLUMNS];

	if (t->ended)
		meter_course(&t->meter, tokens, SPARK_COLUMNS);
	else
		meter_recent(&t->meter, view->at_ms, tokens, SPARK_COLUMNS);
	if (!t->ended || t->meter.begun)
		spark_write(out->of[STATUS_SPARKLINE], tokens, SPARK_COLUMNS, view->look->ascii);
}

static void status_format_times(struct status_text *out, const struct view *view, const struct turn *t)
{
	char figure[24];
	bool sent = t->ended && t->usage.of[USAGE_COMPLETION].number > 0;
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

static void status_format_keys(struct status_text *out, const struct view *view)
{
	struct buf keys = { 0 };

	hints_add(&keys, 0, view->look->keys.palette, "commands");
	hints_add(&keys, 0, view->help_key, "help");
	snprintf(out->of[STATUS_KEYS], STATUS_TEXT, "%s", buf_z(&keys));
	buf_fini(&keys);
}

void status_format_turn(struct status_text *out, const struct view *view, const struct turn *t)
{
	for (int i = STATUS_STATE + 1; i < STATUS_COUNT; i++)
		*out->of[i] = 0;
	status_format_names(out, view, t);
	if (!t) {
		status_format_keys(out, view);
		return;
	}
	status_format_tokens(out, t);
	status_format_sparkline(out, view, t);
	status_format_times(out, view, t);
}
