/*
 * The host: what a part of the linear mode may ask of the rest. app/plain/plain.c fills it in; parts borrow it for their lifetime.
 */
#ifndef WEIR_APP_PLAIN_HOST_H
#define WEIR_APP_PLAIN_HOST_H

#include <termios.h>

#include "app/plain/plain_tell.h"
#include "base/crash_handler.h"

/* A question that the next line answers, instead of being a prompt. */
struct plain_question {
	const char *label; /* the prompt on a terminal */
	void (*take)(void *part, struct str line);
	bool alone;  /* the answer is held until it is clear that no other line came with it (plain_lines_next()) */
	bool hidden; /* the terminal does not echo the answer, and it is wiped: a key */
};

struct plain_host {
	struct setup *setup;
	struct session *session;
	struct keep *keep; /* NULL in a replay */
	struct plain_tell *tell;
	struct messages *messages; /* what was said */
	bool replay;   /* a replay: there is no provider to ask */
	bool types;    /* standard input is a terminal: it echoes and gets prompts */
	const struct plain_question *question; /* NULL: the next line is a prompt */
	void *asks;    /* the part that asks `question` */
	int64_t asked_ms; /* when it was asked by itself; INT64_MIN: a line brought it up, and may have been pasted with its answer */
	struct collecting *collecting; /* NULL in a replay */
	void (*mark)(void *ctx, const char *folder); /* has the user choose files of a folder */
	void (*fill)(void *ctx, struct str text); /* a prompt, which an empty line sends */
	bool (*run)(void *ctx, struct str line); /* runs "/model gpt-x"; false: not a slash word */
	void *ctx;
	struct termios echoing; /* modes of the terminal that a crash restores while what is typed is hidden */
	struct crash_handler on_crash;
};

void plain_say(const struct plain_host *h, const char *sentence);  /* prints a message as a line */
void plain_fail(const struct plain_host *h, const char *sentence); /* the same for an error (app/system/messages.h) */
struct actor plain_actor(const struct plain_host *h);             /* an actor that reports through plain_say() */

void plain_ask(struct plain_host *h, const struct plain_question *question, void *part); /* in place of what was asked */
void plain_ask_prompt(struct plain_host *h); /* also shows again what is typed, if a question hid it */

#endif
