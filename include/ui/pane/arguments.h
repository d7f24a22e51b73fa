/*
 * Arguments: those of a call that assembles, pretty as far as they parse. What comes is appended; of more than ARGUMENTS_SHOWN bytes the
 * end is kept, below a line that says how much is above - so a call of any size costs what it grew by.
 */
#ifndef WEIR_UI_ARGUMENTS_H
#define WEIR_UI_ARGUMENTS_H

#include "base/json_scan.h"
#include "ui/pane/tail.h"

#define ARGUMENTS_SHOWN ((size_t)1 << 20) /* at most, as shown */

struct arguments {
	struct json_pretty pretty;
	struct buf text;          /* what is shown */
	struct flow flow;
	struct tail tail;
	size_t bytes;             /* of the arguments, that were taken */
	size_t dropped;           /* bytes as shown that were let go before `text`, the line about them not counted */
	size_t notice;            /* length of that line */
};

void arguments_init(struct arguments *a);
void arguments_fini(struct arguments *a);
void arguments_begin(struct arguments *a);                    /* of another call */
void arguments_update(struct arguments *a, struct str whole, unsigned width_cells); /* `whole` begins with what was taken */
const char *arguments_state(const struct arguments *a);       /* "assembling", "whole", "not JSON" */
/* Where the text stands in that of a search. */
size_t arguments_shift(const struct arguments *a);

#endif
