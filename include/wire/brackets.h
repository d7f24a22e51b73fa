/*
 * Finds the end of a JSON object or array by its brackets and strings only, to split a body into values.
 *
 * Resumable at any byte. The value is not validated.
 */
#ifndef WEIR_WIRE_BRACKETS_H
#define WEIR_WIRE_BRACKETS_H

#include "base/text.h"

struct brackets { /* zero it at the start of a value */
	size_t depth;
	bool in_string;
	bool escaped;
};

/* Scans text. True when the outermost bracket closes; `*used` is then the offset after it. False if all of `text` was scanned. */
bool brackets_close(struct brackets *b, struct str text, size_t *used);

#endif
