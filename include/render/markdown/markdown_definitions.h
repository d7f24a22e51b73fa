/*
 * Definitions of references, `[label]: destination`, by label. The first one of a label counts. Case (ASCII) and the number of blanks
 * make no difference.
 *
 * They are kept as offsets, since a growing text moves. Only complete lines are added. When a text that had ended grows after all,
 * the last ones are void: the caller passes how many are valid.
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
	uint32_t *slots;           /* of a hash of the label: number + 1, 0: free */
	size_t slot_count;         /* a power of two, or 0 */
};

void definitions_init(struct definitions *d);
void definitions_fini(struct definitions *d);

/* Adds one as number `count` of those in `text`; false when its label has one already. */
bool definitions_add(struct definitions *d, size_t count, struct str text, const struct line_definition *line);

/* Looks a label up among the first `count`; false when it is not defined. */
bool definitions_find(const struct definitions *d, size_t count, struct str text, struct str label, struct str *destination);

#endif
