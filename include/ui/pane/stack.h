/*
 * The stack: the panes of a screen from top to bottom, each over the full width. Layout, drawing, focus, keys and wheel walk the same
 * rows, so that one row adds a pane.
 *
 * Text of a limited width stands in the middle of a wide screen. On one that is wide enough the panes with a `margin` stand in the void at
 * its left, one above the other down to the end of the `rest` pane; the void at its right is for wide tables, code and pictures. The text
 * stands there whether such panes are shown or not, so it does not move when they come and go.
 *
 * The lowest pane is given its rows first. One pane gets what the others leave, which is at least one row. A pane that asks for no
 * rows is not on the screen: it is skipped when the focus moves, and loses the focus to the home pane.
 */
#ifndef WEIR_UI_STACK_H
#define WEIR_UI_STACK_H

#include "ui/pane/pane.h"

#define STACK_REST 0 /* the rows that the other panes leave; exactly one pane has this share */

struct stack_row {
	struct pane *pane;
	bool takes_focus;
	unsigned share;    /* at most 1/share of the height; or STACK_REST */
	unsigned beside;   /* on a screen of so many columns it stands at the right of the pane with STACK_REST, which comes before it; 0: never */
	unsigned margin;   /* on a screen of so many columns it stands in the margin at the left of the text; 0: never */
};

struct stack_place {
	struct stack_row row;
	struct area area;  /* as last laid out; 0 rows when the pane is not on the screen */
	bool beside;       /* it stands beside the pane with STACK_REST, at its right or in the margin */
};

struct stack {
	struct stack_place *places;
	size_t count;
	struct pane *rest; /* the pane with STACK_REST; also gets the wheel when no other pane takes it */
	struct pane *home; /* has the focus initially and whenever the focused pane is no longer shown */
	struct pane *focus;
	unsigned columns;   /* of the screen at the last layout; text of a limited width stands in its middle */
};

/* The stack owns the panes until stack_fini() frees them. `home` is one of them. */
void stack_init(struct stack *s, const struct stack_row *rows, size_t count, struct pane *home);
void stack_fini(struct stack *s);

void stack_layout(struct stack *s, const struct view *view, unsigned rows, unsigned columns);
void stack_draw(const struct stack *s, const struct view *view, struct canvas *canvas); /* after stack_layout() */
struct area stack_area(const struct stack *s, const struct pane *pane);
struct pane *stack_pane_at(const struct stack *s, unsigned row, unsigned column); /* the pane there on the screen, or NULL */

void stack_focus(struct stack *s, struct pane *pane);            /* focuses `home` when the pane takes no focus */
void stack_move_focus(struct stack *s, int step);                /* to the next pane below (1) or above (-1), wrapping around */

/* Passes the key to the pane with the focus. False if that pane does not use it. */
bool stack_key(struct stack *s, const struct view *view, const struct key *key);
/* Passes a step of the wheel to the pane under the pointer; if that pane does not use it, to `rest`. */
void stack_wheel(struct stack *s, const struct view *view, const struct key *key);

#endif
