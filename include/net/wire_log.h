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

#define WIRE_LOG_BYTES_MOST ((size_t)512 << 20)

struct wire_log; /* heap; owns its file */

/* Creates `path` 0600; refuses one that exists, a link too. */
MUST_USE bool wire_log_open(struct wire_log **log, const char *path, struct error *err);
/* Keys of TLS sessions go to `path` beside it, so that what was recorded of the network can be read: made likewise, and as long open. */
MUST_USE bool wire_log_keys(struct wire_log *log, const char *path, struct error *err);
int wire_log_keys_fd(const struct wire_log *log); /* -1: they go nowhere. NULL is legal */
void wire_log_limit(struct wire_log *log, size_t bytes); /* how much more is written; WIRE_LOG_BYTES_MOST unless it is told */
void wire_log_add(struct wire_log *log, unsigned transfer, enum wire_log_kind kind, struct str bytes);
/* False when not all could be written. NULL is legal. */
bool wire_log_close(struct wire_log *log, struct error *err);

#endif
