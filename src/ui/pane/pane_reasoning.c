/* The pane of streaming reasoning: at most a third of the height, following its end, less prominent than text. */

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "ui/page/page_words.h"
#include "ui/pane/pane.h"
#include "ui/pane/tail.h"
#include "ui/rows.h"

struct reasoning_pane {
	struct pane pane;
	struct flow flow;
	const struct turn *turn;  /* the turn that is laid out */
	size_t part;              /* the part of `turn` that is laid out */
	double begun_ms;          /* its start; a new turn may have the same address as a freed one */
	struct tail tail;
	double figures_ms;        /* the view's clock when `figures` was made: they change with the clock, not with each delta */
	char figures[96];
};

static struct reasoning_pane *reasoning_of(struct pane *pane)
{
	return (struct reasoning_pane *)pane;
}

static void reasoning_free(struct pane *pane)
{
	flow_fini(&reasoning_of(pane)->flow);
	mem_free(pane);
}

static const struct part *reasoning_live_part(struct reasoning_pane *p, const struct view *view)
{
	const struct turn *t = view->look->reasoning == REASONING_VIEW_PANE ? view->live : NULL;

	for (size_t i = t ? t->part_count : 0; i > 0; i--) {
		if (t->parts[i - 1].kind != PART_REASONING || !page_part_is_live(t, i - 1))
			continue;
		if (p->turn != t || p->part != i - 1 || p->begun_ms != t->parts[i - 1].begun_ms) {
			flow_reset(&p->flow);
			p->turn = t;
			p->part = i - 1;
			p->begun_ms = t->parts[i - 1].begun_ms;
			tail_begin(&p->tail);
			p->figures_ms = -1;
		}
		return &t->parts[i - 1];
	}
	return NULL;
}

static unsigned reasoning_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	struct reasoning_pane *p = reasoning_of(pane);
	const struct part *part = reasoning_live_part(p, view);

	if (!part || most < 2)
		return 0;
	if (part->text.len < p->flow.length) /* a replay went back */
		flow_cut(&p->flow, part->text.len);
	flow_update(&p->flow, buf_str(&part->text), rows_width(columns, view->look->text_width));
	return p->flow.count + 1 < most ? (unsigned)p->flow.count + 1 : most;
}

static void reasoning_make_figures(struct reasoning_pane *p, const struct view *view, const struct part *part)
{
	if (p->figures_ms == view->at_ms && !view->exact)
		return;
	p->figures_ms = view->at_ms;
	page_words_live(part, view->at_ms, p->figures, sizeof p->figures);
}

static void reasoning_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	struct reasoning_pane *p = reasoning_of(pane);
	const struct part *part = reasoning_live_part(p, view);

	if (!part || area.rows < 2)
		return;
	reasoning_make_figures(p, view, part);
	struct str figures = str_trim_start(str_from(p->figures));
	struct str time = str_head(figures, str_find(figures, STR("  ")));
	pane_draw_hairline(canvas, area, &(struct pane_hairline){ ROLE_REASONING, STR("reasoning"), figures, time }, focused);
	struct hits_place text = { view->conversation->count - 1, p->part, 0 };
	tail_show_hit(&p->tail, &p->flow, view->hits, text);
	size_t first = tail_first(&p->tail, &p->flow, area.rows - 1);
	struct area inside = rows_inside(area);
	for (unsigned r = 0; r + 1 < area.rows && first + r < p->flow.count; r++)
		rows_put_marked(canvas, (struct area){ area.row + 1 + r, inside.column, 1, inside.columns }, ROLE_REASONING,
		                &p->flow, buf_str(&part->text), first + r, view->hits, text);
}

static bool reasoning_key(struct pane *pane, const struct view *view, const struct key *key)
{
	struct reasoning_pane *p = reasoning_of(pane);

	(void)view;
	return tail_key(&p->tail, &p->flow, key);
}

static const struct pane_ops reasoning_ops = { .rows = reasoning_rows, .draw = reasoning_draw, .key = reasoning_key, .free = reasoning_free,
                                               .thing = "reasoning" };

struct pane *pane_reasoning_new(void)
{
	struct reasoning_pane *p = mem_new(sizeof *p);

	p->pane.ops = &reasoning_ops;
	flow_init(&p->flow);
	return &p->pane;
}
