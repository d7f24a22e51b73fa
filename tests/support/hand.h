/*
 * An HTTP server driven by hand: a test sees each request as it came and sends the answer piece by piece, when it wants.
 *
 * One connection at a time on loopback, each closed by the test. Every wait has a deadline and fails the running test.
 */
#ifndef WEIR_TESTS_HAND_H
#define WEIR_TESTS_HAND_H

#include "base/text.h"

struct hand; /* heap */

struct hand *hand_new(void);
void hand_free(struct hand *h);
unsigned hand_port(const struct hand *h);

/* Waits for the next request; its head (request line and headers) and body are kept until the next call. */
bool hand_accept(struct hand *h);
const char *hand_head(const struct hand *h);
const char *hand_body(const struct hand *h);

void hand_answer(struct hand *h, int status, const char *content_type); /* the head of the answer */
void hand_send(struct hand *h, const char *bytes);
void hand_send_bytes(struct hand *h, struct str bytes);
/* What is sent meanwhile goes out as one piece at the end: the client has all of it or nothing. */
void hand_hold(struct hand *h);
void hand_release(struct hand *h);
void hand_close(struct hand *h);                    /* ends the connection in good order */
bool hand_is_left(struct hand *h);                  /* waits until the client has left the connection */

void hand_reply(struct hand *h, int status, const char *content_type, const char *body); /* the whole answer, and the end */

/* openai-chat: the head of a stream, one piece of text or reasoning, any delta object, the finish reason and the end mark. */
void hand_begin(struct hand *h);
void hand_text(struct hand *h, const char *text);
void hand_reasoning(struct hand *h, const char *text);
void hand_delta(struct hand *h, const char *json);  /* what stands in "delta" */
void hand_finish(struct hand *h, const char *reason); /* with usage, then closes */
void hand_whole(struct hand *h, const char *text, const char *reason); /* all of it */
/* Accepts and gives the whole answer at once. */
void hand_say(struct hand *h, const char *text);

/* weir.conf for a provider "hand" on this server, default openai-chat, no key, model m-1, no retries; `more`: further lines, or "". */
const char *hand_settings(const struct hand *h, const char *more);

#endif
