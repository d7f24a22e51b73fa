/*
 * Definitions of references, `[label]: destination`, by label. The first definition of a label counts. Labels ignore ASCII case and the
 * number of blanks.
 *
 * They are stored as offsets, because a growing text moves. Only complete lines are added. If a text declared complete grows after all,
 * the last definitions become invalid: the caller passes the number of valid ones.
 */
#ifndef WEIR_RENDER_MARKDOWN_DEFINITIONS_H
#define WEIR_RENDER_MARKDOWN_DEFINITIONS_H

#include "render/markdown/markdown_line.h"

struct definition {
	size_t label, destination; /* offsets in the text */
	uint32_t label_length, destination_length;
};

struct definitions {
	struct definition *all;
	size_t capacity;
	uint32_t *slots;           /* hash table of labels: number + 1; 0: free */
	size_t slot_count;         /* a power of two, or 0 */
};

void definitions_init(struct definitions *d);
void definitions_fini(struct definitions *d);

/* Adds a definition as number `count` of those in `text`. False if its label is defined already. */
bool definitions_add(struct definitions *d, size_t count, struct str text, const struct line_definition *line);

/* Looks up a label among the first `count` definitions; false if it is not defined. */
bool definitions_find(const struct definitions *d, size_t count, struct str text, struct str label, struct str *destination);

#endif
