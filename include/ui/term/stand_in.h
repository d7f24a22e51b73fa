/*
 * Stand-ins: code points that ncurses is given for clusters it cannot hold.
 *
 * It places text by wcwidth() and takes five characters a cell, so a family of emoji joined to one picture is beyond it. A Tangut
 * component (two cells wide, and never shown as itself: utf8_cell() refuses it) is put in its place, one for each cluster,
 * and frame_tidy() puts the cluster into the bytes that come out.
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

/* The stand-in of a cluster, a new one if need be; 0 when there is none left. */
uint32_t stand_in_for(struct stand_ins *s, struct str cluster);

/* The cluster that a code point stands in for; empty when it stands for none. */
struct str stand_in_cluster(const struct stand_ins *s, uint32_t code);

/* Forgets all of them: nothing that was drawn with them may be trusted to stay. */
void stand_ins_forget(struct stand_ins *s);

#endif
