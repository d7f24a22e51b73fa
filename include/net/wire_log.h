/*
 * The wire for people (--debug): what curl says, heads and bodies in both directions, in the order in which it happened.
 *
 * A line begins with the time, the number of the transfer, and a sign: '*' curl's words, '>' and '<' heads, '}' and '{' bodies,
 * one line for each piece as it was read. Control bytes and what is no harmless UTF-8 stand as escapes (\n, \x1B), so that the
 * file can be looked at. Values of headers and parameters that may be secrets are "..."; the key itself was masked before
 * (net/http.h).
 */
#ifndef WEIR_NET_WIRE_LOG_H
#define WEIR_NET_WIRE_LOG_H

#include "base/text.h"

enum wire_log_kind { WIRE_SAID, WIRE_HEAD_OUT, WIRE_HEAD_IN, WIRE_BODY_OUT, WIRE_BODY_IN };

struct wire_log; /* heap; owns its file */

/* Creates `path` 0600; refuses one that exists, a link too. */
MUST_USE bool wire_log_open(struct wire_log **log, const char *path, struct error *err);
void wire_log_add(struct wire_log *log, unsigned transfer, enum wire_log_kind kind, struct str bytes);
/* False when not all could be written. NULL is legal. */
bool wire_log_close(struct wire_log *log, struct error *err);

#endif
