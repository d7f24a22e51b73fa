/* The text of a model list to its models, whatever the list's length. */
#ifndef WEIR_CHAT_MODELS_READ_H
#define WEIR_CHAT_MODELS_READ_H

#include "wire/protocol/protocol.h"

/*
 * As read_models() of the protocol. False: the text is not a model list; some of its models may have been visited. `next` is cleared first.
 */
MUST_USE bool models_read(const struct protocol *protocol, struct str text, model_visit *visit, void *ctx, struct buf *next);

#endif
