/*
 * Stand-ins: code points that represent, within ncurses, clusters that it cannot store.
 *
 * ncurses places text by wcwidth() and stores five characters per cell, so it cannot handle a family of joined emoji. Each such cluster
 * gets a Tangut component as its stand-in: a character two cells wide that never occurs in text (utf8_cell() refuses it).
 * frame_tidy() replaces stand-ins by their clusters in the output of ncurses.
 */
#ifndef WEIR_UI_STAND_IN_H
#define WEIR_UI_STAND_IN_H

#include "base/utf8.h"

#define STAND_IN_FIRST 0x18800u
#define STAND_INS 768u

struct stand_ins {
	struct { char text[sizeof ((struct utf8_cell *)0)->text]; uint8_t len; } clusters[STAND_INS];
	unsigned used;
};

/* The stand-in of a cluster; assigns one if necessary. 0 if none is left. */
uint32_t stand_in_for(struct stand_ins *s, struct str cluster);

/* The cluster of a stand-in, borrowed; empty if `code` is not a stand-in in use. */
struct str stand_in_cluster(const struct stand_ins *s, uint32_t code);

/* Frees all stand-ins. Everything drawn with them must be redrawn. */
void stand_ins_forget(struct stand_ins *s);

#endif
