/*
 * The conversation: a tree of turns (turn.h). It owns them; pointers to turns stay valid until the conversation is freed. Requests are
 * projected from it (projection.h).
 *
 * Each turn has the turn before it as its parent. A retried answer and an edited question stay; the new one is a sibling, below the same
 * parent. One path leads from a first turn to the current leaf: it is what is shown, sent and copied. Nothing is overwritten, and a
 * removed subtree is only marked, so that it can be restored.
 */
#ifndef WEIR_CHAT_CONVERSATION_H
#define WEIR_CHAT_CONVERSATION_H

#include "chat/conversation/turn.h"

struct conversation {
	struct turn **turns;    /* the path, from a first turn to the current leaf */
	size_t count, capacity;
	struct turn **nodes;    /* all turns in the order of their creation, removed ones too: a parent precedes what is below it */
	size_t node_count, node_capacity;
	struct turn *first;     /* the oldest turn without a parent; its siblings follow it */
	struct turn *chosen;    /* the one of them through which the path last went; NULL: none yet */
	size_t removals;        /* removals that were not restored */
	long long stored;       /* its row in the store, once another one has been opened; 0: it is not stored */
	bool is_private;        /* some of it must not be stored: nothing of it is any more */
};

struct conversation *conversation_new(void);
void conversation_free(struct conversation *c);
struct turn *conversation_last(const struct conversation *c);        /* the end of the path; NULL if it is empty */
struct turn *conversation_last_answer(const struct conversation *c); /* the last assistant turn of the path, running or not; NULL: none */

/* Starts a user turn at the end of the path. Add its parts with turn_add(). */
struct turn *conversation_ask(struct conversation *c);
/* Starts an assistant turn that receives deltas, at the end of the path. */
struct turn *conversation_answer(struct conversation *c, struct str provider, const struct protocol *protocol, struct str model);

/*
 * Adds an empty turn below any turn, without a change of the path; `parent` NULL: a first turn. For reading a stored tree: add the turns
 * in any order in which parents come first, then call conversation_select() with the leaf. Siblings are in the order in which they are
 * added. An assistant turn has no scope yet, turn_set_origin() sets it, and has not ended: its reader sets `ended` and `outcome`.
 */
struct turn *conversation_add(struct conversation *c, struct turn *parent, enum turn_role role);

/* The place of a turn among those with the same parent that are not removed, in the order of their creation. */
struct siblings conversation_siblings(const struct conversation *c, const struct turn *t);
struct turn *conversation_sibling(const struct conversation *c, const struct turn *t, int step); /* the older (-1) or newer (1); NULL: none */
/* The oldest turn directly below `parent` that is not removed, and the one after `t`; `parent` NULL: a first turn. NULL: none. */
struct turn *conversation_child(const struct conversation *c, const struct turn *parent);
struct turn *conversation_next(const struct turn *t);

bool conversation_shows(const struct conversation *c, const struct turn *t); /* the path leads through it */
/* Leads the path through a turn that is not removed, to the leaf that was last current below it, else to the newest one. */
void conversation_select(struct conversation *c, struct turn *t);
/* Ends the path at a turn, whatever is below it: the next turn becomes a sibling of what is there. NULL: the path is empty. */
void conversation_branch(struct conversation *c, struct turn *end);
/*
 * Removes a turn with all below it. If the path led through it, it leads through the nearest sibling then, else it ends at the parent.
 * conversation_restore() takes back the last removal, leads the path to it and returns its turn; NULL: there is none to take back.
 */
void conversation_remove(struct conversation *c, struct turn *t);
struct turn *conversation_restore(struct conversation *c);
/*
 * Copies of turns. What the copied answers took counts at the originals; the copies took nothing. They are not stored. No turn of the
 * conversation is running.
 *
 * conversation_copy() makes a new conversation of the turns from the first one to `end`, with the context of the originals.
 * conversation_repeat() adds those from `from`, which is `end` or above it, down to `end` at the end of the path; nobody knows their context
 * yet.
 */
struct conversation *conversation_copy(const struct turn *end);
void conversation_repeat(struct conversation *c, const struct turn *from, const struct turn *end);

/* Adds a copy of an answer as an aside (turn_is_aside()). */
struct turn *conversation_set_aside(struct conversation *c, const struct turn *answer);

#endif
