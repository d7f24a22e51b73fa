/*
 * A strict, resumable JSON lexer: is it whole and valid, where is a value, how does it look compact or pretty. No tree.
 *
 * It works on text that arrives in pieces (tool arguments, structured answers)
 * and on raw frames, where numbers and member order must stay as they were sent.
 * Strict is RFC 8259: no trailing commas, no single quotes, no control bytes in
 * strings, no NaN; nesting at most JSON_SCAN_DEPTH.
 */
#ifndef WEIR_BASE_JSON_SCAN_H
#define WEIR_BASE_JSON_SCAN_H

#include <stdint.h>

#include "base/text.h"

#define JSON_SCAN_DEPTH 256

struct json_scan {
	uint8_t state;
	uint8_t literal;      /* which of true, false, null */
	uint8_t literal_at;   /* and how much of it came */
	uint8_t hex_left;     /* digits of \uXXXX to come */
	uint16_t depth;
	bool failed, too_deep;
	uint8_t stack[JSON_SCAN_DEPTH / 8]; /* a bit a level: 1 object, 0 array */
};

void json_scan_init(struct json_scan *scan);
void json_scan_feed(struct json_scan *scan, struct str text);
bool json_scan_whole(const struct json_scan *scan);  /* exactly one complete value so far (blanks around it allowed) */
bool json_scan_failed(const struct json_scan *scan); /* can never become one */
bool json_scan_is_whole(struct str text);            /* the same for a text at once */
bool json_scan_is_too_deep(struct str text);         /* all that is wrong with it is that it goes deeper than JSON_SCAN_DEPTH */

/*
 * The raw span of a member or element of a valid value: path items are keys, or "#N" for the Nth element
 * (`(const char *[]){"choices","#0","delta",NULL}`). Of double keys the last counts. STR_NONE when it is not there.
 */
struct str json_scan_find(struct str value, const char *const *path);

/*
 * Walks the members or elements of a valid container as they were sent: `struct json_spans s = json_spans_of(value); while
 * (json_spans_next(&s, &key, &item)) ...`. A key comes without its quotes, its escapes as sent; elements have none.
 */
struct json_spans { struct str rest; bool is_object; };
struct json_spans json_spans_of(struct str value);
bool json_spans_next(struct json_spans *spans, struct str *key, struct str *item);

/* Appends what the inside of a string means. Half a surrogate pair is three bytes (WTF-8) where `keep_halves`, else U+FFFD. */
void json_scan_unescape(struct str content, bool keep_halves, struct buf *out);

/* Appends a valid value without blanks, strings with only the escapes that json_escape() writes, numbers as sent. */
void json_scan_compact(struct str value, struct buf *out);

/* Appends what there is of a growing value with line breaks and two blanks a level (to 32); stops making lines where it is invalid. */
void json_scan_pretty(struct str partial, struct buf *out);

/* The same piece by piece. Zeroed at birth. */
struct json_pretty { struct json_scan scan; bool pending; };
void json_pretty_add(struct json_pretty *pretty, struct str piece, struct buf *out);

/*
 * Length of the escape at the start of `s`, a surrogate pair being one, and the code point it stands for (a lone surrogate
 * stays one). Of an invalid escape only the backslash counts, as U+FFFD. `s` begins with a backslash.
 */
size_t json_scan_escape(struct str s, uint32_t *code);

#endif
