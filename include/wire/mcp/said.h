/*
 * What the messages of an MCP session are, each as one line for people: request, answer, error or notification, its id, its method, and what that
 * is about. It reads messages of both sides in their order, so that an answer says what was asked. Pure: no descriptor, no clock.
 *
 * Messages are untrusted: a line has no control characters, and bounded length; how many requests are remembered is bounded, too.
 */
#ifndef WEIR_WIRE_SAID_H
#define WEIR_WIRE_SAID_H

#include "base/json.h"

enum said_kind { SAID_REQUEST, SAID_NOTIFICATION, SAID_ANSWER, SAID_ERROR, SAID_NOTHING, SAID_KINDS };
const char *said_kind_name(enum said_kind kind); /* "request"; SAID_NOTHING is "no message" */

struct said; /* heap */

struct said *said_new(void);
void said_free(struct said *s);

/* Reads the next message, `sent` by the client or else by the server, and appends its line, without a line end. `aligned`: in columns. */
enum said_kind said_read(struct said *s, bool sent, struct str text, bool aligned, struct buf *out);

#endif
