/*
 * Separates reasoning in `<think>...</think>` at the start of an answer.
 *
 *   before --"<think>"--> inside --"</think>"--> after        anything but white space in `before` --> after
 *
 * White space before the tag is dropped; white space after it is kept. Without a closing tag everything is reasoning. Tags may be split
 * across fragments.
 */
#ifndef WEIR_WIRE_THINK_H
#define WEIR_WIRE_THINK_H

#include "base/text.h"

enum think_state { THINK_BEFORE, THINK_INSIDE, THINK_AFTER };

struct think {
	enum think_state state;
	struct buf held; /* leading white space, or the beginning of a tag */
	size_t blanks;   /* bytes of white space at the front of `held` */
};

/* Callback for separated text. Never called with empty text. */
typedef void think_emit(void *ctx, bool is_reasoning, struct str text);

void think_init(struct think *t);
void think_fini(struct think *t);
void think_restart(struct think *t);
void think_feed(struct think *t, struct str text, think_emit *emit, void *ctx);

/* The answer has ended: emits held text as it is. */
void think_flush(struct think *t, think_emit *emit, void *ctx);

#endif
