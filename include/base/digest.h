/*
 * SHA-256 of bytes, in hexadecimal: the name of an attachment in the history, and what a summary says of media. At once or in pieces.
 */
#ifndef WEIR_BASE_DIGEST_H
#define WEIR_BASE_DIGEST_H

#include "base/text.h"

#define DIGEST_HEX 64 /* characters */

/*
 * To be called before anything uses OpenSSL: where it cannot allocate, the program ends as elsewhere. To note such a failure OpenSSL allocates
 * again, and calls itself without end (3.6).
 */
void digest_set_up(void);

/* Writes the digest in lower case, NUL-terminated. */
void digest_hex(struct str bytes, char hex[DIGEST_HEX + 1]);

#define DIGEST_BASE64URL 43 /* characters */

/* Writes it in the base64 of URLs (RFC 4648, 5), without padding. */
void digest_base64url(struct str bytes, char text[DIGEST_BASE64URL + 1]);

struct digest; /* heap */

struct digest *digest_new(void);
void digest_free(struct digest *digest);
void digest_add(struct digest *digest, struct str bytes);
void digest_hex_so_far(const struct digest *digest, char hex[DIGEST_HEX + 1]); /* of all that was added so far; more may be added */

#endif
