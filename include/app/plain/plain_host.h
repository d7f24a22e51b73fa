/*
 * The host: what a part of the linear mode may ask of the rest of it. app/plain/plain.c fills it in; parts borrow it for their life.
 */
#ifndef WEIR_APP_PLAIN_HOST_H
#define WEIR_APP_PLAIN_HOST_H

#include "app/actions.h"
#include "app/plain/plain_tell.h"

/* What the next line answers when it is no prompt. */
struct plain_question {
	const char *label; /* what a terminal is prompted with */
	void (*take)(void *part, struct str line);
	bool hidden; /* the terminal does not echo the answer, and it is wiped: a key */
};

struct plain_host {
	struct setup *setup;
	struct session *session;
	struct plain_tell *tell;
	bool replay;   /* there is nobody to ask */
	bool types;    /* standard input is a terminal: it echoes, and is prompted */
	const struct plain_question *question; /* NULL: the next line is a prompt */
	void *asks;    /* the part that asks it */
	bool (*run)(void *ctx, struct str line); /* "/model gpt-x"; false: it is no slash word */
	void *ctx;
};

void plain_say(const struct plain_host *h, const char *sentence); /* an error or a word of an action, in a line */
struct actor plain_actor(const struct plain_host *h);             /* says it so */

void plain_ask(struct plain_host *h, const struct plain_question *question, void *part); /* in place of what was asked */
void plain_ask_prompt(struct plain_host *h); /* also shows again what is typed, if a question hid it */

#endif
