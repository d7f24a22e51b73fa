/*
 * What the screen shows of a replay, without a terminal: the pages and panes of the answer with their status bar, as an asciicast, as text
 * or as a picture. Nothing of it depends on the settings, so that the same tape gives the same bytes anywhere.
 */
#ifndef WEIR_APP_REPLAY_CAPTURE_H
#define WEIR_APP_REPLAY_CAPTURE_H

#include "app/session/replay.h"

bool replay_captures(const struct options *o); /* the options ask for it */
/* Writes what the options ask for. Returns the exit status; failures are told on standard error. */
int replay_capture(struct replay *r);

#endif
