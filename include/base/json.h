/*
 * JSON: typed, checked reads of a parsed value. The tree is json-c's; none of its types appear here.
 *
 * What is read is RFC 8259, and what servers send beside it: control bytes in strings, invalid UTF-8, lone surrogates, NaN and Infinity
 * (null), zeros in front of a number, a decimal point without digits behind it. Depth (JSON_SCAN_DEPTH) and size are bounded. One call parses
 * one value from a complete frame.
 *
 * Lone surrogate escapes ("\ud834" in one delta, "\udd1e" in the next) are kept as three bytes each (WTF-8: ED A0..BF xx), so that the
 * guard can join pairs. All other code calls json_text(), which replaces them.
 */
#ifndef WEIR_BASE_JSON_H
#define WEIR_BASE_JSON_H

#include <stdint.h>

#include "base/blob.h"

struct json;        /* a value; owned by its parser */
struct json_parser; /* the last tree and scratch memory */

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json_parser *json_parser_new(void);
void json_parser_free(struct json_parser *parser);

/*
 * Parses the first value of `text` and sets `*used` to its length, including the blanks around it. What follows is not examined. Returns
 * NULL when there is no complete, valid value; `*used` is then the offset of the error. Invalid UTF-8 is repaired. The value and its
 * strings are valid until the next parse or json_parser_free(). The value `null` is returned as a non-NULL pointer of kind JSON_NULL. Ends
 * the program when memory runs out.
 */
const struct json *json_parse(struct json_parser *parser, struct str text, size_t *used);

/*
 * A pack: a run of canonical base64 (base64_take()) that was decoded before it was parsed, and that the text lacks. Whoever asks for the string
 * gets it as it was sent, whoever wants its bytes takes them.
 */
struct json_pack { size_t at, len; struct blob *bytes; }; /* `at`: where the run stood, in the text that is left; its first `len` bytes */
/* The text as it was sent, made in `out`. */
struct str json_unpack(struct str text, const struct json_pack *packs, size_t count, struct buf *out);
/* The same as json_parse(). NULL also if a pack does not stand alone in a string value without escapes: then parse what json_unpack() makes. */
const struct json *json_parse_packed(struct json_parser *parser, struct str text, const struct json_pack *packs, size_t count, size_t *used);

/* The same, but containers deeper than JSON_SCAN_DEPTH are replaced by null; of them only brackets and strings are checked. */
const struct json *json_parse_shallow(struct json_parser *parser, struct str text, size_t *used);

/* Limits of a text and of its tree. Beyond either, json_parse() fails at offset 0. */
#define JSON_TEXT_MOST ((size_t)256 << 20)
#define JSON_TREE_MOST ((size_t)128 << 20)
bool json_was_too_large(const struct json_parser *parser); /* the last json_parse() failed because of a limit */

/* All reads below accept NULL and values of another kind and treat them as absent. */
enum json_kind json_kind(const struct json *value); /* JSON_NULL for NULL */
const struct json *json_get(const struct json *object, const char *key); /* NULL when absent or null */
bool json_has(const struct json *object, const char *key, const struct json **value); /* tells null from absent; sets `value` to NULL for both */
const struct json *json_find(const struct json *value, const char *path); /* the same; a dot in `path` descends into an object */
size_t json_length(const struct json *array);        /* number of items; 0 if not an array */
const struct json *json_at(const struct json *array, size_t index); /* NULL beyond the end */
struct str json_raw_text(const struct json *value);  /* a string's bytes, possibly with WTF-8 surrogates; else STR_NONE */
struct str json_text(const struct json *value);      /* a string's bytes, lone surrogates as U+FFFD; else STR_NONE */
bool json_has_text(const struct json *value);        /* a string that is not empty */
/* A string with a pack: its bytes, borrowed, and what stands around them. NULL: it has none. Padding belongs to the pack. */
struct blob *json_packed(const struct json *value, struct str *before, struct str *after);
struct str json_get_text(const struct json *object, const char *key); /* json_text(json_get()) */
bool json_flag(const struct json *value, bool *result);    /* false if not a boolean */
bool json_count(const struct json *value, int64_t *count); /* false unless a whole number >= 0 (1.0 is one) */
bool json_number(const struct json *value, double *number);

/*
 * A scalar as text: a string's content, a number as sent, "true" or "false". Returns false for other kinds. The text points into the value
 * or into `scratch`, which is cleared.
 */
bool json_scalar(const struct json *value, struct buf *scratch, struct str *text);

/* Reads the members named in `keys` into `values`, at the same index; NULL where absent or null. Walks the object once. */
void json_take(const struct json *object, const char *const *keys, size_t count, const struct json **values);

struct json_member {
	struct str key;
	const struct json *value; /* NULL for null */
	void *next;               /* private; start with a zeroed struct */
	bool started;             /* private */
};
/* Iterates over an object's members in their order: `struct json_member m = {0}; while (json_next(object, &m)) ...` */
bool json_next(const struct json *object, struct json_member *member);

/* Serialises compactly, with keys in order and slashes not escaped. */
void json_dump(const struct json *value, struct buf *out);

#endif
