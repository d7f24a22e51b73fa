/*
 * Stand-ins: code points that represent, within ncurses, clusters that it cannot store.
 *
 * ncurses places text by wcwidth() and stores five characters per cell, so it cannot handle a family of joined emoji. Each such cluster
 * gets a Tangut component as its substitute: a character two cells wide that never occurs in text (utf8_cell() refuses it).
 * frame_tidy() replaces substitutes by their clusters in the output of ncurses.
 */
#ifndef WEIR_UI_CELL_SUBSTITUTE_H
#define WEIR_UI_CELL_SUBSTITUTE_H

#include "base/utf8.h"

#define CELL_SUBSTITUTE_FIRST 0x18800u
#define CELL_SUBSTITUTES 768u

struct cell_substitutes {
	struct { char text[sizeof ((struct utf8_cell *)0)->text]; uint8_t len; } clusters[CELL_SUBSTITUTES];
	unsigned used;
};

/* The substitute of a cluster; assigns one if necessary. 0 if none is left. */
uint32_t cell_substitute_for(struct cell_substitutes *s, struct str cluster);

/* The cluster of a substitute, borrowed; empty if `code` is not a substitute in use. */
struct str cell_substitute_cluster(const struct cell_substitutes *s, uint32_t code);

/* Frees all substitutes. Everything drawn with them must be redrawn. */
void cell_substitutes_forget(struct cell_substitutes *s);

#endif
