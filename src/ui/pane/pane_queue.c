/* Prompts in line: those that go next and the newest one, a row each; a third of the height at most. */
#include <stdio.h>

#include "base/mem.h"
#include "ui/pane/pane.h"
#include "ui/rows.h"

#define HAIRLINE_MARGIN 10u /* of signs and blanks around name and keys */

static unsigned queue_shown(const struct view *view)
{
	return view->queued < VIEW_QUEUED_SHOWN ? view->queued : VIEW_QUEUED_SHOWN;
}

static unsigned queue_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	unsigned rows = queue_shown(view) + 1;

	(void)pane, (void)columns;
	return !view->queued || most < 2 ? 0 : rows < most ? rows : most;
}

/* The first line with something in it; what it leaves out is shown by a sign. `behind`: prompts that are not shown between it and the next row. */
static void queue_draw_prompt(const struct view_queued *queued, unsigned behind, struct canvas *canvas, struct area line)
{
	char number[16], facts[64] = "", more[24] = "";
	struct str prompt = str_trim(queued->prompt), first = str_trim(str_head(prompt, str_find(prompt, STR("\n"))));

	snprintf(number, sizeof number, "%-3u", queued->number);
	if (behind)
		snprintf(more, sizeof more, "%s+ %u more", queued->files ? "   " : "", behind);
	if (queued->files)
		snprintf(facts, sizeof facts, "%zu file%s%s", queued->files, queued->files == 1 ? "" : "s", more);
	else
		snprintf(facts, sizeof facts, "%s", more);
	unsigned used = canvas_put(canvas, line.row, line.column, line.columns, ROLE_MUTED, str_from(number));
	unsigned beside = *facts ? (unsigned)utf8_width(str_from(facts)) + 3 : 1,
	         room = line.columns > used + beside ? line.columns - used - beside : 1;
	bool cut = first.len < prompt.len || flow_columns(first, room + 1) > room;
	unsigned at = line.column + used + canvas_put(canvas, line.row, line.column + used, room - (cut && room > 1), ROLE_TEXT, first);
	if (cut)
		canvas_put(canvas, line.row, at, 1, ROLE_MUTED, STR("\u2026"));
	if (*facts && line.columns > used + beside)
		canvas_put_right(canvas, line.row, line.column, line.columns - 1, ROLE_MUTED, str_from(facts));
}

/* Of few rows the last one is the newest prompt: that is the one which can be taken out. */
static void queue_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	char name[32];
	unsigned shown = queue_shown(view);
	struct area inside = rows_inside(area);

	(void)pane, (void)focused;
	snprintf(name, sizeof name, "%u queued", view->queued);
	unsigned taken = HAIRLINE_MARGIN + (unsigned)utf8_width(str_from(name));
	struct str keys = hints_fitting(str_from(view->queued_keys), area.columns > taken ? area.columns - taken : 0);
	canvas_hairline(canvas, area, ROLE_MUTED, str_from(name), keys);
	for (unsigned r = 1; r < area.rows; r++) {
		bool is_last = r + 1 == area.rows;
		unsigned row = is_last ? shown - 1 : r - 1, next = r + 2 >= area.rows ? shown - 1 : r;
		unsigned behind = is_last ? 0 : view->queue[next].number - view->queue[row].number - 1;

		queue_draw_prompt(&view->queue[row], behind, canvas, (struct area){ area.row + r, inside.column, 1, inside.columns });
	}
}

static void queue_free(struct pane *pane)
{
	mem_free(pane);
}

struct pane *pane_queue_new(void)
{
	static const struct pane_ops ops = { .rows = queue_rows, .draw = queue_draw, .free = queue_free };
	struct pane *pane = mem_new(sizeof *pane);

	pane->ops = &ops;
	return pane;
}
