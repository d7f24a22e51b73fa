/*
 * Branches of a session's conversation, and asking again, which makes them: nothing is overwritten, what is asked again becomes a sibling
 * (session_again.c, session_edited.c, session_tree.c, session_compact.c). Conventions: session.h. All fail while an answer is under way.
 */
#ifndef WEIR_APP_SESSION_TREE_H
#define WEIR_APP_SESSION_TREE_H

#include "app/session/session.h"

/* --- asking again --- */

/* Asks for another answer with the current target. `turn`: an answer of the path or its question; NULL: the last turn. */
MUST_USE bool session_retry(struct session *s, struct turn *turn, struct error *err);
MUST_USE bool session_can_retry(const struct session *s, struct error *err);
/* Continues the last answer, which broke off, with a second request (chat/exchange/continuation.h). The target must be the one it came from. */
MUST_USE bool session_continue(struct session *s, struct error *err);
MUST_USE bool session_can_continue(const struct session *s, struct error *err);
/*
 * Sends the request of an answer of the path again, with `body` in place of its JSON, byte for byte. The new answer has a note that says so.
 * The target must have the answer's provider and protocol. The body must be JSON: on false, `err` says where it is not.
 * session_can_send_edited() tells whether the rest is as it should be.
 */
MUST_USE bool session_send_edited(struct session *s, struct turn *answer, struct str body, struct error *err);
MUST_USE bool session_can_send_edited(const struct session *s, const struct turn *answer, struct error *err);

/*
 * Returns a prompt for editing, borrowed from its turn, and attaches its files: the question at or above `turn` of the path; NULL: the last
 * one. The next prompt becomes its sibling.
 */
MUST_USE bool session_edit(struct session *s, const struct turn *turn, struct str *prompt, struct error *err);
MUST_USE bool session_can_edit(const struct session *s, struct error *err);
const struct turn *session_edited(const struct session *s); /* the question that is being edited; NULL: none is */
bool session_is_editing(const struct session *s);
void session_leave_edit(struct session *s);              /* cancels editing; nothing is changed */

/*
 * How many prompts stand in the branch that the path left: while a changed prompt or another answer to an earlier one is under way, and in
 * session_ended() of it. 0: none.
 */
unsigned session_left(const struct session *s);

/* --- branches: these fail while a prompt is being edited, too --- */

MUST_USE bool session_select(struct session *s, struct turn *turn, struct error *err); /* leads the path through a turn */
MUST_USE bool session_remove(struct session *s, struct turn *turn, struct error *err); /* with all below it */
/* Goes on in a new conversation, a copy of the turns up to `end`. */
MUST_USE bool session_copy(struct session *s, const struct turn *end, struct error *err);
/* Takes back the last removal, else the copy if nothing was asked in it. `back`: the turn that is there again, NULL after a copy. */
MUST_USE bool session_undo(struct session *s, struct turn **back, struct error *err);
size_t session_removals(const struct session *s);        /* how often session_undo() has something to take back */

/* --- compacting: older turns are replaced by a summary in a new branch, and stay as they are in theirs --- */

/*
 * Asks the target for a summary of all turns of the path before the last exchange, which begins with the last question that has words and no
 * results of tools. `words` say what to keep above all. The request has no schema. Its question is a new first one, a sibling of the first.
 * When the summary has ended well, copies of the last exchange follow it, without usage and cost, and the path leads there: later
 * requests send the summary in place of the turns. If it fails or is stopped, the path leads where it did before, and what arrived stays as
 * a branch. A note of the summary tells what came of it.
 */
MUST_USE bool session_compact(struct session *s, struct str words, struct error *err);
/* Fails, too, where there is nothing before the last exchange but a summary. */
MUST_USE bool session_can_compact(const struct session *s, struct error *err);
int64_t session_compact_tokens(const struct session *s); /* estimated tokens of the turns that would be summarised */

#endif
