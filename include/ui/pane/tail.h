/*
 * Tail: the viewport on a growing text. It follows the end until the user scrolls; then it stays at the same text. The position is a
 * byte offset, so a new width does not move it.
 */
#ifndef WEIR_UI_TAIL_H
#define WEIR_UI_TAIL_H

#include "render/flow.h"
#include "ui/page/hits.h"
#include "ui/term/key.h"

#define TAIL_NO_HIT ((size_t)-1)

struct tail {
	bool held;            /* the user scrolled away from the end; else the end is followed */
	size_t offset;        /* start of the first visible row while `held` */
	unsigned height;      /* visible rows of the last frame */
	size_t hit;           /* offset of the hit that was last scrolled to; TAIL_NO_HIT */
};

/* Starts over: follows the end of another text. */
void tail_begin(struct tail *tail);
/* Call after `bytes` bytes were removed from the start of the text. */
void tail_drop(struct tail *tail, size_t bytes);
/* Sets the height and returns the first visible row. */
size_t tail_first(struct tail *tail, const struct flow *flow, unsigned height);
/* Scrolls. False if the key does not scroll. */
bool tail_key(struct tail *tail, const struct flow *flow, const struct key *key);
/*
 * Scrolls to the current hit when it has changed since the last call, so the user can scroll away from it. `text` is the text that
 * the flow shows.
 */
void tail_show_hit(struct tail *tail, const struct flow *flow, const struct hits *hits, struct hits_place text);

#endif
