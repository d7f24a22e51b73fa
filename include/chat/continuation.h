/*
 * How a request asks for the rest of an answer that broke off. Pure: a request in, its last messages out.
 *
 * Where the protocol has it, the text goes as the beginning of the answer and the model writes on from its last character
 * (Anthropic, unless it is to think, or the model refuses it). Elsewhere what had come goes as the assistant's message, and
 * the user's words behind it ask for the rest (CONTINUE_WORDS). A turn that the server paused goes back unchanged.
 */
#ifndef WEIR_CHAT_CONTINUATION_H
#define WEIR_CHAT_CONTINUATION_H

#include "chat/provider.h"
#include "wire/request.h"

enum continuation_way { CONTINUATION_NONE, CONTINUATION_BEGINNING, CONTINUATION_WORDS, CONTINUATION_UNCHANGED };

enum continuation_way continuation_of(const struct provider *p, const struct protocol *protocol, const struct request *request);

/* Messages of a request made fit for that way; it borrows from the request it was made of. */
struct continuation { /* zeroed at birth */
	struct request_message *messages;
	struct request_part *parts;
	struct request_part words;
};
void continuation_init(struct continuation *c, enum continuation_way way, struct request *request); /* gives it those messages */
void continuation_fini(struct continuation *c);

#endif
