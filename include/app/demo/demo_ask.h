/*
 * What the demo reads from a request: its protocol, the last message of the user, and the requested form of the answer.
 */
#ifndef WEIR_APP_DEMO_ASK_H
#define WEIR_APP_DEMO_ASK_H

#include "net/serve.h"

enum demo_protocol { DEMO_CHAT, DEMO_RESPONSES, DEMO_ANTHROPIC, DEMO_GEMINI, DEMO_OLLAMA, DEMO_PROTOCOL_COUNT };

struct demo_ask {
	enum demo_protocol protocol;
	bool models;        /* a request for the model list; the following members are not used */
	bool stream;
	bool goes_on;       /* the request continues an answer that broke off */
	struct buf model;
	struct buf text;    /* text of the last message; empty if it holds only tool results */
	struct buf result;  /* the tool results after the last turn of the model, one per line */
	struct buf stop;    /* the text before which the answer ends; empty: none */
	struct buf code_word; /* asked for, and named in the request as "The code word is X."; empty: neither */
	struct buf schema;  /* the JSON Schema that the answer must conform to; empty: none */
};

/* False for a path that belongs to no protocol. Call demo_ask_fini() in either case. */
bool demo_ask_read(struct demo_ask *ask, const struct serve_request *request);
void demo_ask_fini(struct demo_ask *ask);

#endif
