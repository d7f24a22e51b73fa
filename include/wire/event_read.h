/*
 * Reads events (wire/event.h) back: lines of JSON to deltas. They pass a guard, so that any file gives a valid turn.
 *
 * Events do not say everything: the places of citations, and where two parts of one kind meet, are lost. Notices are not read. Lines that
 * are not valid, and events of unknown types, are skipped.
 */
#ifndef WEIR_WIRE_EVENT_READ_H
#define WEIR_WIRE_EVENT_READ_H

#include "wire/delta.h"

/* Whether a text is lines of events: the first one is a begin. */
bool event_read_begins(struct str text);

/* Gives the deltas of all lines to the sink. `how`: the end of the stream that the events tell of. */
void event_read(struct str text, delta_sink *sink, void *ctx, enum end_how *how);

/* The HTTP status of the error that a text ends with; 0: none. */
int event_read_status(struct str text);

#endif
