/*
 * An HTTP server controlled by the test, which sees each request and sends the response piece by piece.
 *
 * It serves one connection at a time on loopback; the test closes each. Every wait has a deadline and fails the running test.
 */
#ifndef WEIR_TESTS_HAND_H
#define WEIR_TESTS_HAND_H

#include "base/text.h"

struct hand; /* heap */

struct hand *hand_new(void);
void hand_free(struct hand *h);
unsigned hand_port(const struct hand *h);

/* Waits for the next request. Its head (request line and headers) and body are kept until the next call. */
bool hand_accept(struct hand *h);
const char *hand_head(const struct hand *h);
bool hand_head_has(const struct hand *h, const char *line); /* a whole line of it, in any case of letters */
const char *hand_body(const struct hand *h);

void hand_answer(struct hand *h, int status, const char *content_type); /* sends the head of the response */
void hand_send(struct hand *h, const char *bytes);
void hand_send_bytes(struct hand *h, struct str bytes);
/* Buffers what is sent from now on until the end, so that the client receives all of it or nothing. */
void hand_hold(struct hand *h);
void hand_release(struct hand *h);
void hand_close(struct hand *h);                    /* closes the connection in good order */
void hand_swap(struct hand *h);                     /* sets the connection aside, and takes up the one that was set aside before */
bool hand_is_left(struct hand *h);                  /* waits until the client has closed the connection */

void hand_reply(struct hand *h, int status, const char *content_type, const char *body); /* sends the whole response and closes */

/* For openai-chat: the head of a stream, a piece of text or reasoning, any delta object, the finish reason and the end mark. */
void hand_begin(struct hand *h);
void hand_text(struct hand *h, const char *text);
void hand_reasoning(struct hand *h, const char *text);
void hand_delta(struct hand *h, const char *json);  /* the content of "delta" */
void hand_finish(struct hand *h, const char *reason); /* includes usage; closes the connection */
void hand_whole(struct hand *h, const char *text, const char *reason); /* a complete response */
/* A complete response that ends with `end`, such as HAND_USAGE(100, 20, ",\"cost\":0.25"): tokens in and out, and more members. */
void hand_counted(struct hand *h, const char *text, const char *end);
#define HAND_USAGE(in, out, more) \
	"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":" #in ",\"completion_tokens\":" #out more "}}\n\ndata: [DONE]\n\n"
/* Accepts a request and sends the complete response. */
void hand_say(struct hand *h, const char *text);

/* weir.conf with a provider "hand" on this server: openai-chat, no key, model m-1, no retries. `more`: further lines, or "". */
const char *hand_settings(const struct hand *h, const char *more);

#endif
