/*
 * A loopback server (net/serve.h) as a member of the loop: of the demo provider, of `weir serve` and `weir proxy`.
 */
#ifndef WEIR_APP_SERVER_H
#define WEIR_APP_SERVER_H

#include "app/system/loop.h"
#include "net/serve.h"

/* Runs the server. The member's ctx is the server, which must outlive it. */
struct loop_member server_member(struct serve *serve);

/* Prints the address on standard output, and serves until a signal ends the program. Requires signals_open(). */
void server_until_stopped(struct serve *serve, struct loop *loop);

#endif
