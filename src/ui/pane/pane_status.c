/*
 * The status bar: one row. The fields are in the user's order. When the window is too narrow, the field with the lowest rank is dropped
 * first. Fields are updated when the view's clock changes (four times a second), not with each delta.
 */
#include <string.h>

#include "base/least.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "ui/pane/pane.h"
#include "ui/pane/status.h"

#define RANK_STRONG 60 /* fields of this rank or higher are highlighted */
#define RANK_NONE (-1)
#define MODEL_COLUMNS_LEAST 12u /* "gpt-5.4-mini" */
#define COLUMNS_LEAST 20u   /* up to this width there is no left margin */
#define COLUMNS_OF_KEYS 60u /* from this width on, the help key is always shown; below never */
#define COLUMNS_OF_FOUR 40u /* from this width on, state, model, in and out are always shown */

struct status_pane {
	struct pane pane;
	struct status_text text;
	uint8_t shown[STATUS_COUNT]; /* fields with a text, in screen order */
	unsigned count;
	struct { unsigned from, to; } drawn[STATUS_COUNT]; /* columns of the fields in the last frame; to 0: not on the screen */
	unsigned widths[STATUS_COUNT]; /* fixed width of each field, else that of its text; 0: it has none */
	unsigned keys_columns;       /* of the help key, if the bar of a turn is too narrow for it: the rate does not come back in its place */
	bool kept_is_state;          /* the bar is too narrow for the state and for what is not kept: "ready" says less than "private" */
	const struct turn *turn;     /* the turn that `text` was made for */
	double made_ms;              /* the view's clock when `text` was made */
	bool made_ended;             /* the turn had ended when `text` was made */
	enum view_state state;       /* the program's state when `text` was made */
	enum reasoning_view reasoning; /* the setting when `text` was made */
};

static int status_rank(int field)
{
	return status_row((enum status_field)field)->rank;
}

static int status_rank_in(const struct status_pane *p, int field)
{
	return status_rank(p->kept_is_state && field == STATUS_KEPT ? STATUS_STATE : field);
}

static void status_free(struct pane *pane)
{
	mem_free(pane);
}

static void status_update(struct status_pane *p, const struct view *view)
{
	const struct turn *t = view->live ? view->live : conversation_last_answer(view->conversation);

	status_format_state(&p->text, view);
	bool is_same = t == p->turn && p->made_ms == view->at_ms && p->state == view->state && p->reasoning == view->look->reasoning;

	if (view->live && !view->exact && is_same && p->made_ended == t->ended)
		return;
	status_format(&p->text, view, t);
	p->made_ended = t && t->ended;
	p->turn = t;
	p->made_ms = view->at_ms;
	p->state = view->state;
	p->reasoning = view->look->reasoning;
}

static void status_choose_field(struct status_pane *p, enum status_field field, unsigned columns)
{
	const struct status_row *row = status_row(field);

	if (!row->rank || !(row->faces & p->text.face) || (!*p->text.of[field] && !p->text.columns[field]))
		return;
	if (field != STATUS_KEYS || columns >= COLUMNS_OF_KEYS)
		p->shown[p->count++] = (uint8_t)field;
	else if (columns >= COLUMNS_OF_FOUR && p->text.face == STATUS_OF_TURN)
		p->keys_columns = status_row(STATUS_KEYS)->gap + p->widths[field];
}

static void status_choose_shown(struct status_pane *p, const struct view *view, unsigned columns)
{
	p->kept_is_state = *p->text.of[STATUS_KEPT] && columns < COLUMNS_OF_FOUR && view->state == VIEW_READY;
	p->count = p->keys_columns = 0;
	for (int last = 0; last <= 1; last++)
		for (int place = 0; place < STATUS_COUNT; place++) {
			enum status_field field = status_field_at(place);

			if (field == STATUS_STATE && p->kept_is_state)
				continue;
			if ((field == STATUS_KEYS || status_comes_late(&p->text, field)) == last)
				status_choose_field(p, field, columns);
		}
}

