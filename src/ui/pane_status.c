/*
 * The status bar: one row that keeps what matters as the window narrows. Its fields are a table in the order of the
 * screen, each with its rank: the lowest is dropped first (SCREEN.md). Numbers stand in fixed columns, and change with
 * the view's clock (four times a second), not with each delta.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pane.h"
#include "ui/rows.h"

enum field {
	FIELD_STATE, FIELD_PROVIDER, FIELD_MODEL, FIELD_ROUTED, FIELD_PROTOCOL, FIELD_IN, FIELD_CACHED,
	FIELD_OUT, FIELD_REASONING, FIELD_RATE, FIELD_FIRST, FIELD_ELAPSED, FIELD_HELP, FIELD_COUNT,
};

#define QUIET_MS 5000 /* of silence, before the bar counts it */

/* Rank: what is dropped first has the lowest. Gap: blanks before the field. */
static const struct { int rank; const char *gap; bool strong; } fields[FIELD_COUNT] = {
	[FIELD_STATE] =     { 100, "",    true  },
	[FIELD_PROVIDER] =  { 5,   " ",   false },
	[FIELD_MODEL] =     { 60,  " ",   true  },
	[FIELD_ROUTED] =    { 6,   " ",   false },
	[FIELD_PROTOCOL] =  { 4,   "  ",  false },
	[FIELD_IN] =        { 50,  "  ",  false },
	[FIELD_CACHED] =    { 8,   " ",   false },
	[FIELD_OUT] =       { 90,  "  ",  true  },
	[FIELD_REASONING] = { 7,   "  ",  false },
	[FIELD_RATE] =      { 9,   "  ",  false },
	[FIELD_FIRST] =     { 3,   "  ",  false },
	[FIELD_ELAPSED] =   { 2,   "  ",  false },
	[FIELD_HELP] =      { 1,   "   ", false },
};

#define COLUMNS_LEAST 20u   /* no margin then */
#define COLUMNS_OF_FOUR 40u /* state, model, in and out stay down to here */

struct pane {
	char text[FIELD_COUNT][128];
	const struct turn *turn;
	double made_ms;
	bool made_ended;
	enum view_state state;
};

static struct pane *status_new(void)
{
	return mem_new(sizeof(struct pane));
}

static void status_free(struct pane *p)
{
	mem_free(p);
}

static const char *state_word(enum view_state state)
{
	static const char *const words[] = {
		[VIEW_READY] = "ready",     [VIEW_KEY] = "key",       [VIEW_CONNECTING] = "connecting", [VIEW_WAITING] = "waiting",
		[VIEW_STREAMING] = "streaming", [VIEW_PAUSED] = "paused", [VIEW_REPLAYING] = "replay",
	};
	return words[state];
}

static const struct turn *turn_of_figures(const struct view *view)
{
	if (view->live)
		return view->live;
	for (size_t i = view->conversation->count; i > 0; i--)
		if (view->conversation->turns[i - 1]->role == ROLE_ASSISTANT)
			return view->conversation->turns[i - 1];
	return NULL;
}

static const char *count_or_dash(char out[FIGURE_SIZE], int64_t count)
{
	return count < 0 ? strcpy(out, "-") : figure_count(out, count);
}

static void make_tokens(struct pane *p, const struct turn *t)
{
	char a[FIGURE_SIZE], b[FIGURE_SIZE + 1] = "~";
	const struct usage *u = &t->usage;
	snprintf(p->text[FIELD_IN], sizeof p->text[0], "in %5s", count_or_dash(a, u->prompt_tokens));
	if (u->cached_tokens >= 0)
		snprintf(p->text[FIELD_CACHED], sizeof p->text[0], "(%s cached)", figure_count(a, u->cached_tokens));
	int64_t estimate = meter_tokens(&t->meter), reasoning = estimate_tokens(&t->meter.reasoning);
	bool sent = u->completion_tokens >= 0 && (t->ended || u->completion_tokens >= estimate);
	figure_count(b + 1, sent ? u->completion_tokens : estimate);
	snprintf(p->text[FIELD_OUT], sizeof p->text[0], "out %6s", sent ? b + 1 : estimate ? b : "-");
	bool counted = u->reasoning_tokens > 0; /* some servers say 0 beside the reasoning that they sent */
	figure_count(b + 1, counted ? u->reasoning_tokens : reasoning);
	if (counted || reasoning)
		snprintf(p->text[FIELD_REASONING], sizeof p->text[0], "(%s reasoning)", counted ? b + 1 : b);
}

