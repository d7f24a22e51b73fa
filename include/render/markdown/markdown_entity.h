/*
 * Entities: `&amp;`, `&#38;` and `&#x26;`. Pure functions. The decoded text is untrusted like any other.
 */
#ifndef WEIR_RENDER_MARKDOWN_ENTITY_H
#define WEIR_RENDER_MARKDOWN_ENTITY_H

#include "base/text.h"

/*
 * Returns the length of the entity at the start of `rest`, or 0 if there is none or it is unknown. Appends its text unless `out` is NULL.
 */
size_t entity_read(struct str rest, struct buf *out);

#endif
