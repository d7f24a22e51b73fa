/*
 * The linear mode: the chat and the replay as lines that are only ever added to, for screen readers, for pipes and for terminals that
 * cannot place their cursor.
 *
 * It drives the session (app/session.h) in the same loop as the full screen does. The terminal stays as it was found: its own line
 * discipline edits the lines.
 */
#ifndef WEIR_APP_PLAIN_H
#define WEIR_APP_PLAIN_H

#include "app/options.h"
#include "net/tape.h"
#include "wire/stream.h"

/* --plain, ACCESSIBLE (neither empty nor 0), or standard output is a terminal that cannot place its cursor. */
bool plain_is_wanted(const struct options *o);

/* The whole program; `tape` NULL for the chat. Returns the exit status. */
int plain_main(const struct options *o, const struct tape *tape, const struct stream_options *stream, const char *tape_name);

#endif
