/*
 * The render queue: holds the deltas between two frames. Adjacent text of one part is coalesced, and the size is bounded.
 *
 * It is drained into the conversation once a frame. When it is full, it drains itself without painting. The cost of a fast stream is
 * bytes, not frames.
 */
#ifndef WEIR_CHAT_QUEUE_H
#define WEIR_CHAT_QUEUE_H

#include "wire/delta.h"

#define QUEUE_LIMIT ((size_t)256 << 10)

struct queue; /* heap */

struct queue *queue_new(size_t limit_bytes, delta_sink *sink, void *ctx); /* deltas are drained to the sink in order */
void queue_free(struct queue *q);      /* drops deltas that are not drained */
void queue_delta(void *queue, const struct delta *delta); /* a delta_sink; copies */
bool queue_is_empty(const struct queue *q);
void queue_drain(struct queue *q);

#endif
