/* The pane of streaming tool calls: for each a hairline with size, time and state, and its arguments from the first fragment on. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/figure.h"
#include "ui/page/page_words.h"
#include "ui/pane/arguments.h"
#include "ui/pane/pane.h"
#include "ui/rows.h"

#define CALLS_SHOWN 4
#define NAME_GAP 2u          /* columns between the name of an argument and its value */

struct shown_call {
	const struct part *part;  /* looked up for each frame: parts move while a turn grows */
	const struct turn *turn;  /* NULL: this entry is free */
	size_t index;             /* of the part in `turn` */
	double begun_ms;          /* start of the part; a new turn may have the same address as a freed one */
	struct arguments arguments;
	char figures[96];         /* size, time and state */
	char size[FIGURE_SIZE];   /* shown instead of `figures` when there is no room for all of them */
	double figures_ms;        /* the view's clock when `figures` was made: they change with the clock, not with each delta */
	size_t figures_bytes;     /* and the size then; the first bytes are shown at once */
};

struct tools_pane {
	struct pane pane;
	struct shown_call calls[CALLS_SHOWN];
	unsigned count;
	size_t more;              /* older streaming calls that are not shown */
};

static struct tools_pane *tools_of(struct pane *pane)
{
	return (struct tools_pane *)pane;
}

static void tools_free(struct pane *pane)
{
	struct tools_pane *p = tools_of(pane);

	for (unsigned i = 0; i < CALLS_SHOWN; i++)
		arguments_fini(&p->calls[i].arguments);
	mem_free(p);
}

static void call_make_figures(struct shown_call *call, const struct view *view)
{
	const char *state = call->part->kind == PART_SERVER_TOOL ? "running" : arguments_state(&call->arguments);
	char time[FIGURE_SIZE];

	if (call->figures_ms == view->at_ms && !view->exact && (call->figures_bytes || !call->part->text.len))
		return;
	call->figures_ms = view->at_ms;
	call->figures_bytes = call->part->text.len;
	snprintf(call->figures, sizeof call->figures, "%8s  %7s  %10s", figure_bytes(call->size, call->part->text.len),
	         figure_clock(time, view->at_ms - call->part->begun_ms), state);
}

static bool call_is_open(const struct turn *t, size_t part)
{
	return t->parts[part].kind != PART_REASONING && page_part_is_live(t, part);
}

/* Makes entry `place` show a call. If another entry shows it already, that entry is moved, so that its layout is kept. */
static void call_assign(struct tools_pane *p, unsigned place, const struct turn *t, size_t index)
{
	unsigned at = place;

	while (at < CALLS_SHOWN && !(p->calls[at].turn == t && p->calls[at].index == index && p->calls[at].begun_ms == t->parts[index].begun_ms))
		at++;
	if (at < CALLS_SHOWN && at != place) {
		struct shown_call call = p->calls[at];

		memmove(&p->calls[place + 1], &p->calls[place], (at - place) * sizeof call);
		p->calls[place] = call;
	} else if (at == CALLS_SHOWN) {
		p->calls[place].turn = t;
		p->calls[place].index = index;
		p->calls[place].begun_ms = t->parts[index].begun_ms;
		p->calls[place].figures_ms = -1;
		arguments_begin(&p->calls[place].arguments, p->calls[place].arguments.as_sent);
	}
	p->calls[place].part = &t->parts[index];
}

/* Frees the layout of a call that has ended: the page shows it now. */
static void call_release(struct shown_call *call)
{
	if (!call->turn)
		return;
	arguments_fini(&call->arguments);
	arguments_init(&call->arguments);
	call->turn = NULL;
}

/* Collects the newest open calls, at most `most`. */
static void tools_gather(struct tools_pane *p, const struct view *view, unsigned width, unsigned most)
{
	const struct turn *t = view->live;
	size_t open = 0;

	most = most < CALLS_SHOWN ? most : CALLS_SHOWN;
	for (size_t i = 0; t && i < t->part_count; i++)
		open += call_is_open(t, i);
	p->more = open > most ? open - most : 0;
	p->count = 0;
	size_t skip = p->more;
	for (size_t i = 0; t && i < t->part_count && open; i++) {
		if (!call_is_open(t, i) || (skip && skip--))
			continue;
		struct shown_call *call = &p->calls[p->count];
		call_assign(p, p->count++, t, i);
		if (call->arguments.as_sent != view->look->raw)
			arguments_begin(&call->arguments, view->look->raw);
		arguments_update(&call->arguments, buf_str(&call->part->text), width);
		call_make_figures(call, view);
	}
	for (unsigned i = p->count; i < CALLS_SHOWN; i++)
		call_release(&p->calls[i]);
}

static size_t call_height(const struct shown_call *call)
{
	return 1 + call->arguments.flow.count;
}

static unsigned tools_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	struct tools_pane *p = tools_of(pane);
	size_t rows = 0;

	tools_gather(p, view, rows_width(columns, 0), most / 2);
	for (unsigned i = 0; i < p->count; i++)
		rows += call_height(&p->calls[i]);
	return rows < most ? (unsigned)rows : most;
}

