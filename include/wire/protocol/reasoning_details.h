/*
 * Merges the fragments of `reasoning_details` (sansa, OpenRouter and others) into the array that is sent back to the server.
 *
 * Servers refuse unmerged fragments ("Invalid signature in thinking block"). Fragments are merged by (index, type), in order of first
 * appearance. `text`, `summary` and `data` are concatenated; of `signature`, `id` and `format` the last value that is not null is kept
 * (OpenRouter's documentation, "Reasoning tokens").
 */
#ifndef WEIR_WIRE_REASONING_DETAILS_H
#define WEIR_WIRE_REASONING_DETAILS_H

#include "base/json.h"

struct reasoning_detail;

struct reasoning_details { /* zero it to initialize */
	struct reasoning_detail *items;
	size_t count;
	size_t capacity;
	bool overflowed; /* a limit was exceeded: the array would be incomplete */
};

void reasoning_details_fini(struct reasoning_details *details);

/* Adds the elements of a delta's array. */
void reasoning_details_add(struct reasoning_details *details, const struct json *array);

/* Appends the merged array. False, and appends nothing, if there is none or it is incomplete. */
bool reasoning_details_write(const struct reasoning_details *details, struct buf *out);

#endif
