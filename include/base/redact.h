/*
 * Redaction: bytes that come in pieces, without a secret that may stand anywhere in them.
 *
 * Each appearance of the secret becomes as many '*', also where two pieces part it. What may be its beginning is kept back
 * until the next piece tells, or the end. Bytes without it pass by without a copy.
 */
#ifndef WEIR_BASE_REDACT_H
#define WEIR_BASE_REDACT_H

#include "base/text.h"

/* A secret shorter than this could be a common word: it is not looked for. */
#define REDACT_LEN_MIN 8

struct redactor {
	char *secret;     /* ours; NULL: nothing is redacted */
	size_t len;
	struct buf text;  /* bytes that had to be kept or changed */
	size_t given;     /* of them, handed out */
};

void redactor_init(struct redactor *r, struct str secret); /* copied; STR_NONE: none */
void redactor_fini(struct redactor *r);                    /* wipes the copy */

/* What of the bytes may be shown; valid until the next call and as long as `bytes`. */
struct str redactor_feed(struct redactor *r, struct str bytes);
struct str redactor_end(struct redactor *r); /* what was kept back; the next piece begins anew */

/* Whether a header or parameter of that name may hold a secret: "x-api-key", "Authorization", "sig". */
bool redact_is_telling(struct str name);

/* A URL for people: a user with a password is "...", and so are values of parameters that may be secrets. */
void redact_url(struct str url, struct buf *out);

#endif
