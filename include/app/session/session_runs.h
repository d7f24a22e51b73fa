/*
 * Calls of the last answer that run: tools of one's own and those that are built in (app/tools/tool_calls.h). Conventions: session.h.
 *
 * They are taken up when the answer that asks for them has ended in this run of the program, or by session_take_up_runs(), which asks for each of
 * them whatever was approved. So what a stored conversation holds, another branch, or another program, never runs by itself. Whatever leaves the
 * end of the path (a new prompt, a retry, another branch, another conversation) ends them.
 *
 * When all calls of the answer have a result, they are sent by session_drain(), `tool_rounds` times in a row and while the budget lasts; then
 * the session holds until session_go_on(). While one runs, session_is_busy() holds; session_stop() ends it, and then nothing is sent by itself.
 *
 * While answers beside each other hold the session (session_parallel.h), what asks and what waits is theirs, and the user's word goes to them.
 */
#ifndef WEIR_APP_SESSION_RUNS_H
#define WEIR_APP_SESSION_RUNS_H

#include "app/session/session.h"
#include "app/tools/tool_rounds.h"

const struct tool_calls *session_runs(const struct session *s);      /* its own; borrowed until session_drain(); none: count is 0 */
const struct tool_call *session_asking(const struct session *s);     /* the first call that waits for a word; NULL: none */
void session_take_up_runs(struct session *s);                        /* asks for the calls of the last answer that are not taken up */

/* Marks those of tools that were not offered, for the user: nothing runs for them. The demo asks for what nobody has. */
void session_mark_foreign_calls(struct setup *setup, struct turn *answer);

/* The user's word for the call that asks for a plan (tool_calls.h has the same names). */
const struct tool_call *session_shown(const struct session *s, uint64_t shown); /* NULL: it does not ask any more */
void session_approve(struct session *s, uint64_t shown);
MUST_USE bool session_approve_all(struct session *s, uint64_t shown, struct error *err);
void session_refuse(struct session *s, uint64_t shown, struct str word);
MUST_USE bool session_edit_arguments(struct session *s, uint64_t shown, struct str arguments, struct error *err);

bool session_runs_tools(const struct session *s);                    /* one runs */
bool session_holds_rounds(const struct session *s);                  /* the results wait for session_go_on() */
void session_write_hold(const struct session *s, struct buf *out);   /* then: appends why, and what they cost so far if it is known */
MUST_USE bool session_go_on(struct session *s, struct error *err);   /* sends them, and as many rounds again */

#endif
