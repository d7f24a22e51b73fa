/*
 * Redaction: bytes that come in pieces, without secrets that may stand anywhere in them.
 *
 * Every byte of an appearance of a secret becomes '*', also where two pieces part it and where appearances overlap. What may be the
 * beginning of one is kept back until the next piece tells, or the end. Bytes without any pass by without a copy.
 */
#ifndef WEIR_BASE_REDACT_H
#define WEIR_BASE_REDACT_H

#include "base/text.h"

/*
 * A secret shorter than this could be a common word, one that repeats a single character a line in a text: neither is searched for. Nor is
 * one with a line break, so that of a whole line nothing is ever kept back.
 */
#define REDACT_LEN_MIN 8

struct redact_secret {
	char *ptr;
	size_t len;
};

/* What is searched for; zeroed at birth. */
struct redact_set {
	struct redact_secret *secrets; /* heap; each is a copy of ours */
	size_t count, capacity;
};

void redact_set_add(struct redact_set *set, struct str secret); /* copied, unless it is not searched for or there already */
void redact_set_add_all(struct redact_set *set, const struct redact_set *other);
void redact_set_fini(struct redact_set *set);                   /* wipes the copies; the set is empty then */

/* Values of the parameters in a URL that may hold a secret (redact_is_telling()), but for the one named `but`; NULL: of all. */
void redact_set_add_url(struct redact_set *set, struct str url, const char *but);

struct redactor {
	const struct redact_set *set; /* borrowed; may grow between two pieces */
	struct buf text;  /* bytes that had to be kept or changed */
	size_t given;     /* of them, handed out */
	size_t hidden;    /* of those that follow, so many belong to an appearance that began before them */
};

void redactor_init(struct redactor *r, const struct redact_set *set);
void redactor_fini(struct redactor *r); /* wipes what it kept */

/* What of the bytes may be shown; valid until the next call and as long as `bytes`. */
struct str redactor_feed(struct redactor *r, struct str bytes);
struct str redactor_end(struct redactor *r); /* what was kept back; the next piece begins anew */

/* Whether a header or parameter of that name may hold a secret: "x-api-key", "Authorization", "sig". */
bool redact_is_telling(struct str name);

/* A URL for people: a user with a password is "...", and so are values of parameters that may be secrets. */
void redact_url(struct str url, struct buf *out);

#endif
