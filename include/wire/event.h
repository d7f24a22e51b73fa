/*
 * Events: a delta as the line of JSON that CONTRACT.md describes.
 */
#ifndef WEIR_WIRE_EVENT_H
#define WEIR_WIRE_EVENT_H

#include "wire/delta.h"

/* Appends the line, LF included. `t` is left out when delta->at_ms is negative. */
void event_write(const struct delta *delta, struct buf *out);

#endif
