/*
 * Continuations: how a request asks for the rest of an answer that broke off. Pure functions that rewrite the request's last messages.
 *
 * If the protocol supports it, the text so far is sent as the beginning of the answer, and the model continues from its last character
 * (Anthropic, unless thinking is requested or the model refuses it). Otherwise the text so far is sent as the assistant's message,
 * followed by a user message that asks for the rest (CONTINUE_WORDS). A turn paused by the server is sent back unchanged.
 */
#ifndef WEIR_CHAT_CONTINUATION_H
#define WEIR_CHAT_CONTINUATION_H

#include "chat/provider/provider.h"
#include "wire/request.h"

enum continuation_way { CONTINUATION_NONE, CONTINUATION_BEGINNING, CONTINUATION_WORDS, CONTINUATION_UNCHANGED };

enum continuation_way continuation_of(const struct provider *p, const struct protocol *protocol, const struct request *request);

/* Messages of a continuation. They borrow from the request they were made of. */
struct continuation { /* initialise to zero */
	struct request_message *messages;
	struct request_part *parts;
	struct request_part words;
};
void continuation_init(struct continuation *c, enum continuation_way way, struct request *request); /* replaces the request's messages */
void continuation_fini(struct continuation *c);

#endif
