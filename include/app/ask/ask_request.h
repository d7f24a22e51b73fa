/* The request of `weir ask`, without its messages. */
#ifndef WEIR_APP_ASK_REQUEST_H
#define WEIR_APP_ASK_REQUEST_H

#include "app/ask/ask_input.h"
#include "app/setup/setup.h"

/* For the target of the setup. Checks the files of the question against the limits of its protocol; some of them are left out, with a note. */
MUST_USE bool ask_request_fill(struct setup *s, const struct ask_input *question, struct request *request, struct error *err);

#endif
