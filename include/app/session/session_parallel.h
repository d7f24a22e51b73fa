/*
 * Several answers to one question at once: what a session has to do with them. app/compare/compare.h sends the requests and drives the
 * answers. Conventions: session.h.
 */
#ifndef WEIR_APP_SESSION_PARALLEL_H
#define WEIR_APP_SESSION_PARALLEL_H

#include "app/session/session.h"

/* Adds a question, with the files attached so far, or finds the last one if `prompt` is empty. Nothing is sent. */
MUST_USE bool session_ask_in_parallel(struct session *s, struct str prompt, struct turn **question, struct error *err);

/*
 * Holds the session while answers below the question are under way: until then session_is_busy() holds, and what needs an idle session fails.
 * halt() is called when the conversation is about to be replaced: it ends the answers. rounds(): those of their calls, NULL after the last.
 * NULL: they are over.
 */
struct session_holder { void (*halt)(void *ctx); struct tool_rounds *(*rounds)(void *ctx, size_t index); void *ctx; };
void session_hold(struct session *s, const struct session_holder *holder); /* copied */
bool session_is_held(const struct session *s);
unsigned session_count_tape(struct session *s);          /* counts a tape that is chosen elsewhere; returns how many there were before it */

#endif
