/*
 * A text of any length as rows: it is cut at line ends into blocks, and a block is laid out when it is asked for. So a text of many megabytes
 * costs no more than the blocks that are shown.
 *
 * A text may grow at its end. Then only its last block is laid out again.
 */
#ifndef WEIR_RENDER_FLOW_TEXT_H
#define WEIR_RENDER_FLOW_TEXT_H

#include "render/flow.h"

#ifndef FLOW_BLOCK_BYTES /* tests pass with any */
#define FLOW_BLOCK_BYTES ((size_t)32 << 10) /* of a block, but for its last line */
#endif

struct flow_text {
	struct flow_block { size_t start; struct flow flow; } *blocks; /* `start`: offset of its first byte; those in `flow` count from it */
	size_t count, capacity;  /* blocks: 1 or more after flow_text_update() */
	size_t length;           /* bytes cut so far */
	bool whole;              /* one block only */
	bool by_gaps;            /* as in struct flow; set before the first update */
};

void flow_text_init(struct flow_text *t);
void flow_text_fini(struct flow_text *t);
void flow_text_reset(struct flow_text *t); /* the text is another one */

/* Cuts `text`, which begins with the same bytes as in the last call unless flow_text_reset() was called. `whole`: into one block only. */
void flow_text_update(struct flow_text *t, struct str text, bool whole);

struct str flow_text_of(const struct flow_text *t, struct str text, size_t block); /* the bytes of a block */
size_t flow_text_block(const struct flow_text *t, size_t offset);                  /* the block of a byte; the last one beyond the end */
/* Lays out a block. Borrowed until the text changes. */
const struct flow *flow_text_lay_out(struct flow_text *t, struct str text, size_t block, unsigned width_cells);

#endif
