/*
 * A request that owns what it carries, so that the setup and the target may change while the exchange runs. The text of its messages is
 * borrowed from the conversation.
 */
#ifndef WEIR_APP_OWNED_REQUEST_H
#define WEIR_APP_OWNED_REQUEST_H

#include "base/error.h"
#include "chat/conversation/projection.h"

struct setup;

struct owned_request { /* embedded; all zero: empty */
	struct request request;                     /* borrows from the next members */
	struct projection projection;               /* of its messages */
	bool of_set;                                      /* its tools are those of the setup's set: owned_request_take_tools() */
	char *base_url, *system, *tools, *schema, *added; /* copies; NULL: there is none */
};

/* Replaces what is in it by what the setup says for its target now, without messages. On false it must be freed or filled in again. */
MUST_USE bool owned_request_fill(struct owned_request *r, struct setup *setup, struct error *err);
/* Gives it the path of `c` as messages, once after it was filled in. */
void owned_request_project(struct owned_request *r, const struct conversation *c, const struct scope *scope);
void owned_request_want_text(struct owned_request *r); /* no schema, and nothing that the server does itself */
/* What the set offers by now, in place of what it offered. Without effect if its tools are not those of the set. */
void owned_request_take_tools(struct owned_request *r, struct setup *setup);
void owned_request_fini(struct owned_request *r); /* empty then; no exchange uses it */

#endif
