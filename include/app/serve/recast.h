/*
 * A tape in another protocol: what a server of that protocol would have sent at the same times (wire/encode/encode.h says what a protocol
 * cannot carry).
 */
#ifndef WEIR_APP_RECAST_H
#define WEIR_APP_RECAST_H

#include "net/tape.h"

/* `whole`: as one JSON body at the end instead of a stream. The result is the caller's; NULL: it would be larger than a tape may be. */
struct tape *recast(const struct tape *tape, const struct protocol *protocol, bool whole);

#endif
