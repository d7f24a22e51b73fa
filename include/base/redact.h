/*
 * Redaction: removes secrets from bytes that arrive in pieces.
 *
 * Every byte of an occurrence of a secret becomes '*', even if it spans two pieces or overlaps another occurrence. Bytes that may begin an
 * occurrence are held back until the next piece or the end decides: an occurrence that the end cuts is masked if REDACT_LEN_MIN bytes of it
 * have come. Bytes without a match are passed on without a copy.
 */
#ifndef WEIR_BASE_REDACT_H
#define WEIR_BASE_REDACT_H

#include "base/text.h"

/*
 * Secrets that are not searched for: shorter than this, since it could be a common word; a single repeated character, since it could be a
 * rule in a text; one with a line break, so that bytes of a complete line are never held back.
 */
#define REDACT_LEN_MIN 8

/*
 * Limits of a bounded set, for secrets from outside: each byte of a text is compared with all of them. Each form of a secret counts as one.
 */
#define REDACT_SECRETS_MOST 256
#define REDACT_BYTES_MOST ((size_t)64 << 10)

struct redact_secret {
	char *ptr;
	size_t len;
};

/* The secrets to search for. Initialise to zero. */
struct redact_set {
	struct redact_secret *secrets; /* owned, with a copy of each secret */
	size_t count, capacity, bytes;
	bool is_bounded;               /* the limits hold; set by the caller */
	bool excess;                   /* a secret was left out because of the limits */
};

void redact_set_add(struct redact_set *set, struct str secret); /* copied, unless it is a duplicate or not searched for */
/* Also adds its other forms: percent-decoded, percent-encoded, and escaped as JSON strings are by different writers. */
void redact_set_add_forms(struct redact_set *set, struct str secret);
void redact_set_add_all(struct redact_set *set, const struct redact_set *other);
void redact_set_fini(struct redact_set *set);                   /* wipes the copies and empties the set */

/* Adds the values of the URL's parameters that may hold a secret (redact_is_telling()), except the parameter `but`. NULL: no exception. */
void redact_set_add_url(struct redact_set *set, struct str url, const char *but);

struct redactor {
	const struct redact_set *set; /* borrowed; may grow between two pieces */
	struct buf text;  /* bytes held back or changed */
	size_t given;     /* number of bytes of `text` already returned */
	size_t hidden;    /* number of the bytes after those that belong to an occurrence begun before them */
	bool found;       /* a secret was masked, or the beginning of one at the end */
};

void redactor_init(struct redactor *r, const struct redact_set *set);
void redactor_fini(struct redactor *r); /* wipes the bytes held back */

/* Returns the bytes that may be shown now. Valid until the next call and as long as `bytes`. */
struct str redactor_feed(struct redactor *r, struct str bytes);
struct str redactor_end(struct redactor *r); /* returns the bytes held back; the next piece starts anew */

/* Appends the text, masked. If its percent-decoded form holds a secret, that form is appended. */
void redact_add(const struct redact_set *set, struct str text, struct buf *out);

/* Returns the text, or if it holds a secret, the masked text, which is appended to `room`. */
struct str redact_text(const struct redact_set *set, struct str text, struct buf *room);

/* Whether a header or parameter of that name may hold a secret: "x-api-key", "Authorization", "sig". */
bool redact_is_telling(struct str name);

/* Appends a URL for display: "..." replaces user and password, and the values of parameters that may hold a secret. */
void redact_url(struct str url, struct buf *out);

#endif
