/*
 * Decodes a body with a protocol and tells its deltas, one a line, so that tests compare with a text they can read:
 *
 *   begin ID MODEL                     text PART WORDS        reasoning PART WORDS        refusal PART WORDS
 *   tool_begin CALL ID NAME            tool_arguments CALL WORDS        tool_end CALL valid|invalid ARGUMENTS
 *   opaque PART|- CALL|- FORMAT DATA   citation URL TITLE WORDS         notice RULE
 *   usage PROMPT COMPLETION TOTAL CACHED WRITTEN REASONING              finish WORD
 *   error MESSAGE TYPE CODE            end OUTCOME
 *
 * What is absent is "-". In bodies and lines a ' stands for a ". The body is decoded whole and byte by byte; both must tell the same.
 */
#ifndef WEIR_TESTS_WIRE_DECODED_H
#define WEIR_TESTS_WIRE_DECODED_H

#include "support/check.h"

#define DATA(json) "data: " json "\n\n" /* an event */

/* The text with each ' made a ". Replaces what is in `out`. */
struct str unquoted(const char *text, struct buf *out);

/* Asserts that the body's deltas are these lines. */
#define CHECK_DELTAS(protocol, body, lines) check_deltas((protocol), (body), (lines), __FILE__, __LINE__)
void check_deltas(const char *protocol, const char *body, const char *lines, const char *file, int line);

#endif
