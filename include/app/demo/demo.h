/*
 * The demo provider: compiled into the program. It gives the loopback server (net/serve.h) answers in all five protocols, as tapes with
 * their own timing. The client side of the socket is the same as for any provider.
 *
 * "call NAME JSON" as the last user message gets that tool call.
 * Words in the last user message select the answer: a script in src/app/demo/NAME.demo, which is encoded in the request's protocol. A
 * request without streaming gets the same answer as one JSON body. A request with a schema gets JSON that conforms to it. Tool results
 * get an answer that uses them. The model list endpoints list the demo's models.
 */
#ifndef WEIR_APP_DEMO_H
#define WEIR_APP_DEMO_H

#include "net/serve.h"

struct demo; /* heap; owns its tapes */

struct demo *demo_new(void);
void demo_free(struct demo *demo); /* call after the server that uses it was freed */

/* A serve_choose. A tape lives as long as the demo. NULL for a path that belongs to no protocol. */
const struct tape *demo_choose(void *demo, const struct serve_request *request);

/* An entry of /help: the words that select an answer, and what it shows. */
struct demo_help {
	const char *words; /* "reason, think" */
	const char *help;
};
const struct demo_help *demo_help_at(size_t index); /* NULL beyond the last */

#define DEMO_MODEL "demo-1" /* the default; demo-thinking reasons first, demo-router is routed (openai-chat) */
const char *demo_model_at(size_t index); /* NULL behind the last one */

#endif
