/* Checks of the request of `weir ask`, before anything is sent. */
#ifndef WEIR_APP_ASK_REQUEST_H
#define WEIR_APP_ASK_REQUEST_H

#include "app/ask/ask_input.h"

struct setup;

/*
 * Takes the tools of --tools-allow, reads the files of --tools and --schema, and checks the files of the question against the limits of the
 * setup's target: one beyond a limit is an error, one of a kind that the protocol does not carry is left out, with a note on standard error.
 */
MUST_USE bool ask_request_check(struct setup *s, const struct ask_input *question, struct error *err);

#endif
