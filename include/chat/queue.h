/*
 * The render queue: holds the deltas between two frames. Neighbouring text of one part coalesces; it is bounded in bytes.
 *
 * It is drained into the conversation once a frame; when it fills earlier, it drains itself without painting. A fast
 * stream costs bytes, not paints.
 */
#ifndef WEIR_CHAT_QUEUE_H
#define WEIR_CHAT_QUEUE_H

#include "wire/delta.h"

#define QUEUE_LIMIT ((size_t)256 << 10)

struct queue; /* heap */

struct queue *queue_new(size_t limit_bytes, delta_sink *sink, void *ctx); /* what is drained goes to the sink, in order */
void queue_free(struct queue *q);      /* drops what is not drained */
void queue_delta(void *queue, const struct delta *delta); /* a delta_sink; copies */
bool queue_is_empty(const struct queue *q);
void queue_drain(struct queue *q);

#endif