static void make_times(struct pane *p, const struct view *view, const struct turn *t)
{
	char a[FIGURE_SIZE];
	bool sent = t->ended && t->usage.completion_tokens > 0;
	double rate = meter_rate(&t->meter, t->ended ? &t->usage : NULL);
	char number[24];
	snprintf(number, sizeof number, "%s%.0f", sent ? "" : "~", rate);
	if (rate >= 0)
		snprintf(p->text[FIELD_RATE], sizeof p->text[0], "%5s tok/s", number);
	if (t->meter.begun)
		snprintf(p->text[FIELD_FIRST], sizeof p->text[0], "first %.2f s", t->meter.first_ms / 1000);
	double elapsed = t->ended ? t->ended_ms : view->at_ms;
	if (elapsed > 0)
		snprintf(p->text[FIELD_ELAPSED], sizeof p->text[0], "%7s", figure_seconds(a, elapsed));
}

/* What the bar says before any turn, and of the turn to come while none runs. */
static void make_names(struct pane *p, const struct view *view, const struct turn *t)
{
	bool next = !view->live && !view->replay; /* while nothing runs, the bar names who is asked next */
	struct str provider = next || !t ? view->provider : str_from(t->scope.provider);
	bool asked = t && t->scope.model && *t->scope.model;
	struct str model = next || !t ? view->model : asked ? str_from(t->scope.model) : view->replay ? str_from(t->model) : view->model;
	const char *routed = t ? (t->routed_model && *t->routed_model ? t->routed_model : t->model) : NULL;
	if (provider.len)
		snprintf(p->text[FIELD_PROVIDER], sizeof p->text[0], "%.*s \u00b7", STR_ARG(str_head(provider, 40)));
	snprintf(p->text[FIELD_MODEL], sizeof p->text[0], "%.*s", STR_ARG(model.len ? str_head(model, 60) : view->replay ? STR_NONE : STR("no model")));
	if (routed && *routed && t->scope.model && str_equal(model, str_from(t->scope.model)) && !str_is(model, routed))
		snprintf(p->text[FIELD_ROUTED], sizeof p->text[0], "-> %.60s", routed);
	struct str protocol = next || !t || !*t->scope.protocol_name ? view->protocol : str_from(t->scope.protocol_name);
	snprintf(p->text[FIELD_PROTOCOL], sizeof p->text[0], "%.*s", STR_ARG(protocol));
}

static void make_state(struct pane *p, const struct view *view)
{
	char quiet[32];
	snprintf(quiet, sizeof quiet, "quiet %lld s", (long long)view->quiet_ms / 1000);
	if (view->message)
		snprintf(p->text[FIELD_STATE], sizeof p->text[0], "%.100s  ", view->message);
	else
		snprintf(p->text[FIELD_STATE], sizeof p->text[0], "%-10s",
		         view->quiet_ms >= QUIET_MS && view->state != VIEW_READY ? quiet : state_word(view->state));
}

static void make(struct pane *p, const struct view *view)
{
	const struct turn *t = turn_of_figures(view);
	make_state(p, view);
	if (t && t == p->turn && p->made_ms == view->at_ms && p->made_ended == t->ended && p->state == view->state && view->live)
		return;
	for (int i = FIELD_PROVIDER; i < FIELD_COUNT; i++)
		*p->text[i] = 0;
	make_names(p, view, t);
	if (t) {
		make_tokens(p, t);
		make_times(p, view, t);
		p->made_ended = t->ended;
	} else {
		strcpy(p->text[FIELD_HELP], "Ctrl-P commands   ? help");
	}
	p->turn = t;
	p->made_ms = view->at_ms;
	p->state = view->state;
}

