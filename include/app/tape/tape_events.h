/* Events of `weir decode --events` as a tape: the stream that a server of a protocol could have sent to give them. */
#ifndef WEIR_APP_TAPE_EVENTS_H
#define WEIR_APP_TAPE_EVENTS_H

#include "net/tape.h"

/* The result is the caller's; it has no times if the events have none. */
MUST_USE bool tape_from_events(struct tape **tape, struct str events, const struct protocol *protocol, struct error *err);

#endif
