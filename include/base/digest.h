/*
 * SHA-256 of bytes, in hexadecimal: the name of an attachment in the history.
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

#endif
