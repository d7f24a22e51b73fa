/*
 * Projection: what of a conversation is sent, as the messages of a request.
 */
#ifndef WEIR_CHAT_PROJECTION_H
#define WEIR_CHAT_PROJECTION_H

#include <stdint.h>

#include "wire/request.h"

struct conversation;
struct scope;

/*
 * Projects the path up to turn `end` (exclusive) for a scope. Empty turns are left out. What is projected depends on the turns of the path
 * alone, not on other branches. Opaque and reasoning parts are kept only if the turn's scope is the same. Every call gets a result: a call
 * without one is reported as not run; a call with invalid arguments is sent with `{}` and a result that says so. Media of an answer stay in
 * it if the scope is the same and its protocol has a place for them (protocol.h, answers_hold), or if the server still has the sound at `now`
 * (seconds since 1970): then only its id is sent. Else the words of a sound are text, and what has bytes is a file of the prompt behind the
 * answer. Adjacent messages of one role are merged. The projection borrows the conversation's
 * text and must be freed before it.
 */
struct projection {
	struct request_message *messages;
	size_t count;
	struct projection_memory *memory; /* private */
};
void conversation_project(const struct conversation *c, size_t end, const struct scope *scope, int64_t now, struct projection *out);
/* Replaces a part of a message with text, which is copied. */
void projection_say_instead(struct projection *p, size_t message, size_t part, struct str words);
void projection_fini(struct projection *p);

#endif
