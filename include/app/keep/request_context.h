/*
 * Facts: what the requests of a conversation carry besides its turns, as it is stored with the conversation: target, role, system prompt,
 * parameters, tools and schema.
 */
#ifndef WEIR_APP_REQUEST_CONTEXT_H
#define WEIR_APP_REQUEST_CONTEXT_H

#include "store/history/history.h"

struct setup;

struct request_context { /* embedded; a zeroed one is empty */
	struct buf system, parameters, tools, schema;
};

void request_context_fini(struct request_context *f);
/* Those of the following requests, as texts: "" for what is not set. The parameters are a JSON object, with the role's name as "role". */
void request_context_take(const struct setup *s, struct request_context *f);
/* Sets the members of `c`, borrowed. `begins`: nothing is stored yet, so that NULL says that there are none, else "". */
void request_context_lend(const struct request_context *f, bool begins, struct history_conversation *c);

/* One sentence about what cannot be used any more, not safe for a terminal. */
typedef void request_context_tell(void *ctx, const char *sentence);
/*
 * Uses what is stored with a conversation for the following requests. `options_first`: at start, where what the command line says goes
 * before, and a role of it is used in place of what is stored.
 */
void request_context_use(struct setup *s, const struct history_conversation *c, bool options_first, request_context_tell *tell, void *ctx);

#endif
