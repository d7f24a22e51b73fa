/* The calls that assemble: each under its own hairline with name, bytes, time and state, arguments growing from the first fragment. */
#include <stdio.h>

#include "base/json_scan.h"
#include "base/mem.h"
#include "ui/page_words.h"
#include "ui/pane.h"
#include "ui/rows.h"

#define CALLS_SHOWN 4

struct shown {
	const struct part *part;  /* found anew for each frame: parts move while a turn grows */
	const struct turn *turn;
	size_t index;
	struct json_pretty printer;
	struct buf pretty;
	struct flow flow;
	size_t length;            /* of the arguments that `pretty` was made from */
	char figures[96];
};

struct pane {
	struct shown calls[CALLS_SHOWN];
	unsigned count;
	double figures_ms;
	unsigned width;
	size_t back;              /* rows scrolled back in every call */
};

static struct pane *tools_new(void)
{
	struct pane *p = mem_new(sizeof *p);
	for (unsigned i = 0; i < CALLS_SHOWN; i++) {
		buf_init(&p->calls[i].pretty, BUF_LIMIT_DEFAULT);
		flow_init(&p->calls[i].flow);
	}
	return p;
}

static void forget(struct shown *call)
{
	buf_fini(&call->pretty);
	flow_fini(&call->flow);
	call->printer = (struct json_pretty){ 0 };
	call->length = 0;
	call->turn = NULL;
}

static void tools_free(struct pane *p)
{
	for (unsigned i = 0; p && i < CALLS_SHOWN; i++)
		forget(&p->calls[i]);
	mem_free(p);
}

/* Arguments only grow while their call is open. */
static void lay_out(struct shown *call, unsigned width)
{
	struct str arguments = buf_str(&call->part->text);
	json_pretty_add(&call->printer, str_skip(arguments, call->length), &call->pretty);
	call->length = arguments.len;
	flow_update(&call->flow, buf_str(&call->pretty), width);
}

static void make_figures(struct shown *call, double at_ms)
{
	char bytes[FIGURE_SIZE], time[FIGURE_SIZE];
	snprintf(call->figures, sizeof call->figures, "%s   %s   assembling", figure_bytes(bytes, call->part->text.len),
	         figure_seconds(time, at_ms - call->part->begun_ms));
}

/* The newest open calls, laid out. */
static void gather(struct pane *p, const struct view *view, unsigned width)
{
	const struct turn *t = view->live;
	size_t open = 0;
	for (size_t i = 0; t && i < t->part_count; i++)
		open += t->parts[i].kind == PART_TOOL_CALL && page_part_is_live(t, i);
	size_t skip = open > CALLS_SHOWN ? open - CALLS_SHOWN : 0;
	unsigned before = p->count;
	p->count = 0;
	for (size_t i = 0; t && i < t->part_count && open; i++) {
		if (t->parts[i].kind != PART_TOOL_CALL || !page_part_is_live(t, i) || (skip && skip--))
			continue;
		struct shown *call = &p->calls[p->count++];
		if (call->turn != t || call->index != i)
			forget(call);
		call->turn = t;
		call->index = i;
		call->part = &t->parts[i];
		lay_out(call, width);
	}
	for (unsigned i = p->count; i < CALLS_SHOWN; i++)
		forget(&p->calls[i]);
	if (p->figures_ms != view->at_ms || before != p->count)
		for (unsigned i = 0; i < p->count; i++)
			make_figures(&p->calls[i], view->at_ms);
	p->figures_ms = view->at_ms;
}

static unsigned tools_rows(struct pane *p, const struct view *view, unsigned columns, unsigned most)
{
	p->width = columns > 2 ? columns - 2 : 1;
	gather(p, view, p->width);
	unsigned rows = 0;
	for (unsigned i = 0; i < p->count; i++)
		rows += 1 + (p->calls[i].flow.count < most ? (unsigned)p->calls[i].flow.count : most);
	return most < 2 ? 0 : rows < most ? rows : most;
}

static void draw_call(const struct pane *p, const struct shown *call, struct canvas *canvas, struct area area, bool focused)
{
	char name[160];
	snprintf(name, sizeof name, "tool call %d \u2500\u2500 %s", call->part->call + 1, call->part->name ? call->part->name : "");
	canvas_hairline(canvas, area, focused ? ROLE_ACCENT : ROLE_TOOL, str_from(name), str_from(call->figures));
	unsigned height = area.rows - 1;
	size_t total = call->flow.count, most_back = total > height ? total - height : 0;
	size_t first = most_back - (p->back < most_back ? p->back : most_back);
	unsigned gutter = area.columns > 2;
	for (unsigned r = 0; r < height && first + r < total; r++)
		rows_put(canvas, area.row + 1 + r, area.column + gutter, area.columns - gutter, ROLE_TOOL, &call->flow,
		         buf_str(&call->pretty), first + r);
}

static void tools_draw(struct pane *p, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	(void)view;
	unsigned row = area.row, left = area.rows;
	for (unsigned i = 0; i < p->count && left; i++) {
		unsigned fair = left / (p->count - i), wanted = 1 + (unsigned)p->calls[i].flow.count;
		unsigned rows = wanted < fair || i + 1 == p->count ? wanted : fair;
		rows = rows ? rows : 1;
		rows = rows < left ? rows : left;
		draw_call(p, &p->calls[i], canvas, (struct area){ row, area.column, rows, area.columns }, focused);
		row += rows;
		left -= rows;
	}
}

static bool tools_key(struct pane *p, const struct view *view, const struct key *key)
{
	(void)view;
	size_t step = key->modifiers & KEY_ALT_HELD ? 3 : 1;
	switch ((int)key->code) {
	case KEY_UP:        p->back += step; return true;
	case KEY_PAGE_UP:   p->back += 5; return true;
	case KEY_DOWN:      p->back -= p->back < step ? p->back : step; return true;
	case KEY_PAGE_DOWN: p->back -= p->back < 5 ? p->back : 5; return true;
	case KEY_WHEEL_UP:   p->back += WHEEL_ROWS; return true;
	case KEY_WHEEL_DOWN: p->back -= p->back < WHEEL_ROWS ? p->back : WHEEL_ROWS; return true;
	case KEY_HOME:      p->back = (size_t)1 << 20; return true;
	case KEY_END:       p->back = 0; return true;
	default:            return false;
	}
}

const struct pane_ops pane_tools = {
	.name = "tool calls",
	.new = tools_new,
	.free = tools_free,
	.rows = tools_rows,
	.draw = tools_draw,
	.key = tools_key,
};
