/*
 * Decodes a body with a protocol and writes its deltas as text, one per line, so that tests compare with readable text:
 *
 *   begin ID MODEL                     text PART WORDS        reasoning PART WORDS        refusal PART WORDS
 *   tool_begin CALL ID NAME            tool_arguments CALL WORDS        tool_end CALL valid|invalid ARGUMENTS
 *   opaque PART|- CALL|- FORMAT DATA   citation URL TITLE WORDS         notice RULE
 *   usage NAME=NUMBER...               finish WORD        (names as in the setting `status`; figures that were sent)
 *   error MESSAGE TYPE CODE            end OUTCOME
 *
 * "-" means absent. In bodies and lines, ' stands for ". The body is decoded whole and byte by byte; both must give the same deltas.
 */
#ifndef WEIR_TESTS_WIRE_DECODED_H
#define WEIR_TESTS_WIRE_DECODED_H

#include "support/check.h"

#define DATA(json) "data: " json "\n\n" /* an event */

/* Writes the text with each ' replaced by ". Replaces the content of `out`. */
struct str unquoted(const char *text, struct buf *out);

/* Asserts that the body's deltas are these lines. */
#define CHECK_DELTAS(protocol, body, lines) check_deltas((protocol), (body), (lines), __FILE__, __LINE__)
void check_deltas(const char *protocol, const char *body, const char *lines, const char *file, int line);

#endif