/* The end of a text that fits, behind a sign for what it leaves out. */
static void call_draw_end(struct str text, struct canvas *canvas, struct area at)
{
	bool whole = flow_columns(text, at.columns + 1) <= at.columns;
	size_t cut = whole || text.len < at.columns ? 0 : text.len - at.columns + 1;

	while (cut && cut < text.len && utf8_is_inside(text.ptr[cut]))
		cut++;
	unsigned used = cut ? canvas_put(canvas, at.row, at.column, at.columns, ROLE_TEXT, STR("\u2026")) : 0;
	canvas_put(canvas, at.row, at.column + used, at.columns - used, ROLE_TEXT, str_skip(text, cut));
}

/* With a single row, shows the name of the last argument and the end of its value. */
static void call_draw_last_line(const struct shown_call *call, struct canvas *canvas, struct area at)
{
	struct str name = STR_NONE, value = str_trim(buf_str(&call->part->text));

	if (call->arguments.members.form == MEMBERS_LINES && !arguments_last(&call->arguments, &name, &value))
		value = buf_str(&call->arguments.text);
	unsigned used = canvas_put(canvas, at.row, at.column, at.columns / 2, ROLE_MUTED, name);
	used += used ? NAME_GAP : 0;
	if (used < at.columns)
		call_draw_end(value, canvas, (struct area){ at.row, at.column + used, 1, at.columns - used });
}

/* Where the text of the arguments stands in what is searched. */
static struct hits_place call_place(const struct shown_call *call, size_t turn)
{
	return (struct hits_place){ turn, call->index, call->arguments.dropped - call->arguments.notice };
}

static void call_draw_row(const struct shown_call *call, size_t row, struct canvas *canvas, struct area at, struct hits *hits, size_t turn)
{
	const struct arguments *a = &call->arguments;
	struct str all = buf_str(&a->text);

	rows_put_member(canvas, at, MEMBER_ROLES, &a->marks, all, rows_part_of(&a->flow, all, row), hits,
	                call_place(call, turn));
}

static void call_draw_hairline(const struct shown_call *call, size_t more, struct canvas *canvas, struct area area, bool focused)
{
	char name[200], number[32] = "server tool", others[64] = "";

	if (more)
		snprintf(others, sizeof others, " \u2500\u2500 %zu more", more);
	if (call->part->kind == PART_TOOL_CALL)
		snprintf(number, sizeof number, "call %d", call->part->call + 1);
	snprintf(name, sizeof name, "%s  %.100s%s", number, call->part->name ? call->part->name : "", others);
	pane_draw_hairline(canvas, area, &(struct pane_hairline){ ROLE_TOOL, str_trim(str_from(name)), str_trim_start(str_from(call->figures)),
	                                                          str_from(call->size) }, focused);
}

static void call_draw(struct shown_call *call, const struct view *view, struct canvas *canvas, struct area area)
{
	const struct flow *flow = &call->arguments.flow;
	struct tail *tail = &call->arguments.tail;
	size_t turn = view->conversation->count - 1;

	tail_show_hit(tail, flow, view->hits, call_place(call, turn)); /* if the current hit is in the arguments */
	size_t first = tail_first(tail, flow, area.rows - 1);
	struct area inside = rows_inside(area);
	if (area.rows == 2 && flow->count > 1 && !tail->held) {
		call_draw_last_line(call, canvas, (struct area){ area.row + 1, inside.column, 1, inside.columns });
		return;
	}
	for (unsigned r = 0; r + 1 < area.rows && first + r < flow->count; r++)
		call_draw_row(call, first + r, canvas, (struct area){ area.row + 1 + r, inside.column, 1, inside.columns }, view->hits, turn);
}

/* The rows of a call: an equal share of the rows left, or more if the calls after it need less. */
static unsigned call_share(const struct tools_pane *p, unsigned index, unsigned left)
{
	size_t wanted = call_height(&p->calls[index]), behind = 0, share = left / (p->count - index);

	for (unsigned i = index + 1; i < p->count; i++)
		behind += call_height(&p->calls[i]);
	if (behind < left && left - behind > share)
		share = left - behind;
	return (unsigned)(wanted < share ? wanted : share);
}

static void tools_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	struct tools_pane *p = tools_of(pane);
	unsigned row = area.row, left = area.rows;

	for (unsigned i = 0; i < p->count && left; i++) {
		unsigned rows = call_share(p, i, left);
		const struct area own = { row, area.column, rows, area.columns };

		call_draw_hairline(&p->calls[i], i ? 0 : p->more, canvas, own, focused && !i); /* the keys are those of the pane: named once */
		call_draw(&p->calls[i], view, canvas, own);
		row += rows;
		left -= rows;
	}
}

/* Scrolls all calls together. */
static bool tools_key(struct pane *pane, const struct view *view, const struct key *key)
{
	struct tools_pane *p = tools_of(pane);
	bool mine = false;

	(void)view;
	for (unsigned i = 0; i < p->count; i++)
		mine |= tail_key(&p->calls[i].arguments.tail, &p->calls[i].arguments.flow, key);
	return mine;
}

static const struct pane_ops tools_ops = { .rows = tools_rows, .draw = tools_draw, .key = tools_key, .free = tools_free, .thing = "calls" };

struct pane *pane_tools_new(void)
{
	struct tools_pane *p = mem_new(sizeof *p);

	p->pane.ops = &tools_ops;
	for (unsigned i = 0; i < CALLS_SHOWN; i++)
		arguments_init(&p->calls[i].arguments);
	return &p->pane;
}
