/*
 * A table: a card with rows of a name, a value and a note, one of them marked, and below them what is to be said of the marked one.
 * Settings are one. It has no filter: letters are its caller's keys.
 */
#ifndef WEIR_UI_TABLE_H
#define WEIR_UI_TABLE_H

#include "ui/canvas.h"
#include "ui/term/key.h"

struct table; /* heap: copies its texts */

struct table *table_new(struct str title, const char *keys); /* `keys` borrowed */
void table_free(struct table *table);
void table_set_keys(struct table *table, const char *keys);  /* those that work now; borrowed */

void table_clear(struct table *table);                       /* the rows; the mark stays where it is */
void table_add(struct table *table, struct str name, struct str value, struct str note);
void table_set_below(struct table *table, struct str text);  /* of the marked row */
size_t table_marked(const struct table *table);              /* its number in the order added */

void table_mark(struct table *table, size_t row);            /* marks that row, or the last one */

bool table_key(struct table *table, const struct key *key);  /* moves the mark; false: the key is the caller's */
void table_draw(struct table *table, struct canvas *canvas);

#endif
