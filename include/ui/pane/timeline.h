/*
 * The timeline of a replay: the tape over the width of the screen. The height of a column is how much arrived in its time, its style what
 * that was mostly; silence is blank, what is outside of the range is dots. A tape without times is shown by
 * frames.
 *
 * What columns hold is computed once for a width, and again while more of the tape is decoded.
 */
#ifndef WEIR_UI_TIMELINE_H
#define WEIR_UI_TIMELINE_H

#include "chat/player/player.h"
#include "ui/canvas.h"

enum timeline_kind { TIMELINE_OTHER, TIMELINE_TEXT, TIMELINE_REASONING, TIMELINE_CALL, TIMELINE_TROUBLE, TIMELINE_KINDS };

struct timeline_column {
	double amount[TIMELINE_KINDS]; /* bytes of text; 1 for a frame without text */
	bool repaired;                 /* a frame of it deviates from its protocol */
};

struct timeline { /* initialise to zero */
	struct timeline_column *columns;
	unsigned count;
	size_t moments;            /* decoded moments that are in the columns */
	double most;               /* the highest amount of a column */
	bool letters;              /* kinds are shown by letters instead of heights */
};

void timeline_fini(struct timeline *t);
/* Draws the first row of an area. */
void timeline_draw(struct timeline *t, const struct player *player, int64_t now_ms, bool ascii, struct canvas *canvas, struct area area);

/* The share of the tape that a column means, as last drawn: the first one 0, the last one 1. */
double timeline_share(const struct timeline *t, unsigned column);

#endif
