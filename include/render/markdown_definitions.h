/*
 * Definitions: `[label]: destination` of a document, found by label wherever they stand. The first of a label counts; letters of ASCII
 * and the number of blanks make no difference.
 *
 * They are kept as offsets, since a growing text moves. Only complete lines are added, so one goes again only when a text that
 * had ended goes on: the caller says how many count.
 */
#ifndef WEIR_RENDER_MARKDOWN_DEFINITIONS_H
#define WEIR_RENDER_MARKDOWN_DEFINITIONS_H

#include "render/markdown_line.h"

struct definition {
	size_t label, destination; /* offsets in the text */
	uint32_t label_length, destination_length;
};

struct definitions {
	struct definition *all;
	size_t capacity;
	uint32_t *slots;           /* of a hash of the label: number + 1, 0: free */
	size_t slot_count;         /* a power of two, or 0 */
};

void definitions_init(struct definitions *d);
void definitions_fini(struct definitions *d);

/* Adds one as number `count` of those in `text`; false when its label has one already. */
bool definitions_add(struct definitions *d, size_t count, struct str text, const struct line_definition *line);

/* Where a label leads, among the first `count`; false when nobody said. */
bool definitions_find(const struct definitions *d, size_t count, struct str text, struct str label, struct str *destination);

#endif
