/* What the files of collecting share: collecting.c, collecting_server.c. */
#ifndef WEIR_APP_COLLECTING_INSIDE_H
#define WEIR_APP_COLLECTING_INSIDE_H

#include "app/command/collecting.h"

#define COLLECTING_BYTES ((size_t)16 << 20)
#define COLLECTING_TEXT_BYTES ((size_t)1 << 20) /* of what is attached as text */

/* Takes the name; `limit` and `ms` are for what it writes. */
void collecting_begin(struct collecting *c, const struct actor *actor, char *name, size_t limit, int64_t ms);
void collecting_fail(struct collecting *c, const char *format, ...) PRINTF_LIKE(2, 3); /* ends it with a sentence */

#endif
