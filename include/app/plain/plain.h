/*
 * The linear mode: chat and replay as append-only lines, for screen readers, pipes and terminals without cursor addressing.
 *
 * It drives the session (app/session/session.h) in the same loop as the full screen does. It does not change the terminal's settings; the
 * terminal's line discipline edits the lines.
 */
#ifndef WEIR_APP_PLAIN_H
#define WEIR_APP_PLAIN_H

#include "app/session/replay.h"

/* True for --plain, for ACCESSIBLE (neither empty nor 0), and if standard output is a terminal without cursor addressing. */
bool plain_is_wanted(const struct options *o);

/* Runs the program; `replay` is NULL for the chat. Returns the exit status. */
int plain_main(const struct options *o, struct replay *replay);

#endif
