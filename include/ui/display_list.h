/*
 * The display list of a row of cells: what is drawn into the row, as bytes. In most frames most rows are drawn as in the frame before, which
 * shows by comparing the lists; cells are written only where they differ. (Written and compared in each frame, the cells of a full screen
 * are most of what a token costs.)
 */
#ifndef WEIR_UI_DISPLAY_LIST_H
#define WEIR_UI_DISPLAY_LIST_H

#include <stdint.h>

#include "base/text.h"

struct cell;

struct display_list {
	struct cell *cells;       /* of the row; borrowed */
	unsigned columns;
	struct buf drawn, before; /* since the row was cleared; before that */
	size_t applied;           /* bytes of `drawn` that the cells show already */
	bool cleared;             /* the cells still show `before` */
	bool unknown;             /* they show more than the list has */
	uint64_t version;         /* changes with the cells; never 0 */
};

void display_list_init(struct display_list *list);
void display_list_fini(struct display_list *list);
void display_list_start(struct display_list *list, struct cell *cells, unsigned columns); /* all blanks in ROLE_TEXT, written at once */
void display_list_clear(struct display_list *list); /* the same, by drawing */

/* What is drawn must lie within the row. `style` is a cell of the style; its text does not matter. */
void display_list_text(struct display_list *list, unsigned column, const struct cell *style, struct str ascii);
void display_list_repeat(struct display_list *list, unsigned column, unsigned count, const struct cell *cell); /* `cell` side by side */
void display_list_restyle(struct display_list *list, unsigned column, unsigned count, uint8_t role);

/* Draws what the cells do not show yet. */
void display_list_settle(struct display_list *list);

#endif
