/*
 * What the demo understands of a request: which protocol, what the user said last, and in which form the answer is wanted.
 */
#ifndef WEIR_APP_DEMO_ASK_H
#define WEIR_APP_DEMO_ASK_H

#include "net/serve.h"

enum demo_protocol { DEMO_CHAT, DEMO_RESPONSES, DEMO_ANTHROPIC, DEMO_GEMINI, DEMO_OLLAMA, DEMO_PROTOCOL_COUNT };

struct demo_ask {
	enum demo_protocol protocol;
	bool models;        /* the model list is asked for; nothing below counts */
	bool stream;
	bool goes_on;       /* an answer that broke off is to go on */
	struct buf model;
	struct buf text;    /* of the last message; empty when it holds only tool results */
	struct buf result;  /* the tool results behind the last model's turn, one a line */
	struct buf schema;  /* JSON: the schema that the answer must follow; empty: none */
};

/* False for a path that no protocol knows. The ask is to be freed in any case. */
bool demo_ask_read(struct demo_ask *ask, const struct serve_request *request);
void demo_ask_fini(struct demo_ask *ask);

#endif