#define NOTHING STATUS_COUNT

static bool status_joins(int before, int field)
{
	return (before == STATUS_PROVIDER && field == STATUS_MODEL) || (before == STATUS_MODEL && field == STATUS_PROVIDER);
}

/* The separator between two fields. */
static struct str status_gap_between(const struct status_pane *p, int before, int field)
{
	if (before == NOTHING)
		return STR_NONE;
	if (status_joins(before, field))
		return STR(" \u00b7 ");
	unsigned gap = status_comes_late(&p->text, (enum status_field)field) ? 2 : before == STATUS_TOKENS ? 1 :
	               status_row((enum status_field)field)->gap;
	return str_head(STR("   "), gap ? gap : 1);
}

static unsigned status_gap_width(const struct status_pane *p, int before, int field)
{
	return status_joins(before, field) ? 3 : (unsigned)status_gap_between(p, before, field).len;
}

/* The model's name gives up columns before a field is dropped, but only while a turn runs: its other fields then have fixed widths. */
static unsigned status_least_width(const struct status_pane *p, int field, int cut)
{
	unsigned width = p->widths[field];

	return field == cut && cut == STATUS_MODEL && p->text.columns[field] && width > MODEL_COLUMNS_LEAST ? MODEL_COLUMNS_LEAST : width;
}

/* The width of all fields with a rank above `rank`. Field `cut` has its least width; NOTHING: every field has its full width. */
static unsigned status_width_above(const struct status_pane *p, int rank, int cut)
{
	unsigned width = 0;
	int before = NOTHING;

	for (unsigned i = 0; i < p->count; i++) {
		if (status_rank_in(p, p->shown[i]) <= rank)
			continue;
		width += status_gap_width(p, before, p->shown[i]) + status_least_width(p, p->shown[i], cut);
		before = p->shown[i];
	}
	return width;
}

/* The highest rank that must be dropped so that the rest fits. Fields of rank `kept` or higher are never dropped. */
static int status_rank_to_drop(const struct status_pane *p, unsigned columns, int kept, int cut)
{
	bool whole = 1 + status_width_above(p, RANK_NONE, NOTHING) + p->keys_columns <= columns;
	int dropped = whole ? RANK_NONE : status_rank(STATUS_TOKENS); /* the word takes no letter of the model's name */

	while (1 + status_width_above(p, dropped, cut) + p->keys_columns > columns) {
		int lowest = kept;

		for (unsigned i = 0; i < p->count; i++)
			if (status_rank_in(p, p->shown[i]) > dropped && status_rank_in(p, p->shown[i]) < lowest)
				lowest = status_rank_in(p, p->shown[i]);
		if (lowest == kept)
			break;
		dropped = lowest;
	}
	return dropped;
}

static unsigned status_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	(void)pane, (void)view, (void)columns;
	return most ? 1 : 0;
}

/* How the fields are fitted into the bar. */
struct status_fit {
	int dropped;          /* fields of this rank or lower are dropped */
	int cut;              /* the field that is truncated if the rest still does not fit */
	unsigned cut_columns; /* width of field `cut` */
	bool tight;           /* one blank before the completion figure is omitted */
};

/* A truncated figure would be a wrong figure. So the model's name is truncated, or, below 40 columns, the state. */
static struct status_fit status_fit_into(const struct status_pane *p, unsigned columns)
{
	int kept = columns < COLUMNS_OF_FOUR ? STATUS_COMPLETION : STATUS_PROMPT;
	int cut = kept == STATUS_PROMPT ? STATUS_MODEL : STATUS_STATE;
	struct status_fit fit = { .dropped = status_rank_to_drop(p, columns, status_rank(kept), cut), .cut = cut };
	unsigned used = (columns > COLUMNS_LEAST) + status_width_above(p, fit.dropped, NOTHING), own = p->widths[fit.cut];

	fit.tight = used > columns && fit.cut == STATUS_STATE && status_rank(STATUS_COMPLETION) > fit.dropped;
	used -= fit.tight;
	fit.cut_columns = used <= columns ? own : used - columns < own ? own - (used - columns) : 1;
	return fit;
}

