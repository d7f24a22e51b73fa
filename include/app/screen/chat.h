/*
 * The full-screen program: `weir` runs it on requests, `weir replay` on a tape.
 */
#ifndef WEIR_APP_CHAT_H
#define WEIR_APP_CHAT_H

#include "app/session/replay.h"

/* Runs the program; `replay` is NULL for the chat. Returns the exit status. */
int chat_main(const struct options *o, struct replay *replay);

#endif
