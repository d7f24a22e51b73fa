/*
 * Joins UTF-16 pairs that were cut apart: "\ud834" ends one fragment, "\udd1e" begins the next (wire.md 6, row 36).
 *
 * Fragments come with lone surrogates as WTF-8 (base/json.h) and leave as valid UTF-8; one joiner for each text that grows.
 */
#ifndef WEIR_WIRE_SURROGATE_H
#define WEIR_WIRE_SURROGATE_H

#include "base/text.h"

struct surrogate { /* zeroed at birth */
	char high[3];
	bool held;
};

/* The next fragment as UTF-8; a high surrogate at its end is held back. Borrows from `raw` or from `scratch` (cleared first). */
struct str surrogate_join(struct surrogate *s, struct str raw, struct buf *scratch);

/* What was held, as U+FFFD; empty when nothing was. Static text. */
struct str surrogate_flush(struct surrogate *s);

#endif
