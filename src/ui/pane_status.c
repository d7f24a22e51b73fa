/*
 * The status bar: one row that keeps what matters as the window narrows. The fields stand in the order that was chosen; each has
 * its rank: the lowest is dropped first (SCREEN.md). They change with the view's clock (four times a second), not with
 * each delta.
 */
#include <string.h>

#include "base/mem.h"
#include "ui/pane.h"
#include "ui/status.h"

/* Rank: what is dropped first has the lowest. Gap: blanks before the field. */
static const struct { int rank; unsigned gap; bool strong; } fields[STATUS_COUNT] = {
	[STATUS_STATE] =     { 100, 0, true  },
	[STATUS_PROVIDER] =  { 6,   1, false },
	[STATUS_MODEL] =     { 60,  1, true  },
	[STATUS_ROUTED] =    { 7,   1, false },
	[STATUS_PROTOCOL] =  { 5,   2, false },
	[STATUS_IN] =        { 50,  2, false },
	[STATUS_CACHED] =    { 9,   1, false },
	[STATUS_OUT] =       { 90,  2, true  },
	[STATUS_REASONING] = { 8,   1, false },
	[STATUS_RATE] =      { 10,  2, false },
	[STATUS_SPARKLINE] = { 2,   1, false },
	[STATUS_FIRST] =     { 4,   2, false },
	[STATUS_ELAPSED] =   { 3,   2, false },
	[STATUS_KEYS] =      { 1,   3, false },
};

#define COLUMNS_LEAST 20u   /* no margin then */
#define COLUMNS_OF_FOUR 40u /* state, model, in and out stay down to here */

struct pane {
	struct status_text text;
	uint8_t shown[STATUS_COUNT]; /* fields with something to say, in the order of the screen */
	unsigned count;
	const struct turn *turn;     /* that the text was made of, */
	double made_ms;              /* at this time, */
	bool made_ended;             /* in this state */
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

static void make(struct pane *p, const struct view *view)
{
	const struct turn *t = view->live ? view->live : conversation_last_answer(view->conversation);

	status_tell_state(&p->text, view);
	if (t && t == p->turn && p->made_ms == view->at_ms && p->made_ended == t->ended && p->state == view->state && view->live)
		return;
	status_tell_turn(&p->text, view, t);
	p->made_ended = t && t->ended;
	p->turn = t;
	p->made_ms = view->at_ms;
	p->state = view->state;
}

/* A passing word is shown whatever was chosen. */
static void choose(struct pane *p, const struct view *view)
{
	const struct status_choice *choice = &view->status;
	bool has_state = memchr(choice->fields, STATUS_STATE, choice->count) != NULL;

	p->count = 0;
	if (view->message && !has_state)
		p->shown[p->count++] = STATUS_STATE;
	for (unsigned i = 0; i < choice->count; i++)
		if (*p->text.of[choice->fields[i]])
			p->shown[p->count++] = choice->fields[i];
}

#define NOTHING STATUS_COUNT

/* What parts a field from the one before it. */
static struct str gap_between(int before, int field)
{
	if (before == NOTHING)
		return STR_NONE;
	if (before == STATUS_PROVIDER && field == STATUS_MODEL)
		return STR(" \u00b7 ");
	return str_head(STR("   "), fields[field].gap ? fields[field].gap : 1);
}

static unsigned text_width(const struct pane *p, int field)
{
	return (unsigned)utf8_width(str_from(p->text.of[field]));
}

/* The columns of all fields above a rank. */
static unsigned width_above(const struct pane *p, int rank)
{
	unsigned width = 0;
	int before = NOTHING;

	for (unsigned i = 0; i < p->count; i++) {
		if (fields[p->shown[i]].rank <= rank)
			continue;
		width += (unsigned)utf8_width(gap_between(before, p->shown[i])) + text_width(p, p->shown[i]);
		before = p->shown[i];
	}
	return width;
}

/* The highest rank that has to go so that the rest fits; what has the rank `kept` never goes. */
static int rank_to_drop(const struct pane *p, unsigned columns, int kept)
{
	int dropped = 0;

	while (1 + width_above(p, dropped) > columns) {
		int lowest = kept;

		for (unsigned i = 0; i < p->count; i++)
			if (fields[p->shown[i]].rank > dropped && fields[p->shown[i]].rank < lowest)
				lowest = fields[p->shown[i]].rank;
		if (lowest == kept)
			break;
		dropped = lowest;
	}
	return dropped;
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
	int kept = view->message ? STATUS_STATE : narrow ? STATUS_OUT : STATUS_IN;
	struct fit fit = { .dropped = rank_to_drop(p, columns, fields[kept].rank), .cut = kept == STATUS_IN ? STATUS_MODEL : STATUS_STATE };
	unsigned used = (columns > COLUMNS_LEAST) + width_above(p, fit.dropped), own = text_width(p, fit.cut);

	fit.tight = used > columns && fit.cut == STATUS_STATE && fields[STATUS_OUT].rank > fit.dropped;
	used -= fit.tight; /* a blank before the figures goes */
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

static void put_fields(const struct pane *p, const struct view *view, struct canvas *canvas, struct area area)
{
	canvas_fill(canvas, area, ROLE_STATUS);
	struct fit fit = fit_into(p, view, area.columns);
	unsigned at = area.columns > COLUMNS_LEAST;
	int before = NOTHING;
	for (unsigned i = 0; i < p->count; i++) {
		int field = p->shown[i];
		struct str gap = gap_between(before, field);

		if (fields[field].rank <= fit.dropped)
			continue;
		gap = str_skip(gap, fit.tight && field == STATUS_OUT);
		at += canvas_put(canvas, area.row, area.column + at, area.columns - at, ROLE_STATUS, gap);
		if (field == STATUS_KEYS && i + 1 == p->count && at + text_width(p, field) < area.columns)
			at = area.columns - 1 - text_width(p, field);
		unsigned most = field == fit.cut && fit.cut_columns < area.columns - at ? fit.cut_columns : area.columns - at;
		at += put_field(canvas, (struct area){ area.row, area.column + at, 1, most },
		                fields[field].strong ? ROLE_STATUS_STRONG : ROLE_STATUS, str_from(p->text.of[field]));
		before = field;
	}
}

static void status_draw(struct pane *p, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	const unsigned looks[] = { CANVAS_STATUS_BAR, area.columns, view->message != NULL, utf8_profile_number() };
	struct buf key;

	(void)focused;
	make(p, view);
	choose(p, view);
	buf_init(&key, BUF_LIMIT_DEFAULT);
	buf_add(&key, str_of((const char *)looks, sizeof looks));
	for (unsigned i = 0; i < p->count; i++) {
		buf_add_byte(&key, (char)p->shown[i]);
		buf_add(&key, str_of(p->text.of[p->shown[i]], strlen(p->text.of[p->shown[i]]) + 1));
	}
	if (!canvas_row_stands(canvas, area.row, buf_str(&key)))
		put_fields(p, view, canvas, area);
	canvas_row_done(canvas, area.row, buf_str(&key));
	buf_fini(&key);
}

const struct pane_ops pane_status = {
	.name = "status",
	.new = status_new,
	.free = status_free,
	.rows = status_rows,
	.draw = status_draw,
};
