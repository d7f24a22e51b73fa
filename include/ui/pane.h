/*
 * Panes: what the screen is stacked of. Each is a row in one table; the layout asks every one how many rows it wants.
 *
 * A pane keeps its own scrolling and folds, reads the view, draws into its area, and answers a key by true when it was its
 * own (scrolling); commands are the program's. A pane that wants no rows is not there.
 */
#ifndef WEIR_UI_PANE_H
#define WEIR_UI_PANE_H

#include "ui/term.h"
#include "ui/view.h"

struct pane; /* heap */

struct pane_ops {
	const char *name;
	struct pane *(*new)(void);
	void (*free)(struct pane *pane);
	/* Rows it would like, hairline included, at most `most`; 0: nothing to show. */
	unsigned (*rows)(struct pane *pane, const struct view *view, unsigned columns, unsigned most);
	void (*draw)(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused);
	bool (*key)(struct pane *pane, const struct view *view, const struct key *key); /* NULL: takes no focus */
};

extern const struct pane_ops pane_transcript;
extern const struct pane_ops pane_reasoning;
extern const struct pane_ops pane_tools;
extern const struct pane_ops pane_status;

/* The transcript's own: unfold or fold the reasoning and calls of the turn in view (the last one when at the end). */
void transcript_toggle_fold(struct pane *transcript, const struct view *view);
void transcript_set_raw(struct pane *transcript, bool raw); /* the source of answers instead of markdown */
void transcript_to_end(struct pane *transcript);
bool transcript_at_end(const struct pane *transcript);
void transcript_to_start(struct pane *transcript);

/* A conversation of its own begins: forget pages. */
void transcript_forget(struct pane *transcript);

#endif
