/*
 * The content blocks of an Anthropic message while they stream: each is known by its index and has a start, deltas and a stop.
 * Blocks may overlap, their starts may be missing, and their stops too. What they mean goes to the guard.
 *
 *   anthropic_blocks_start --> anthropic_blocks_delta* --> anthropic_blocks_stop       (index -1: the last block)
 */
#ifndef WEIR_WIRE_ANTHROPIC_BLOCKS_H
#define WEIR_WIRE_ANTHROPIC_BLOCKS_H

#include "base/json.h"
#include "wire/guard.h"

struct anthropic_blocks { /* zeroed at birth, but for the guard */
	struct guard *guard;
	struct anthropic_block *items;
	size_t count, capacity;
	size_t held; /* bytes that wait for a stop */
};

void anthropic_blocks_fini(struct anthropic_blocks *all);
void anthropic_blocks_clear(struct anthropic_blocks *all); /* the message starts over */

void anthropic_blocks_start(struct anthropic_blocks *all, int64_t index, const struct json *value);
void anthropic_blocks_delta(struct anthropic_blocks *all, int64_t index, const struct json *delta);
void anthropic_blocks_stop(struct anthropic_blocks *all, int64_t index);
void anthropic_blocks_stop_all(struct anthropic_blocks *all); /* those without a stop: what is not whole is dropped */

#endif
