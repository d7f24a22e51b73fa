/*
 * Draws rows of wrapped text in a pane, and rows of key hints.
 */
#ifndef WEIR_UI_ROWS_H
#define WEIR_UI_ROWS_H

#include "render/flow.h"
#include "ui/canvas.h"
#include "ui/page/hits.h"

/* A pane has a margin of one blank column on each side, unless it is too narrow. */
unsigned rows_width(unsigned columns, unsigned most); /* columns of text, at least 1; at most `most` (0: no limit) */
struct area rows_inside(struct area area);            /* the area without its left margin */

/* Draws row `index` of a flow at (row, column). */
void rows_put(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role,
              const struct flow *flow, struct str text, size_t index);

/* Wraps a text and draws as many of its rows as an area has. */
void rows_put_words(struct canvas *canvas, struct area area, enum role_name role, struct str words);

/* Like rows_put(), with the hits of a search marked. `hits` NULL: none. */
void rows_put_marked(struct canvas *canvas, struct area at, enum role_name role, const struct flow *flow, struct str text,
                     size_t index, struct hits *hits, struct hits_place of);

/* A row of a text: its first byte, the bytes that are shown, and where the next row begins. */
struct rows_part { size_t start, len, end; };
struct rows_part rows_part_of(const struct flow *flow, struct str text, size_t index); /* behind the last: an empty one at the end */
/* The same for a row of `text`, whatever laid it out. */
void rows_put_part(struct canvas *canvas, struct area at, enum role_name role, struct str text, struct rows_part row, struct hits *hits,
                   struct hits_place of);

/* The same for a row of members of arguments (ui/page/members.h), of which `text` is what is laid out: names are muted, values in one column. */
struct member_roles { enum role_name name, value; };
#define MEMBER_ROLES ((struct member_roles){ ROLE_MUTED, ROLE_TEXT }) /* but on sheets */
void rows_put_member(struct canvas *canvas, struct area at, struct member_roles roles, const struct member_marks *marks, struct str text,
                     struct rows_part row, struct hits *hits, struct hits_place of);

/* Appends a hint, a key and what it does, separated by three blanks from hints appended since `start`. Without a key (NULL or ""): nothing. */
void hints_add(struct buf *out, size_t start, const char *key, const char *does);

/* Hints are separated by three blanks. Returns as many of the last ones as fit into `columns`: the key that goes back is last. */
struct str hints_fitting(struct str hints, unsigned columns);

#endif
