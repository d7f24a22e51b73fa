/*
 * Writes JSON directly into a buffer, without a tree.
 *
 * The writer inserts the commas. Strings are escaped so: \b \t \n \f \r \" \\, other control bytes as \u00xx in lower case,
 * all other bytes unchanged. Misuse (a value without a key in an object, unbalanced ends) is an assertion failure.
 */
#ifndef WEIR_BASE_JSON_WRITE_H
#define WEIR_BASE_JSON_WRITE_H

#include <stdint.h>

#include "base/text.h"

#define JSON_WRITE_DEPTH 512

struct json_draft;

struct json_writer {
	struct buf *out;
	struct json_draft *draft; /* takes the large strings that are borrowed (base/json_draft.h); NULL: all are written at once */
	struct str patch;         /* a valid object for the outermost one (base/json_patch.h), borrowed; STR_NONE: none */
	size_t first_at, member_at, value_at; /* in `out`: where its members begin, its last member with the comma, the value of that */
	unsigned depth;
	bool comma;  /* the next value or key needs a comma before it */
	bool keyed;  /* a key has been written and its value has not */
	bool full;   /* the limit of `out` was reached: the text is incomplete */
	uint8_t objects[JSON_WRITE_DEPTH / 8]; /* one bit per level: 1 object, 0 array */
};

void json_writer_init(struct json_writer *writer, struct buf *out); /* appends to `out` */

void json_open_object(struct json_writer *w);
void json_close_object(struct json_writer *w);
void json_open_array(struct json_writer *w);
void json_close_array(struct json_writer *w);

/* Values; inside an object each follows a json_key(). */
void json_key(struct json_writer *w, const char *key);
void json_key_str(struct json_writer *w, struct str key);
void json_string(struct json_writer *w, struct str text);          /* an absent text gives "" */
void json_integer(struct json_writer *w, int64_t number);
void json_real(struct json_writer *w, double number);              /* shortest text that reads back the same; null if not finite */
void json_milliseconds(struct json_writer *w, double ms);          /* at most three decimals */
void json_boolean(struct json_writer *w, bool value);
void json_null(struct json_writer *w);
void json_verbatim(struct json_writer *w, struct str json);        /* a value that is JSON already */
void json_compact(struct json_writer *w, struct str json);         /* the same as json_scan_compact() writes it */
void json_key_text(struct json_writer *w, struct str text);        /* a key as it stands in JSON, with its escapes */
void json_member_compact(struct json_writer *w, struct str key, struct str json); /* json_key_text(), json_compact() */

/* A string in pieces. Borrowed bytes must outlive the draft, if the writer has one. */
void json_open_string(struct json_writer *w);
void json_add_text(struct json_writer *w, struct str text);
void json_add_borrowed(struct json_writer *w, struct str text);
void json_add_base64(struct json_writer *w, struct str bytes);      /* borrowed; nothing may follow it in the string */
void json_close_string(struct json_writer *w);

/* Shorthands that write a key and its value. */
void json_member_string(struct json_writer *w, const char *key, struct str text);
void json_member_borrowed(struct json_writer *w, const char *key, struct str text); /* as json_add_borrowed() */
void json_member_string_or_null(struct json_writer *w, const char *key, struct str text);
void json_member_integer(struct json_writer *w, const char *key, int64_t number);
void json_member_count_or_null(struct json_writer *w, const char *key, int64_t count); /* negative: null */
void json_member_milliseconds_or_null(struct json_writer *w, const char *key, double ms); /* negative or not finite: null */
void json_member_boolean(struct json_writer *w, const char *key, bool value);
void json_member_verbatim(struct json_writer *w, const char *key, struct str json);

/* Appends `text` escaped, without quotes. Appends nothing and returns false when it does not fit. */
bool json_escape_piece(struct buf *out, struct str text);

/* Appends `text` as a quoted and escaped JSON string. False when it does not fit completely. */
bool json_escape(struct buf *out, struct str text);

#endif
