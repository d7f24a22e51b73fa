/* The pane of a docked sheet: it takes rows above the input, so that the end of the page, which it is about, stays above it. */
#include "app/screen/chat_inside.h"
#include "base/mem.h"

#define ROWS_LEAST 2u /* the title and a row of the input */

struct dock_pane {
	struct pane pane;
	struct chat *chat;
};

static struct chat *dock_chat(struct pane *pane)
{
	return ((struct dock_pane *)pane)->chat;
}

static unsigned dock_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	struct sheet *sheet = cards_docked(&dock_chat(pane)->cards);

	(void)view;
	return sheet && most >= ROWS_LEAST ? sheet_dock_rows(sheet, columns, most) : 0;
}

static void dock_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	(void)view, (void)focused;
	sheet_draw_docked(cards_docked(&dock_chat(pane)->cards), canvas, area);
}

static void dock_free(struct pane *pane)
{
	mem_free(pane);
}

struct pane *chat_dock_new(struct chat *c)
{
	static const struct pane_ops ops = { .rows = dock_rows, .draw = dock_draw, .free = dock_free };
	struct dock_pane *p = mem_new(sizeof *p);

	*p = (struct dock_pane){ { &ops }, c };
	return &p->pane;
}
