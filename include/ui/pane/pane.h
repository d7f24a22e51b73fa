/*
 * Panes: what the screen is stacked of (ui/pane/stack.h). The layout asks every one how many rows it wants.
 *
 * A pane keeps its own scrolling and folds, reads the view, draws into its area, and answers a key by true when it was its
 * own (scrolling); commands are the program's. A pane that wants no rows is not there.
 */
#ifndef WEIR_UI_PANE_H
#define WEIR_UI_PANE_H

#include "ui/term/key.h"
#include "ui/view.h"

#define WHEEL_ROWS 3 /* that a turn of the wheel scrolls */

struct pane; /* each kind embeds it first */

struct pane_ops {
	/* Rows it would like, hairline included, at most `most`; 0: nothing to show. */
	unsigned (*rows)(struct pane *pane, const struct view *view, unsigned columns, unsigned most);
	void (*draw)(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused);
	bool (*key)(struct pane *pane, const struct view *view, const struct key *key); /* keys and the wheel; NULL: takes none */
	void (*free)(struct pane *pane);
};

struct pane {
	const struct pane_ops *ops;
};

static inline unsigned pane_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	return pane->ops->rows(pane, view, columns, most);
}

static inline void pane_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	pane->ops->draw(pane, view, canvas, area, focused);
}

static inline bool pane_key(struct pane *pane, const struct view *view, const struct key *key)
{
	return pane->ops->key && pane->ops->key(pane, view, key);
}

static inline void pane_free(struct pane *pane)
{
	if (pane)
		pane->ops->free(pane);
}

/* Each is its own file; the transcript has a header of its own (ui/pane/transcript.h). */
struct pane *pane_reasoning_new(void); /* the reasoning under way */
struct pane *pane_tools_new(void);     /* the calls that assemble */
struct pane *pane_status_new(void);    /* the status bar */

#endif
