/*
 * What the keeper's files share: keeper.c (driving), keeper_write.c (what is written), keeper_left.c (conversations that were left),
 * keeper_trouble.c (when it cannot be written), keeper_words.c (what it says about that) and keeper_tend.c (the process that tends).
 */
#ifndef WEIR_APP_KEEPER_INSIDE_H
#define WEIR_APP_KEEPER_INSIDE_H

#include "app/writer/keeper.h"
#include "base/child.h"

/* What the history has of a turn. */
struct kept {
	uint64_t revision;     /* of the turn when it was written */
	uint64_t characters;   /* that its answer had then */
	int64_t pending;       /* its row in the transaction under way; 0: none */
	int64_t mark;          /* of its deletion, if it is the top of what was removed; 0: it is not */
	bool written, ended, labelled, taped, detailed; /* the last two are set without a new revision */
};

/* A conversation, and what the history has of it. */
struct kept_conversation {
	struct conversation *conversation; /* NULL: none */
	bool owned;                        /* only the keeper still needs it */
	int64_t row, leaf;                 /* of the conversation, and of its leaf there */
	char *key;
	struct history_conversation facts; /* its texts are owned; only those that keeper_facts() takes are set */
	bool facts_due;
	int64_t newest;                    /* the newest row of a turn of it that is known here */
	bool others;                       /* another program has added turns */
	struct kept *kept;                 /* of the turns, by their number */
	size_t kept_count, kept_capacity;
	bool behind;                       /* something is not written yet */
	bool gone;                         /* somebody deleted it: it is not kept any more */
	bool replaced;                     /* the file was recovered: rows may be missing */
	bool lost;                         /* and the conversation was not looked for there yet */
};

struct keeper {
	keeper_tell *tell;
	void *ctx;
	int patience_ms;
	struct history *history;           /* NULL: not open */

	struct kept_conversation now;      /* the one that goes on */
	struct kept_conversation *left;    /* those that were left before all of them was written, the oldest first */
	size_t left_count;
	int64_t due_ms;                    /* when to write */
	int64_t written_ms;                /* when it was written last */

	enum history_status status;        /* of the last operation */
	enum history_status looked;        /* of the last keeper_history() */
	char *trouble;                     /* told: what it is, and where; NULL: none */
	int64_t pause_ms, trouble_ms;      /* until the next try; since when there is trouble, told or not */
	bool was_tended;                   /* since the last success */

	struct child child;                /* the one that tends; its pid 0: none */
	int words;                         /* reads what it says; -1: closed */
	bool purge_next;
	bool told_recovered;               /* why the file is another one, since the last success */
};

void kept_conversation_fini(struct kept_conversation *c); /* leaves an empty one */
void keeper_work(struct keeper *k); /* writes all that is due now, if it can be written */

/* Writes some of what is due of the conversation that goes on, in one transaction. Clears `behind` if that is all. */
enum history_status keeper_write(struct keeper *k, struct error *err);
/* Finds the conversation again in a file that was replaced: rows that are lost are written anew. */
enum history_status keeper_find_again(struct keeper *k, struct error *err);
void keeper_forget_kept(struct keeper *k);
struct kept keeper_kept(const struct turn *t); /* the turn as it is now */
uint64_t keeper_characters(const struct turn *t); /* of its answer */
bool keeper_is_due(const struct keeper *k, const struct turn *t); /* a turn that keeper_write() would write */

/* --- keeper_left.c --- */

size_t keeper_find_left(const struct keeper *k, const struct conversation *c); /* its index; `left_count`: it was not left */
struct kept_conversation keeper_remove_left(struct keeper *k, size_t index);
enum history_status keeper_write_all_left(struct keeper *k, struct error *err);

/* --- keeper_trouble.c --- */

void keeper_heed(struct keeper *k, enum history_status status, const struct error *err); /* what an operation came to: tells it, sets the next try */
void keeper_is_in_trouble(struct keeper *k, const struct error *err);                    /* k->status is set */
void keeper_is_well(struct keeper *k);                                                   /* all is written */
int64_t keeper_wait_told_ms(const struct keeper *k);                                     /* when keeper_tell_wait() is due */
void keeper_tell_event(struct keeper *k, const char *sentence);

/* --- keeper_words.c --- */

/* What the trouble is and where, in words for the user. `err` is that of the history. */
void keeper_reason(enum history_status status, const struct error *err, struct error *reason);
const char *keeper_work_of_child(enum history_status status); /* what the child does for a file with that status, as a reason */
const char *keeper_advice(enum history_status status); /* a sentence without a full stop; NULL: the reason says it */
void keeper_shorten_paths(struct error *sentence);     /* "~/" in place of the home folder */

/* --- keeper_tend.c --- */

/* Starts the child. It leaves KEEPER_TEND to others that do it already, else it waits for its turn. False: it cannot be started. */
bool keeper_tend_start(struct keeper *k, enum keeper_errand errand, struct error *err);
/* Whether it has ended just now, and how. `err` has what it said, "" if nothing. */
bool keeper_tend_has_ended(struct keeper *k, enum history_status *status, struct error *err);
/* The child goes on by itself. What it has said is told. */
void keeper_tend_leave(struct keeper *k);
static inline bool keeper_is_tending(const struct keeper *k)
{
	return k->child.pid != 0;
}
/* Nothing can be read or written before it has ended. */
static inline bool keeper_waits_for_child(const struct keeper *k)
{
	return keeper_is_tending(k) && !k->history;
}

#endif
