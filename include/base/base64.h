/*
 * Base64 (RFC 4648, section 4, with padding), for tapes and attachments.
 */
#ifndef WEIR_BASE_BASE64_H
#define WEIR_BASE_BASE64_H

#include "base/text.h"

/* Appends `bytes` encoded, without line breaks. All or, at out's ceiling, nothing and false. */
bool base64_encode(struct str bytes, struct buf *out);

/* Appends what `text` stands for. False when it is not valid (also a missing padding); then nothing was added. */
bool base64_decode(struct str text, struct buf *out);

#endif
