/*
 * The content blocks of a streaming Anthropic message. A block has an index, a start, deltas and a stop. Blocks may overlap; starts and
 * stops may be missing. Decoded content is reported to the guard.
 *
 *   anthropic_blocks_start --> anthropic_blocks_delta* --> anthropic_blocks_stop       (index -1: the last block)
 */
#ifndef WEIR_WIRE_ANTHROPIC_BLOCKS_H
#define WEIR_WIRE_ANTHROPIC_BLOCKS_H

#include "base/json.h"
#include "wire/guard.h"

struct anthropic_blocks { /* zero it to initialize, then set `guard` */
	struct guard *guard; /* borrowed */
	struct anthropic_block *items;
	size_t count, capacity;
	size_t held; /* bytes held until a stop */
};

void anthropic_blocks_fini(struct anthropic_blocks *all);
void anthropic_blocks_clear(struct anthropic_blocks *all); /* the server restarts the message */

void anthropic_blocks_start(struct anthropic_blocks *all, int64_t index, const struct json *value);
void anthropic_blocks_delta(struct anthropic_blocks *all, int64_t index, const struct json *delta);
void anthropic_blocks_stop(struct anthropic_blocks *all, int64_t index);
void anthropic_blocks_stop_all(struct anthropic_blocks *all); /* stops all open blocks; drops incomplete content */

#endif
