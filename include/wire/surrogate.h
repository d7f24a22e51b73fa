/*
 * Joins surrogate pairs that are split across fragments: "\ud834" ends one fragment, "\udd1e" begins the next.
 *
 * Input fragments may contain lone surrogates as WTF-8 (base/json.h). Output is valid UTF-8. Each text needs its own joiner.
 */
#ifndef WEIR_WIRE_SURROGATE_H
#define WEIR_WIRE_SURROGATE_H

#include "base/text.h"

struct surrogate { /* zero it to initialize */
	char high[3];
	bool held;
};

/* Returns a fragment as UTF-8. A high surrogate at its end is held back. Borrows from `raw` or from `scratch` (cleared first). */
struct str surrogate_join(struct surrogate *s, struct str raw, struct buf *scratch);

/* Returns U+FFFD if a surrogate is held back, else STR_NONE. Static text. */
struct str surrogate_flush(struct surrogate *s);

#endif
