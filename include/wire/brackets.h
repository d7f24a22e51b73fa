/*
 * Where a JSON value ends, seen by nothing but its brackets and strings: what cutting a body into values needs.
 *
 * Resumable at any byte. It does not ask whether the value is valid.
 */
#ifndef WEIR_WIRE_BRACKETS_H
#define WEIR_WIRE_BRACKETS_H

#include "base/text.h"

struct brackets { /* zeroed at the beginning of a value */
	size_t depth;
	bool in_string;
	bool escaped;
};

/* Feeds a text until the outermost bracket closes; true then, and `*used` is the offset behind it. */
bool brackets_close(struct brackets *b, struct str text, size_t *used);

#endif