/* A model's name without its vendor, if the whole does not fit: "openai/gpt-5.4-mini". */
static struct str status_short_name(struct str name, unsigned columns)
{
	size_t slash;

	while (utf8_width(name) > columns && (slash = str_find(name, STR("/"))) + 1 < name.len)
		name = str_skip(name, slash + 1);
	return name;
}

/* A truncated name ends in an ellipsis. */
static void status_put_field(struct canvas *canvas, struct area at, enum role_name role, struct str text)
{
	bool cut = utf8_width(str_trim(text)) > at.columns && at.columns > 1;
	unsigned used = canvas_put(canvas, at.row, at.column, at.columns - cut, role, text);

	if (cut)
		canvas_put(canvas, at.row, at.column + used, 1, role, STR("\u2026"));
}

static void status_put_fields(struct status_pane *p, struct canvas *canvas, struct area area)
{
	memset(p->drawn, 0, sizeof p->drawn);
	canvas_fill(canvas, area, ROLE_STATUS);
	struct status_fit fit = status_fit_into(p, area.columns);
	unsigned at = area.columns > COLUMNS_LEAST;
	int before = NOTHING;
	for (unsigned i = 0; i < p->count && at < area.columns; i++) {
		int field = p->shown[i];
		struct str gap = status_gap_between(p, before, field), text = str_from(p->text.of[field]);

		if (status_rank_in(p, field) <= fit.dropped)
			continue;
		gap = str_skip(gap, fit.tight && field == STATUS_COMPLETION);
		unsigned most = field == fit.cut ? fit.cut_columns : p->widths[field];
		if (text.len)
			canvas_put(canvas, area.row, area.column + at, area.columns - at, ROLE_STATUS, gap);
		at += (unsigned)utf8_width(gap);
		if (field == STATUS_KEYS && i + 1 == p->count && at + most < area.columns)
			at = area.columns - 1 - least((unsigned)utf8_width(text), most);
		unsigned room = at < area.columns ? area.columns - at : 0;
		most = most < room ? most : room;
		status_put_field(canvas, (struct area){ area.row, area.column + at, 1, most },
		                 status_rank_in(p, field) >= RANK_STRONG ? ROLE_STATUS_STRONG : ROLE_STATUS,
		                 field == STATUS_MODEL ? status_short_name(text, most) : text);
		p->drawn[field].from = area.column + at;
		at += most;
		p->drawn[field].to = area.column + at;
		before = field;
	}
}

enum status_field pane_status_at(const struct pane *pane, unsigned column)
{
	const struct status_pane *p = (const struct status_pane *)pane;
	unsigned field = 0;

	while (field < STATUS_COUNT && !(column >= p->drawn[field].from && column < p->drawn[field].to))
		field++;
	return (enum status_field)field;
}

/* The bar begins and ends with the column of text in the middle of the screen; fields that need more go on as far as the screen does. */
static struct area status_room(const struct status_pane *p, const struct canvas *canvas, struct area area)
{
	unsigned needed = 2 + status_width_above(p, status_rank(STATUS_TOKENS), NOTHING);

	if (needed > area.columns)
		area.columns = least(needed, canvas->columns - area.column);
	return area;
}

static void status_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	struct status_pane *p = (struct status_pane *)pane;

	(void)focused;
	status_update(p, view);
	for (int field = 0; field < STATUS_COUNT; field++)
		p->widths[field] = p->text.columns[field] ? p->text.columns[field] : (unsigned)utf8_width(str_from(p->text.of[field]));
	status_choose_shown(p, view, area.columns);
	status_put_fields(p, canvas, status_room(p, canvas, area));
}

static const struct pane_ops status_ops = { .rows = status_rows, .draw = status_draw, .free = status_free };

struct pane *pane_status_new(void)
{
	struct status_pane *p = mem_new(sizeof *p);

	p->pane.ops = &status_ops;
	return &p->pane;
}
