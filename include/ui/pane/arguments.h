/*
 * Arguments of a tool call that is still streaming, pretty-printed as far as they parse. New bytes are appended. Beyond ARGUMENTS_SHOWN
 * bytes only the end is kept, below a line that says how much was dropped. So the cost of an update depends only on the new bytes.
 */
#ifndef WEIR_UI_ARGUMENTS_H
#define WEIR_UI_ARGUMENTS_H

#include "base/json_scan.h"
#include "ui/pane/tail.h"

#define ARGUMENTS_SHOWN ((size_t)1 << 20) /* maximum size of the pretty-printed text */

struct arguments {
	struct json_pretty pretty;
	struct buf text;          /* pretty-printed arguments, preceded by the notice if the front was dropped */
	struct flow flow;
	struct tail tail;
	size_t bytes;             /* bytes of the arguments processed so far */
	size_t dropped;           /* pretty-printed bytes dropped from the front, without the notice */
	size_t notice;            /* length of the notice line at the start of `text`; 0: none */
};

void arguments_init(struct arguments *a);
void arguments_fini(struct arguments *a);
void arguments_begin(struct arguments *a);                    /* starts over, for another call */
/* `whole`: all arguments received so far. Only its new bytes are read; a shorter `whole` starts over. */
void arguments_update(struct arguments *a, struct str whole, unsigned width_cells);
const char *arguments_state(const struct arguments *a);       /* "assembling", "whole", "not JSON" */
/* The offset of `text` in the full pretty-printed text, which hits are counted in. */
size_t arguments_shift(const struct arguments *a);

#endif
