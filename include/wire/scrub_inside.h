/* What the scrubber's files share: the lists of what is public. */
#ifndef WEIR_WIRE_SCRUB_INSIDE_H
#define WEIR_WIRE_SCRUB_INSIDE_H

#include <stdint.h>

#include "wire/scrub.h"

/* What stands behind a member of a protocol: what its strings and numbers are, and what an object or array is. */
enum scrub_kind {
	SCRUB_UNKNOWN,   /* no member of a protocol: its name is data, and so is what it holds */
	SCRUB_TEXT,      /* text; containers are the protocol's, as with all kinds up to SCRUB_PATH */
	SCRUB_FIGURE,    /* numbers stay, also as strings ("48s") */
	SCRUB_TIME,      /* numbers and dates stay */
	SCRUB_WORD,      /* strings stay that are made of words of the protocols */
	SCRUB_CODE,      /* the same, and numbers of at most three digits stay */
	SCRUB_ID, SCRUB_NAME,
	SCRUB_MODEL,     /* a model stays if its name is public */
	SCRUB_URL,
	SCRUB_MEDIA,     /* base64, or a URL of data; containers are the protocol's */
	SCRUB_PATH,      /* JSONPath into arguments */
	SCRUB_ARGUMENTS, /* of a call: JSON in a string, or data */
	SCRUB_INPUT,     /* of a call, as an object; else what is sent */
	SCRUB_DATA,      /* the user's, down to its keys */
	SCRUB_SCHEMA,    /* JSON Schema; a string is a word */
	SCRUB_KINDS
};

/* What stands behind a member of a JSON Schema. */
enum scrub_schema_kind {
	SCRUB_SCHEMA_UNKNOWN, SCRUB_SCHEMA_DATA, SCRUB_SCHEMA_BY_NAME, SCRUB_SCHEMA_WITHIN, SCRUB_SCHEMA_NAMES, SCRUB_SCHEMA_WORDS, SCRUB_SCHEMA_KINDS
};

struct scrub_words; /* heap */
struct scrub_words *scrub_words_new(void);
void scrub_words_free(struct scrub_words *w);

enum scrub_kind scrub_member(const struct scrub_words *w, struct str name);
enum scrub_schema_kind scrub_schema_member(const struct scrub_words *w, struct str name);
bool scrub_is_word(const struct scrub_words *w, struct str value);   /* "response.output_text.delta" */
bool scrub_is_model(const struct scrub_words *w, struct str model);  /* "gpt-4o-mini" */
bool scrub_is_path(const struct scrub_words *w, struct str segment); /* "completions" */
size_t scrub_id_front(const struct scrub_words *w, struct str id);   /* length of "call_" in "call_7" */

struct scrub { struct scrub_words *words; uint64_t seed; };

/* --- characters --- */

uint32_t scrub_code(uint32_t code);                      /* the character that stands for another; never of another length */
void scrub_bytes(struct buf *out, struct str bytes, uint32_t code, uint32_t replaced); /* what stands for `bytes`, which are `code`, or none */
size_t scrub_tag(struct str text);                       /* length of a tag at the front that stays, also as it stands in JSON */
void scrub_path(const struct scrub *s, struct str path, struct buf *out);
void scrub_number(struct str number, struct buf *out);   /* of JSON */

#endif
