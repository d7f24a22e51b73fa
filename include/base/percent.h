/*
 * Percent-encoding (RFC 3986, 2.1).
 */
#ifndef WEIR_BASE_PERCENT_H
#define WEIR_BASE_PERCENT_H

#include "base/text.h"

/* Appends the text, all bytes encoded but letters, digits and those of `kept`. */
void percent_encode(struct str text, const char *kept, struct buf *out);
/* Appends the text decoded. A percent sign without two digits stays. */
void percent_decode(struct str text, struct buf *out);

#endif
