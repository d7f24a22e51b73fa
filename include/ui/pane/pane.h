/*
 * Panes: the parts of the screen, stacked from top to bottom (ui/pane/stack.h). The layout asks each pane how many rows it wants.
 *
 * A pane owns its scroll position and folds. It reads the view, draws into its area and handles the keys that scroll it; commands
 * belong to the program. A pane that wants no rows is not shown.
 */
#ifndef WEIR_UI_PANE_H
#define WEIR_UI_PANE_H

#include "ui/scroll.h"
#include "ui/view.h"

#define PANE_KEYS "j k scroll   y copy" /* keys of a pane of streaming text, shown while it has the focus */

struct pane; /* first member of every kind of pane */

struct pane_ops {
	/* The number of rows wanted, including the hairline, at most `most`. 0: nothing to show. */
	unsigned (*rows)(struct pane *pane, const struct view *view, unsigned columns, unsigned most);
	void (*draw)(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused);
	/* Handles a key or a step of the wheel. False if the pane does not use it. NULL: the pane uses no keys. */
	bool (*key)(struct pane *pane, const struct view *view, const struct key *key);
	void (*free)(struct pane *pane);
	const char *thing; /* what is copied while it has the focus, as /copy calls it; NULL: the answer */
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

/*
 * The hairline of a pane: its name, and its figures at the right end, or `least` where they have no room. With the focus it has the
 * accent, and PANE_KEYS behind the name, as many of the last ones as there is room for; for the last one the figures give way.
 */
struct pane_hairline { enum role_name role; struct str name, figures, least; };
void pane_draw_hairline(struct canvas *canvas, struct area area, const struct pane_hairline *hairline, bool focused);

/* Each pane has a file of its own. The transcript also has a header (ui/pane/transcript.h). */
struct pane *pane_reasoning_new(void); /* reasoning that is still streaming */
struct pane *pane_tools_new(void);     /* tool calls that are still streaming */
struct pane *pane_runs_new(void);      /* calls that run here */
struct pane *pane_queue_new(void);     /* queued prompts */
struct pane *pane_status_new(void);    /* the status bar */
enum status_field pane_status_at(const struct pane *status, unsigned column); /* the field there in the last frame; STATUS_COUNT: none */

#endif
