/*
 * JSON: typed, checked reads of a parsed value. json-c behind it, and none of its types here.
 *
 * The parser handles json-c's traps once: nesting depth (256), size, lone surrogate
 * escapes, numbers out of range, lenient syntax, invalid UTF-8, the end of memory.
 * One call parses one value from a complete frame.
 *
 * Lone surrogate escapes ("\ud834" in one delta, "\udd1e" in the next) are kept
 * as three bytes each (WTF-8: ED A0..BF xx) in the strings handed out, so that
 * the guard can join pairs; everyone else calls json_text(), which replaces them.
 */
#ifndef WEIR_BASE_JSON_H
#define WEIR_BASE_JSON_H

#include <stdint.h>

#include "base/text.h"

struct json;        /* a value; owned by its parser */
struct json_parser; /* a reused tokener and its scratch memory */

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json_parser *json_parser_new(void);
void json_parser_free(struct json_parser *parser);

/*
 * Parses the first value of `text` (blanks before it are skipped) and sets `*used` to the bytes it took, blanks around it included;
 * what follows is not looked at. NULL when there is no complete, valid value: `*used` is then where it failed. Invalid UTF-8 in
 * `text` is repaired first (`*used` still counts bytes of `text`). The value and all its strings live until the next parse or
 * the parser's end. The value `null` is returned as a non-NULL pointer of kind JSON_NULL. Dies when memory ends.
 */
const struct json *json_parse(struct json_parser *parser, struct str text, size_t *used);

/* A text or its tree may be larger than this takes: json_parse() fails at 0 then. */
#define JSON_TEXT_MOST ((size_t)256 << 20)
#define JSON_TREE_MOST ((size_t)128 << 20)
bool json_is_too_large(struct str text);

/* All of the reads below accept NULL and values of another kind: they then give "absent". */
enum json_kind json_kind(const struct json *value); /* NULL: JSON_NULL */
const struct json *json_get(const struct json *object, const char *key); /* NULL when absent, and when null */
const struct json *json_find(const struct json *value, const char *path); /* the same where a dot leads into an object */
size_t json_length(const struct json *array);        /* items of an array, else 0 */
const struct json *json_at(const struct json *array, size_t index); /* NULL beyond it */
struct str json_raw_text(const struct json *value);  /* a string's bytes, maybe with WTF-8 surrogates; else STR_NONE */
struct str json_text(const struct json *value);      /* a string's bytes, lone surrogates as U+FFFD; else STR_NONE */
struct str json_get_text(const struct json *object, const char *key); /* json_text(json_get()) */
bool json_flag(const struct json *value, bool *result);    /* false when it is no boolean */
bool json_count(const struct json *value, int64_t *count); /* a whole number >= 0 (1.0 counts as one); else false */
bool json_number(const struct json *value, double *number);

/*
 * A scalar as text: a string's content, a number as it was sent, true and false. False for the rest.
 * The text borrows from the value, or from `scratch` (which is cleared).
 */
bool json_scalar(const struct json *value, struct buf *scratch, struct str *text);

/* Reads the members that a table names, each into its place of `values`; NULL for what is absent or null. One walk. */
void json_take(const struct json *object, const char *const *keys, size_t count, const struct json **values);

struct json_member {
	struct str key;
	const struct json *value; /* NULL for null */
	void *next;               /* private; start with a zeroed struct */
	bool started;             /* private */
};
/* Walks an object in its order: `struct json_member m = {0}; while (json_next(object, &m)) ...` */
bool json_next(const struct json *object, struct json_member *member);

/* Serialises compactly, keys in order, slashes not escaped. */
void json_dump(const struct json *value, struct buf *out);

#endif
