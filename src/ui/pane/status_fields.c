#include "ui/pane/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chat/conversation/totals.h"
#include "chat/conversation/turn.h"
#include "chat/conversation/figure.h"
#include "ui/pane/spark.h"
#include "ui/rows.h"

#define MODEL_COLUMNS 19        /* while a turn runs; a longer name is truncated unless it is the one the user asked for */

/* How a number is written: in thousands from `exact_below` on, and without tenths from `tenths_below` on. */
struct digits { int64_t exact_below, tenths_below; unsigned columns; };
static const struct digits digits_growing = { 10000, 99950, 5 }; /* what grows while it streams: "9,999", "31.2k" */
static const struct digits digits_sums = { 1000, 99950, 5 };     /* "999", "9.9k", "31.2k" */
static const struct digits digits_short = { 1000, 9950, 4 };     /* other figures of a running turn: "999", "9.9k", "31k" */

static const struct status_row field_rows[STATUS_COUNT] = {
#define X(upper, rank, gap, faces) [STATUS_##upper] = { rank, gap, faces, STATUS_##upper },
	STATUS_NAMES(X) STATUS_PACE(X)
#undef X
#define X(upper, member, part_of, label, word, rank) \
	[STATUS_##upper] = { rank, USAGE_##upper == USAGE_##part_of ? 2 : 1, \
	                     USAGE_##upper == USAGE_REASONING ? STATUS_OF_TURN : STATUS_OF_BOTH, STATUS_##part_of },
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

enum status_field status_field_at(int place)
{
	if (place >= STATUS_PROMPT && place < STATUS_PROMPT + USAGE_FIGURE_COUNT)
		return figure_fields[usage_in_order((unsigned)(place - STATUS_PROMPT))];
	return (enum status_field)place;
}

/* --- the state --- */

void status_format_state(struct status_text *out, const struct view *view)
{
	char counted[32];
	bool retries = view->state == VIEW_RETRYING, quiet = !retries && view->quiet_ms >= VIEW_QUIET_MS && view->state != VIEW_READY;
	const char *word = retries || quiet ? counted : view_state_name(view->state);

	snprintf(counted, sizeof counted, "%s %lld s", retries ? "retry" : "quiet",
	         (long long)(retries ? view->retry_ms + 999 : view->quiet_ms) / 1000);
	/* Two words for a state would else run into the model's name. */
	snprintf(out->of[STATUS_STATE], STATUS_TEXT, "%-10s%s", word, strlen(word) > 10 ? " " : "");
}

/* --- who --- */

static void status_format_model(struct status_text *out, const struct view *view, struct str asked, struct str routed)
{
	struct str model = routed.len ? routed : asked;
	bool runs = out->face == STATUS_OF_TURN && !view->replay;
	size_t columns = utf8_width(str_head(asked, 60));

	snprintf(out->of[STATUS_MODEL], STATUS_TEXT, "%.*s", STR_ARG(model.len ? str_head(model, 60) : view->replay ? STR_NONE : STR("no model")));
	if (runs)
		out->columns[STATUS_MODEL] = (uint8_t)(columns > MODEL_COLUMNS ? columns : MODEL_COLUMNS);
}

/* The provider and the model: those of the turn while it runs, else those of the next request. */
static void status_format_names(struct status_text *out, const struct view *view, const struct turn *t)
{
	bool next = out->face == STATUS_OF_CONVERSATION;
	struct str provider = next || !t ? view->provider : str_from(t->scope.provider);
	struct str asked = next || !t ? view->model : str_from(t->scope.model);
	bool same = t && str_equal(asked, str_from(t->scope.model));

	snprintf(out->of[STATUS_PROVIDER], STATUS_TEXT, "%.*s", STR_ARG(str_head(provider, 40)));
	status_format_model(out, view, asked, same && !next ? str_from(t->routed_model && *t->routed_model ? t->routed_model : t->model) : STR_NONE);
}

/* --- figures --- */

static const char *status_number(char out[FIGURE_SIZE], int64_t tokens, const struct digits *digits, bool is_estimate)
{
	char figure[FIGURE_SIZE];

	figure_short(figure, tokens, digits->exact_below, digits->tenths_below);
	snprintf(out, FIGURE_SIZE, "%s%.*s", is_estimate ? "~" : "", FIGURE_SIZE - 2, figure);
	return out;
}

bool status_comes_late(const struct status_text *text, enum status_field field)
{
	return text->columns[field] > 0 && (field == STATUS_PROMPT ? text->late_prompt : field_rows[field].part_of != (int)field);
}

/*
 * A part of a total follows it in brackets, or stands alone while a turn runs. It is shown once it is known, as is the prompt: many servers
 * count it at the end of the answer, or never.
 */
static void status_format_figure(struct status_text *out, enum usage_figure i, const char *figure)
{
	const struct usage_row *row = usage_row(i);
	char *text = out->of[figure_fields[i]];

	if (row->part_of == i && (figure || i != USAGE_PROMPT))
		snprintf(text, STATUS_TEXT, "%s %s", row->word, figure ? figure : "-");
	else if (figure)
		snprintf(text, STATUS_TEXT, out->columns[figure_fields[i]] ? "%s %s" : "(%s %s)", figure, row->label);
}

/* A total that is estimated grows while the answer streams. */
static const struct digits *status_digits(enum usage_figure i, int64_t estimate)
{
	return estimate >= 0 && i == USAGE_COMPLETION ? &digits_growing : &digits_short;
}

static void status_format_columns(struct status_text *out, const struct turn *t)
{
	for (enum usage_figure i = 0; i < USAGE_FIGURE_COUNT; i++) {
		const struct usage_row *row = usage_row(i);
		int64_t estimate = meter_estimate(&t->meter, i);
		size_t words = row->part_of == i ? strlen(row->word) + 1 : strlen(row->label) + 1;

		out->columns[figure_fields[i]] = (uint8_t)(words + (estimate >= 0) + status_digits(i, estimate)->columns);
	}
}

/*
 * The figure that the server reported, or our estimate until it reports a final or a higher one. Some servers report 0 although they sent
 * reasoning: the estimate is used then. A part that is 0 is not shown.
 */
static const char *status_counted(char out[FIGURE_SIZE], const struct turn *t, enum usage_figure i)
{
	struct count sent = t->usage.of[i];
	int64_t estimate = meter_estimate(&t->meter, i);
	bool is_part = usage_row(i)->part_of != i;

	if (sent.sent && (is_part ? sent.number > 0 : t->ended || i == USAGE_PROMPT || sent.number >= estimate))
		return status_number(out, sent.number, status_digits(i, estimate), false);
	return estimate > 0 ? status_number(out, estimate, status_digits(i, estimate), true) : NULL;
}

/* --- the turn --- */

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
	char figure[FIGURE_SIZE];
	bool sent = t->ended && t->usage.of[USAGE_COMPLETION].number > 0;
	double rate = meter_rate(&t->meter, t->ended ? &t->usage : NULL), elapsed = t->ended ? t->ended_ms : view->at_ms;

	status_number(figure, llround(rate), &digits_short, !sent);
	if (rate >= 0 || !t->ended)
		snprintf(out->of[STATUS_RATE], STATUS_TEXT, "%5s tok/s", rate < 0 ? "-" : figure);
	snprintf(figure, sizeof figure, t->meter.first_ms < 9995 ? "%.2f s" : "%.1f s", t->meter.first_ms / 1000);
	if (t->meter.first_ms < 5)
		snprintf(figure, sizeof figure, "<0.01 s");
	if (t->meter.begun || !t->ended)
		snprintf(out->of[STATUS_FIRST], STATUS_TEXT, "first %6s", t->meter.begun ? figure : "-");
	if (elapsed > 0 || !t->ended)
		figure_clock(out->of[STATUS_ELAPSED], elapsed);
	if (view->findings)
		snprintf(out->of[STATUS_LINT], STATUS_TEXT, "lint %zu", view->findings);
}

/* --- the conversation --- */

static void status_format_sums(struct status_text *out, const struct totals *totals)
{
	char figure[FIGURE_SIZE];

	for (int i = 0; i < USAGE_FIGURE_COUNT; i++) {
		struct count sum = totals->took.usage.of[i];
		bool is_part = usage_row((enum usage_figure)i)->part_of != (enum usage_figure)i;
		bool rough = (i == USAGE_COMPLETION && totals->took.completion_is_rough) || (i == USAGE_PROMPT && totals->took.prompt_is_rough);

		status_format_figure(out, (enum usage_figure)i,
		                   sum.sent && (sum.number || !is_part) ? status_number(figure, sum.number, &digits_sums, rough) : NULL);
	}
}

static void status_format_context(struct status_text *out, struct context used, const struct view *view)
{
	double share = view->context_tokens > 0 ? (double)used.tokens * 100 / (double)view->context_tokens : 0;
	bool rough = used.is_rough || view->context_is_rough;

	if (share > 0)
		snprintf(out->of[STATUS_CONTEXT], STATUS_TEXT, "ctx %s%.0f %%", share < 1 ? "<" : rough ? "~" : "", share < 1 ? 1.0 : share);
}

static void status_format_conversation(struct status_text *out, const struct view *view)
{
	struct totals totals = conversation_totals(view->conversation);
	char figure[FIGURE_SIZE];

	if (totals.turns)
		snprintf(out->of[STATUS_TURNS], STATUS_TEXT, "%u turn%s", totals.turns, totals.turns == 1 ? "" : "s");
	status_format_sums(out, &totals);
	figure_cost(figure, totals.took.cost);
	snprintf(out->of[STATUS_MONEY], STATUS_TEXT, "%s", view->budget ? view->budget : figure); /* both would be too wide at 80 columns */
	status_format_context(out, totals.context, view);
}

/* Indicators for what is set and not visible elsewhere. */
static void status_format_set(struct status_text *out, const struct view *view)
{
	const struct view_set *set = &view->set;
	char tools[32] = "tools", level[32], role[48];
	const char *words[8];
	struct buf asked = { 0 };
	size_t count = 0, at = 0;

	if (set->tool_count)
		snprintf(tools, sizeof tools, "%u tool%s", set->tool_count, set->tool_count == 1 ? "" : "s");
	snprintf(level, sizeof level, "reasoning %s", set->reasoning ? set->reasoning : "");
	snprintf(role, sizeof role, "role %.40s", set->role ? set->role : "");
	if (set->role)
		words[count++] = role;
	if (set->system)
		words[count++] = "system";
	if (set->tools)
		words[count++] = tools;
	if (set->schema)
		words[count++] = "schema";
	if (set->reasoning)
		words[count++] = level;
	server_tools_write(set->server_tools, ",", &asked);
	if (asked.len)
		words[count++] = buf_z(&asked);
	if (set->parameters)
		words[count++] = "parameters";
	if (view->look->raw)
		words[count++] = "plain source";
	for (size_t i = 0; i < count && at < STATUS_TEXT; i++)
		at += (size_t)snprintf(out->of[STATUS_SET] + at, STATUS_TEXT - at, "%s%s", i ? "  " : "", words[i]);
	buf_fini(&asked);
}

static void status_format_keys(struct status_text *out, const struct view *view)
{
	struct buf keys = { 0 };

	hints_add(&keys, 0, view->help_key, "help");
	snprintf(out->of[STATUS_KEYS], STATUS_TEXT, "%s", buf_z(&keys));
	if (view->help_key_columns) /* typing changes the key, and nothing moves */
		out->columns[STATUS_KEYS] = (uint8_t)(view->help_key_columns + strlen(" help"));
	buf_fini(&keys);
}

void status_format(struct status_text *out, const struct view *view, const struct turn *t)
{
	for (int i = STATUS_STATE + 1; i < STATUS_COUNT; i++)
		*out->of[i] = 0;
	memset(out->columns, 0, sizeof out->columns);
	out->face = view->live || view->replay ? STATUS_OF_TURN : STATUS_OF_CONVERSATION;
	status_format_names(out, view, t);
	status_format_set(out, view);
	status_format_keys(out, view);
	snprintf(out->of[STATUS_KEPT], STATUS_TEXT, "%s", view->unkept ? view->unkept : "");
	if (!t || view->of_messages)
		return;
	out->late_prompt = view->live && meter_estimate(&t->meter, USAGE_PROMPT) < 0;
	if (view->live)
		status_format_columns(out, t);
	if (out->face == STATUS_OF_TURN) {
		char figure[FIGURE_SIZE];

		for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
			status_format_figure(out, (enum usage_figure)i, status_counted(figure, t, (enum usage_figure)i));
	} else {
		status_format_conversation(out, view);
	}
	if (*out->of[STATUS_COMPLETION])
		snprintf(out->of[STATUS_TOKENS], STATUS_TEXT, "tokens");
	if (view->look->reasoning != REASONING_VIEW_HIDDEN) {
		*out->of[STATUS_REASONING] = 0; /* its pane shows it */
		out->columns[STATUS_REASONING] = 0;
	}
	status_format_sparkline(out, view, t);
	status_format_times(out, view, t);
}