static unsigned field_width(const struct pane *p, int field)
{
	return *p->text[field] ? (unsigned)(utf8_width(str_from(p->text[field])) + strlen(fields[field].gap)) : 0;
}

/* The highest rank that has to go so that the rest fits; what has the rank `kept` never goes. */
static int rank_to_drop(const struct pane *p, unsigned columns, int kept)
{
	int dropped = 0;
	for (;;) {
		unsigned width = 1; /* the left margin */
		int lowest = 1000;
		for (int i = 0; i < FIELD_COUNT; i++) {
			if (fields[i].rank <= dropped || !*p->text[i])
				continue;
			width += field_width(p, i);
			lowest = fields[i].rank < lowest ? fields[i].rank : lowest;
		}
		if (width <= columns || lowest >= kept)
			return dropped;
		dropped = lowest;
	}
}

static unsigned status_rows(struct pane *p, const struct view *view, unsigned columns, unsigned most)
{
	(void)p, (void)view, (void)columns;
	return most ? 1 : 0;
}

/* The bar as it fits: what is dropped, and which field gives way to the others when not even the rest has room. */
struct fit { int dropped, cut; unsigned cut_columns; bool tight; };

/*
 * A figure that is cut would be another figure: from 40 columns on the model's name gives way, below that the state's word.
 * A passing word goes before everything.
 */
static struct fit fit_into(const struct pane *p, const struct view *view, unsigned columns)
{
	bool narrow = columns < COLUMNS_OF_FOUR;
	int kept = view->message ? FIELD_STATE : narrow ? FIELD_OUT : FIELD_IN;
	struct fit fit = { .dropped = rank_to_drop(p, columns, fields[kept].rank), .cut = kept == FIELD_IN ? FIELD_MODEL : FIELD_STATE };
	unsigned used = columns > COLUMNS_LEAST, own = field_width(p, fit.cut);
	for (int i = 0; i < FIELD_COUNT; i++)
		if (fields[i].rank > fit.dropped)
			used += field_width(p, i);
	fit.tight = used > columns && fit.cut == FIELD_STATE && fields[FIELD_OUT].rank > fit.dropped;
	used -= fit.tight; /* a blank before the figures goes */
	own -= (unsigned)strlen(fields[fit.cut].gap);
	fit.cut_columns = used <= columns ? own : used - columns < own ? own - (used - columns) : 1;
	return fit;
}

/* A name that lost its end shows that it did. */
static unsigned put_field(struct canvas *canvas, struct area at, enum role_name role, struct str text)
{
	bool cut = utf8_width(str_trim(text)) > at.columns && at.columns > 1;
	unsigned used = canvas_put(canvas, at.row, at.column, at.columns - cut, role, text);
	return used + (cut ? canvas_put(canvas, at.row, at.column + used, 1, role, STR("\u2026")) : 0);
}

static void status_draw(struct pane *p, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	(void)focused;
	make(p, view);
	canvas_fill(canvas, area, ROLE_STATUS);
	struct fit fit = fit_into(p, view, area.columns);
	unsigned at = area.columns > COLUMNS_LEAST;
	for (int i = 0; i < FIELD_COUNT && at < area.columns; i++) {
		if (fields[i].rank <= fit.dropped || !*p->text[i])
			continue;
		unsigned gap = (unsigned)strlen(fields[i].gap) - (fit.tight && i == FIELD_OUT);
		if (i == FIELD_HELP)
			gap = area.columns > at + field_width(p, i) - gap ? area.columns - 1 - at - (field_width(p, i) - gap) : gap;
		at += gap;
		if (at >= area.columns)
			break;
		unsigned most = i == fit.cut && fit.cut_columns < area.columns - at ? fit.cut_columns : area.columns - at;
		at += put_field(canvas, (struct area){ area.row, area.column + at, 1, most },
		                fields[i].strong ? ROLE_STATUS_STRONG : ROLE_STATUS, str_from(p->text[i]));
	}
}

const struct pane_ops pane_status = {
	.name = "status",
	.new = status_new,
	.free = status_free,
	.rows = status_rows,
	.draw = status_draw,
};
