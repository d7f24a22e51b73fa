/* The pane of calls that run here: for each a hairline with size, time and state, and the end of what it has written. */
#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/figure.h"
#include "render/flow.h"
#include "ui/pane/pane.h"
#include "ui/rows.h"

#define TAIL_BYTES ((size_t)8 << 10) /* of the output that are laid out: more than a pane has rows for */

struct shown_run {
	struct buf text;     /* the end of the output, as valid UTF-8 */
	struct flow flow;
};

struct runs_pane {
	struct pane pane;
	struct shown_run runs[VIEW_RUNS_SHOWN]; /* by their places, which others take when one ends */
};

static void run_update(struct shown_run *run, struct str output, unsigned width)
{
	struct str end = output.len > TAIL_BYTES ? str_skip(output, output.len - TAIL_BYTES) : output;
	struct buf text = { 0 };

	while (end.len && utf8_is_inside(*end.ptr))
		end = str_skip(end, 1);
	(void)utf8_repair(end, &text);
	if (text.len && text.ptr[text.len - 1] == '\n')
		buf_remove(&text, text.len - 1, 1);
	if (!str_equal(buf_str(&text), buf_str(&run->text)))
		flow_reset(&run->flow);
	buf_fini(&run->text);
	run->text = text;
	flow_update(&run->flow, buf_str(&run->text), width);
}

static unsigned run_rows(const struct shown_run *run)
{
	return 1 + (run->text.len ? (unsigned)run->flow.count : 0);
}

static unsigned runs_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	struct runs_pane *p = (struct runs_pane *)pane;
	unsigned rows = 0;

	for (unsigned i = 0; i < view->run_count; i++) {
		run_update(&p->runs[i], view->runs[i].output, rows_width(columns, 0));
		rows += run_rows(&p->runs[i]);
	}
	return rows < most ? rows : most;
}

static void run_draw(const struct shown_run *run, const struct view_run *of, struct canvas *canvas, struct area area, bool focused)
{
	char name[120], figures[80], size[FIGURE_SIZE], time[FIGURE_SIZE];
	struct area inside = rows_inside(area);
	unsigned shown = area.rows - 1;
	size_t first = run->flow.count > shown ? run->flow.count - shown : 0;

	snprintf(name, sizeof name, "call %u  %.64s", of->call + 1, of->name);
	snprintf(figures, sizeof figures, "%.20s%s%s  %s", of->share ? of->share : figure_bytes(size, of->output.len),
	         of->share && !*of->share ? "" : "  ", figure_clock(time, of->ms), of->state);
	pane_draw_hairline(canvas, area, &(struct pane_hairline){ ROLE_TOOL, str_from(name), str_from(figures), str_from(of->state) }, focused);
	for (unsigned r = 0; r < shown && run->text.len && first + r < run->flow.count; r++)
		rows_put(canvas, area.row + 1 + r, inside.column, inside.columns, ROLE_TEXT, &run->flow, buf_str(&run->text), first + r);
}

/* The rows of a run: an equal share of those that are left, or more if the runs after it need less. */
static unsigned run_share(const struct runs_pane *p, const struct view *view, unsigned index, unsigned left)
{
	unsigned wanted = run_rows(&p->runs[index]), share = left / (view->run_count - index), behind = 0;

	for (unsigned i = index + 1; i < view->run_count; i++)
		behind += run_rows(&p->runs[i]);
	share = behind < left && left - behind > share ? left - behind : share;
	share = share ? share : left;
	return wanted < share ? wanted : share;
}

static void runs_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	struct runs_pane *p = (struct runs_pane *)pane;
	unsigned row = area.row, left = area.rows;

	for (unsigned i = 0; i < view->run_count && left; i++) {
		unsigned rows = run_share(p, view, i, left);

		run_draw(&p->runs[i], &view->runs[i], canvas, (struct area){ row, area.column, rows, area.columns }, focused && !i);
		row += rows;
		left -= rows;
	}
}

static void runs_free(struct pane *pane)
{
	struct runs_pane *p = (struct runs_pane *)pane;

	for (unsigned i = 0; i < VIEW_RUNS_SHOWN; i++) {
		buf_fini(&p->runs[i].text);
		flow_fini(&p->runs[i].flow);
	}
	mem_free(p);
}

struct pane *pane_runs_new(void)
{
	static const struct pane_ops ops = { .rows = runs_rows, .draw = runs_draw, .free = runs_free };
	struct runs_pane *p = mem_new(sizeof *p);

	p->pane.ops = &ops;
	for (unsigned i = 0; i < VIEW_RUNS_SHOWN; i++)
		flow_init(&p->runs[i].flow);
	return &p->pane;
}
