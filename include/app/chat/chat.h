/*
 * The full-screen program: `weir` runs it on requests, `weir replay` on a tape.
 */
#ifndef WEIR_APP_CHAT_H
#define WEIR_APP_CHAT_H

#include "app/options.h"
#include "net/tape.h"
#include "wire/stream.h"

/* Runs the program; `tape` is NULL for the chat. Returns the exit status. */
int chat_main(const struct options *o, const struct tape *tape, const struct stream_options *stream, const char *tape_name);

#endif
