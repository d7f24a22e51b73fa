/*
 * Rows of wrapped text in a pane, and of hints.
 */
#ifndef WEIR_UI_ROWS_H
#define WEIR_UI_ROWS_H

#include "render/flow.h"
#include "ui/canvas.h"
#include "ui/page/hits.h"

/* Text of a pane has a blank column on both sides, unless it is too narrow: what is left, and what stands before it. */
unsigned rows_width(unsigned columns, unsigned most); /* at least 1; at most `most`, 0: all */
struct area rows_inside(struct area area);            /* without the column before it */

/* Draws row `index` of a flow at (row, column). */
void rows_put(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role,
              const struct flow *flow, struct str text, size_t index);

/* The same with the hits of a search marked (NULL: none). */
void rows_put_marked(struct canvas *canvas, struct area at, enum role_name role, const struct flow *flow, struct str text,
                     size_t index, struct hits *hits, struct hits_place of);

/* Of keys and what they do, parted by three blanks, as many of the last as fit into `columns`: the way back stands last. */
struct str hints_fitting(struct str hints, unsigned columns);

#endif
