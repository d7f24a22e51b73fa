/*
 * Events: a delta as a line of JSON (weir-ask(1), "EVENTS").
 */
#ifndef WEIR_WIRE_EVENT_H
#define WEIR_WIRE_EVENT_H

#include "base/json_write.h"
#include "wire/delta.h"

/* Whether a delta is an event: all are, but what a tool of the server has found before it is final. */
bool event_is_of(const struct delta *delta);
/* Appends the line of an event with its LF; nothing otherwise. `t` is omitted if delta->at_ms is negative. */
void event_write(const struct delta *delta, struct buf *out);

/* Writes the members of that line into an open object. */
void event_write_members(struct json_writer *w, const struct delta *delta);
void event_write_own(struct json_writer *w, const struct delta *delta); /* without its time and kind */

#endif
