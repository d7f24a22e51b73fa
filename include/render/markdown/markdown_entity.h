/*
 * Entities: `&amp;`, `&#38;` and `&#x26;`. Pure. What they stand for is untrusted text like any other.
 */
#ifndef WEIR_RENDER_MARKDOWN_ENTITY_H
#define WEIR_RENDER_MARKDOWN_ENTITY_H

#include "base/text.h"

/* The length of the entity at the start of `rest`; 0: there is none, or it is unknown. Appends its text unless `out` is NULL. */
size_t entity_read(struct str rest, struct buf *out);

#endif
