/*
 * Base64 (RFC 4648, section 4, with padding), for tapes and attachments.
 */
#ifndef WEIR_BASE_BASE64_H
#define WEIR_BASE_BASE64_H

#include "base/text.h"

/* Appends the encoding of `bytes`, without line breaks. Appends nothing and returns false when it exceeds the limit of `out`. */
bool base64_encode(struct str bytes, struct buf *out);

/* Appends the decoded bytes. Appends nothing and returns false when `text` is not valid; missing padding is not valid. */
bool base64_decode(struct str text, struct buf *out);

#endif
