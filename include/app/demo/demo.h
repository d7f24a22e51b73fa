/*
 * The demo provider: a chat partner that is compiled in. It answers the loopback server (net/serve.h) with recordings of our
 * own, in all five protocols, with their own timing; everything behind the socket is the ordinary way of an answer.
 *
 * Words in the last user message pick the answer (src/app/demo/NAME.demo, one script an answer, told in every protocol's own
 * wire form). A request that is not a stream gets the same answer as one JSON body; a request with a schema gets JSON that
 * follows it; tool results get an answer that uses them; the model list endpoints list the demo's models.
 */
#ifndef WEIR_APP_DEMO_H
#define WEIR_APP_DEMO_H

#include "net/serve.h"

struct demo; /* heap: owns the tapes it made */

struct demo *demo_new(void);
void demo_free(struct demo *demo); /* after the server that it answers */

/* A serve_choose. A tape lives as long as the demo; NULL for a path that no protocol knows. */
const struct tape *demo_choose(void *demo, const struct serve_request *request);

/* What /help lists: the words that pick an answer, and what it shows. */
struct demo_help {
	const char *words; /* "reason, think" */
	const char *help;
};
const struct demo_help *demo_help_at(size_t index); /* NULL beyond the last */

#define DEMO_MODEL "demo-1" /* others: demo-thinking reasons first, demo-router is routed (openai-chat) */

#endif
