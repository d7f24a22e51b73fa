/*
 * A readable log of the network traffic (--debug): curl's messages, and heads and bodies in both directions, in order.
 *
 * A line begins with the time, the number of the transfer, and a character: '*' for curl's messages, '>' and '<' for heads, '}' and '{'
 * for bodies, with one line per piece read. Control bytes, and UTF-8 that is invalid or unsafe to show, are written as escapes (\n, \x1B),
 * so that the file is safe to display. Values of headers and parameters that may be secrets become "..."; the key itself is masked before
 * (net/http.h).
 */
#ifndef WEIR_NET_WIRE_LOG_H
#define WEIR_NET_WIRE_LOG_H

#include "base/text.h"

enum wire_log_kind { WIRE_SAID, WIRE_HEAD_OUT, WIRE_HEAD_IN, WIRE_BODY_OUT, WIRE_BODY_IN };

#define WIRE_LOG_BYTES_MOST ((size_t)512 << 20)

struct wire_log; /* heap; owns its file */

/* Creates `path` with mode 0600. Fails if it exists, even as a link. */
MUST_USE bool wire_log_open(struct wire_log **log, const char *path, struct error *err);
/*
 * Also writes the TLS session keys to `path`, so that captured traffic can be decrypted. The file is created in the same way and stays
 * open as long as the log.
 */
MUST_USE bool wire_log_keys(struct wire_log *log, const char *path, struct error *err);
int wire_log_keys_fd(const struct wire_log *log); /* -1: no key file. NULL is allowed */
void wire_log_limit(struct wire_log *log, size_t bytes); /* sets how many more bytes are written; default WIRE_LOG_BYTES_MOST */
void wire_log_add(struct wire_log *log, unsigned transfer, enum wire_log_kind kind, struct str bytes);
/* False if any write failed. NULL is allowed. */
bool wire_log_close(struct wire_log *log, struct error *err);

#endif
