/*
 * Actions: what slash words do to setup and session, whoever shows it - the full screen or the linear mode. Each says one sentence.
 */
#ifndef WEIR_APP_ACTIONS_H
#define WEIR_APP_ACTIONS_H

#include "app/session.h"

struct actor { /* borrows all of it */
	struct setup *setup;
	struct session *session;
	bool replay; /* there is nobody to ask: what would begin a turn of its own is refused */
	void (*say)(void *ctx, const char *sentence);
	void *ctx;
};

/* `argument`: the words behind the slash word, trimmed; "" where none were given. */
typedef void action(const struct actor *a, struct str argument);

/* These take a name, which menus offer where none was given. */
void act_model(const struct actor *a, struct str name);
void act_protocol(const struct actor *a, struct str name);
void act_provider(const struct actor *a, struct str name);

void act_attach(const struct actor *a, struct str path);
void act_tools(const struct actor *a, struct str path);
void act_schema(const struct actor *a, struct str path);
void act_system(const struct actor *a, struct str text);
void act_reasoning(const struct actor *a, struct str level);

bool act_asks(const struct actor *a);    /* false, with a sentence, in a replay */
bool act_retry(const struct actor *a);   /* false: nothing began */
bool act_continue(const struct actor *a);
bool act_new(const struct actor *a);
void act_pause(const struct actor *a, struct str argument); /* a replay */
void act_step(const struct actor *a, struct str argument);

#endif
