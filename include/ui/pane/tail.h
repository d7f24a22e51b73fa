/*
 * Tail: what a pane shows of a text that grows - its last rows, or those that one has scrolled to, which then stay. The place is
 * a byte of the text, so that another width does not move it.
 */
#ifndef WEIR_UI_TAIL_H
#define WEIR_UI_TAIL_H

#include "render/flow.h"
#include "ui/page/hits.h"
#include "ui/term/key.h"

#define TAIL_NO_HIT ((size_t)-1)

struct tail {
	bool held;            /* else the end is followed */
	size_t offset;        /* of the first row, while it is held */
	unsigned height;      /* as last shown */
	size_t hit;           /* offset of the one that was last come to; TAIL_NO_HIT */
};

/* Follows the end of another text. */
void tail_begin(struct tail *tail);
/* The text lost so many bytes at its front. */
void tail_drop(struct tail *tail, size_t bytes);
/* The first row that is shown at a height. */
size_t tail_first(struct tail *tail, const struct flow *flow, unsigned height);
/* Scrolls; false when the key is none of those. */
bool tail_key(struct tail *tail, const struct flow *flow, const struct key *key);
/*
 * Brings the current hit into view when it is another one than before; then one may scroll away. `text` is what the
 * flow shows.
 */
void tail_show_hit(struct tail *tail, const struct flow *flow, const struct hits *hits, struct hits_place text);

#endif
