/*
 * Makes a tape of a script of the demo (weir-tape(1), "THE TAPE"):
 *
 *   script --> deltas and their times --> wire/encode (bytes) --> tape lines
 */
#ifndef WEIR_APP_DEMO_TELL_H
#define WEIR_APP_DEMO_TELL_H

#include "app/demo/demo_script.h"
#include "wire/protocol/protocol.h"

/* Appends the text of a tape with the answer `name`, as a stream or as one JSON body. */
void demo_tell(const struct protocol *protocol, const struct demo_script *script, const char *name, const char *model, bool stream,
               struct buf *tape);
/* The same for the model list. */
void demo_tell_models(const struct protocol *protocol, struct buf *tape);

#endif
