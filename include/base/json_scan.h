/*
 * A strict, resumable JSON lexer: validates, locates values, and prints them compact or pretty. It builds no tree.
 *
 * It works on text that arrives in pieces (tool arguments, structured answers) and on raw frames, where numbers and member order must stay
 * as sent. Strict means RFC 8259: no trailing commas, no single quotes, no control bytes in strings, no NaN. Nesting is limited to
 * JSON_SCAN_DEPTH.
 */
#ifndef WEIR_BASE_JSON_SCAN_H
#define WEIR_BASE_JSON_SCAN_H

#include <stdint.h>
#include <string.h>

#include "base/text.h"

#define JSON_SCAN_DEPTH 256

struct json_scan {
	uint8_t state;
	uint8_t literal;      /* which of true, false, null */
	uint8_t literal_at;   /* how many of its bytes have been read */
	uint8_t hex_left;     /* digits of \uXXXX still expected */
	uint16_t depth;
	bool failed, too_deep;
	uint8_t stack[JSON_SCAN_DEPTH / 8]; /* one bit per level: 1 object, 0 array */
};

void json_scan_init(struct json_scan *scan);
void json_scan_feed(struct json_scan *scan, struct str text);
bool json_scan_whole(const struct json_scan *scan);  /* exactly one complete value so far, with optional blanks around it */
bool json_scan_failed(const struct json_scan *scan); /* the text cannot become a valid value */
/* Where the next byte stands. A key or string is entered and left by its quotes. */
enum json_scan_place { JSON_SCAN_OUTSIDE, JSON_SCAN_IN_KEY, JSON_SCAN_IN_STRING };
enum json_scan_place json_scan_place(const struct json_scan *scan);
bool json_scan_is_whole(struct str text);            /* the same for a complete text */
bool json_scan_is_too_deep(struct str text);         /* the only error is nesting deeper than JSON_SCAN_DEPTH */

/*
 * Returns the raw span of a member or element of a valid value. Path items are keys, or "#N" for the Nth element: `(const char
 * *[]){"choices","#0","delta",NULL}`. Of duplicate keys the last one counts. STR_NONE when there is no such value.
 */
struct str json_scan_find(struct str value, const char *const *path);

/*
 * Iterates over the members or elements of a valid container as sent: `struct json_spans s = json_spans_of(value); while
 * (json_spans_next(&s, &key, &item)) ...`. A key comes without its quotes and with its escapes as sent. Elements have no key.
 */
struct json_spans { struct str rest; bool is_object; };
struct json_spans json_spans_of(struct str value);
bool json_spans_next(struct json_spans *spans, struct str *key, struct str *item);

/* Appends the decoded content of a string. A lone surrogate becomes three bytes (WTF-8) if `keep_halves`, else U+FFFD. */
void json_scan_unescape(struct str content, bool keep_halves, struct buf *out);

/* Appends a valid value without blanks, strings with only the escapes that json_escape() writes, numbers as sent. */
void json_scan_compact(struct str value, struct buf *out);

/*
 * Appends an incomplete value with line breaks and two blanks per level (up to level 32). Behind an invalid byte the rest follows
 * unformatted.
 */
void json_scan_pretty(struct str partial, struct buf *out);

/* The same for text that arrives in pieces. Initialise to zero. */
struct json_pretty { struct json_scan scan; bool pending; };
void json_pretty_add(struct json_pretty *pretty, struct str piece, struct buf *out);

/* Whether the next eight bytes stand in a string as they are: no quote, no backslash, no control byte. */
static inline bool json_scan_plain_block(const char *bytes)
{
	const uint64_t ones = UINT64_MAX / 255, high = ones << 7;
	uint64_t block, quote, backslash;

	memcpy(&block, bytes, sizeof block);
	quote = block ^ ones * '"';
	backslash = block ^ ones * '\\';
	/* A byte less than n sets its highest bit in (block - n) & ~block, as the first one of the block at least. */
	return !((((block - ones * 0x20) & ~block) | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash)) & high);
}

/* Number of leading bytes of that kind. */
size_t json_scan_plain(struct str s);

/*
 * Returns the length of the escape at the start of `s`, which begins with a backslash, and the code point it encodes. A surrogate pair is
 * one escape; a lone surrogate stays as it is. An invalid escape has length 1 (the backslash) and code point U+FFFD.
 */
size_t json_scan_escape(struct str s, uint32_t *code);

#endif
