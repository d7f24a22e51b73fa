/*
 * The request of an answer: of the exchange while it runs, of the tape that is played in a replay, else of the answer's own tape.
 */
#ifndef WEIR_APP_TURN_REQUEST_H
#define WEIR_APP_TURN_REQUEST_H

#include "app/session/details.h"
#include "chat/exchange/sent_request.h"

struct session;
struct setup;

/* On false, `err` says why it is not known. Otherwise the caller frees it with sent_request_fini(). */
MUST_USE bool turn_request_find(struct sent_request *r, struct setup *setup, const struct session *s, const struct turn *t, struct error *err);

/* Its head, its JSON, what came back, and the curl command. Of a large body only the beginning: the whole can be copied and opened. */
void turn_request_tell(const struct sent_request *r, const struct session *s, const struct turn *t, details_row *row, void *ctx);

/* The words of /request, for completion; NULL beyond the last. */
struct turn_request_word { const char *name, *help; };
const struct turn_request_word *turn_request_word_at(size_t index);

#endif
