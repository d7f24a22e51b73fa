#include "render/flow_text.h"

#include <string.h>

#include "base/mem.h"
#include "base/search.h"

void flow_text_init(struct flow_text *t)
{
	*t = (struct flow_text){ .count = 0 };
}

void flow_text_reset(struct flow_text *t)
{
	while (t->count > 1)
		flow_fini(&t->blocks[--t->count].flow);
	if (t->count) /* keeps its memory */
		flow_reset(&t->blocks[0].flow);
	t->length = 0;
}

void flow_text_fini(struct flow_text *t)
{
	flow_text_reset(t);
	if (t->count)
		flow_fini(&t->blocks[0].flow);
	mem_free(t->blocks);
	flow_text_init(t);
}

static void add_block(struct flow_text *t, size_t start)
{
	struct flow_block *block = ARRAY_ADD(t->blocks, t->count, t->capacity);
	block->start = start;
	flow_init(&block->flow);
	block->flow.by_gaps = t->by_gaps;
}

/* The end of the last block, which is text.len while no text follows a line end that is far enough. */
static size_t end_of_last(const struct flow_text *t, struct str text)
{
	size_t from = t->blocks[t->count - 1].start + FLOW_BLOCK_BYTES;
	const char *feed;

	if (from < t->length) /* no line end there but perhaps the last byte */
		from = t->length - 1;
	feed = from < text.len ? memchr(text.ptr + from, '\n', text.len - from) : NULL;
	return feed ? (size_t)(feed - text.ptr) + 1 : text.len;
}

void flow_text_update(struct flow_text *t, struct str text, bool whole)
{
	size_t end;

	if (text.len < t->length || whole != t->whole)
		flow_text_reset(t);
	t->whole = whole;
	if (!t->count)
		add_block(t, 0);
	while (!whole && (end = end_of_last(t, text)) < text.len)
		add_block(t, end);
	t->length = text.len;
}

struct str flow_text_of(const struct flow_text *t, struct str text, size_t block)
{
	size_t start = t->blocks[block].start, end = block + 1 < t->count ? t->blocks[block + 1].start : text.len;

	return str_head(str_skip(text, start), end - start);
}

size_t flow_text_block(const struct flow_text *t, size_t offset)
{
	struct search s = search_in(1, t->count);

	while (search_next(&s))
		search_take(&s, t->blocks[s.middle].start <= offset);
	return s.low - 1;
}

const struct flow *flow_text_lay_out(struct flow_text *t, struct str text, size_t block, unsigned width_cells)
{
	flow_update(&t->blocks[block].flow, flow_text_of(t, text, block), width_cells);
	return &t->blocks[block].flow;
}
