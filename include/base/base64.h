/*
 * Base64 (RFC 4648): whole texts with padding (section 4), for tapes and attachments; and a reader of pieces as servers send them.
 */
#ifndef WEIR_BASE_BASE64_H
#define WEIR_BASE_BASE64_H

#include <stdint.h>

#include "base/text.h"

/* Appends the encoding of `bytes`, without line breaks. Appends nothing and returns false when it exceeds the limit of `out`. */
bool base64_encode(struct str bytes, struct buf *out);

/* Appends the decoded bytes. Appends nothing and returns false when `text` is not valid; missing padding is not valid. */
bool base64_decode(struct str text, struct buf *out);

/*
 * Canonical base64, of which the same text can be made again: whole groups of four characters of section 4, without padding. Appends the bytes
 * of those that `text` begins with, and returns how many characters they are; 0 also at the limit of `out`.
 */
size_t base64_take(struct str text, struct buf *out);
size_t base64_tail(struct str text); /* how many characters at the end belong to that alphabet */

/*
 * Reads one base64 text in pieces that may be cut anywhere. Both alphabets are read (sections 4 and 5), also mixed. Blanks between characters
 * are skipped, padding may be missing, and bits that are left over are ignored. Padding ends a group, and only padding and blanks may follow it
 * in its piece; the next piece begins a new group. Each byte is there as soon as its bits are.
 */
struct base64_reader { /* zero it to initialize */
	uint32_t bits;  /* of the group, read so far */
	unsigned count; /* characters of the group, read so far: 0 to 3 */
};

/* Appends the bytes that a piece completes. Appends nothing and returns false if it is not base64 or exceeds the limit of `out`. */
bool base64_read(struct base64_reader *reader, struct str piece, struct buf *out);
/* Ends the text, and makes the reader ready for another one. False if the text has one character too many. */
bool base64_read_end(struct base64_reader *reader);

#endif
