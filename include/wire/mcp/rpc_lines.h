/*
 * Bytes to lines, as a server sends messages on its standard output: one a line. A line that is longer than RPC_MESSAGE_MOST ends the reading.
 */
#ifndef WEIR_WIRE_RPC_LINES_H
#define WEIR_WIRE_RPC_LINES_H

#include "base/text.h"

struct rpc_lines { struct buf begun; }; /* embedded; zeroed: nothing has come */

void rpc_lines_fini(struct rpc_lines *l);
/* Calls back with each line that ends in `bytes`, without its end; blank ones are left out. False: a line is too long. */
MUST_USE bool rpc_lines_take(struct rpc_lines *l, struct str bytes, void (*line)(void *ctx, struct str line), void *ctx);

#endif
