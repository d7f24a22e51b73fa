/*
 * Merges the fragments of `reasoning_details` (sansa, OpenRouter and others) into the array that goes back to the server.
 *
 * Unmerged fragments are refused there ("Invalid signature in thinking block"). The key is (index, type) in the order of
 * first appearance; text, summary and data are concatenated; of signature, id and format the last that is not null counts
 * (wire.md 5, OpenRouter).
 */
#ifndef WEIR_WIRE_REASONING_DETAILS_H
#define WEIR_WIRE_REASONING_DETAILS_H

#include "base/json.h"

struct reasoning_detail;

struct reasoning_details { /* zeroed at birth */
	struct reasoning_detail *items;
	size_t count;
	size_t capacity;
	bool overflowed; /* more than can be kept came: the array would not be whole */
};

void reasoning_details_fini(struct reasoning_details *details);

/* Adds the elements of a delta's array. */
void reasoning_details_add(struct reasoning_details *details, const struct json *array);

/* Appends the merged array; false and nothing when there is none that could be sent back. */
bool reasoning_details_write(const struct reasoning_details *details, struct buf *out);

#endif
