/*
 * What the writer's files share: writer.c (driving), writer_write.c (what is written), writer_left.c (conversations that were left),
 * writer_trouble.c (when it cannot be written), writer_words.c (what it says about that) and writer_maintain.c (the process that maintains).
 */
#ifndef WEIR_APP_WRITER_INSIDE_H
#define WEIR_APP_WRITER_INSIDE_H

#include "app/keep/writer.h"
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
	bool owned;                        /* only the writer still needs it */
	int64_t row, leaf;                 /* of the conversation, and of its leaf there */
	char *key;
	struct history_conversation facts; /* its texts are owned; only those that writer_describe() takes are set */
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

struct writer {
	writer_tell *tell;
	void *ctx;
	int patience_ms;
	struct history *history;           /* NULL: not open */

	struct kept_conversation now;      /* the one that goes on */
	struct kept_conversation *left;    /* those that were left before all of them was written, the oldest first */
	size_t left_count;
	int64_t due_ms;                    /* when to write */
	int64_t written_ms;                /* when it was written last */

	enum history_status status;        /* of the last operation */
	enum history_status looked;        /* of the last writer_history() */
	char *trouble;                     /* told: what it is, and where; NULL: none */
	int64_t pause_ms, trouble_ms;      /* until the next try; since when there is trouble, told or not */
	bool was_maintained;                   /* since the last success */

	struct child child;                /* the one that maintains; its pid 0: none */
	int words;                         /* reads what it says; -1: closed */
	bool purge_next;
	bool told_recovered;               /* why the file is another one, since the last success */
};

void kept_conversation_fini(struct kept_conversation *c); /* leaves an empty one */
void writer_work(struct writer *w); /* writes all that is due now, if it can be written */

/* Writes some of what is due of the conversation that goes on, in one transaction. Clears `behind` if that is all. */
enum history_status writer_write(struct writer *w, struct error *err);
/* Finds the conversation again in a file that was replaced: rows that are lost are written anew. */
enum history_status writer_find_again(struct writer *w, struct error *err);
struct kept writer_kept(const struct turn *t); /* the turn as it is now */
uint64_t writer_characters(const struct turn *t); /* of its answer */
bool writer_is_due(const struct writer *w, const struct turn *t); /* a turn that writer_write() would write */

/* --- writer_left.c --- */

size_t writer_find_left(const struct writer *w, const struct conversation *c); /* its index; `left_count`: it was not left */
struct kept_conversation writer_remove_left(struct writer *w, size_t index);
enum history_status writer_write_all_left(struct writer *w, struct error *err);

/* --- writer_trouble.c --- */

void writer_heed(struct writer *w, enum history_status status, const struct error *err); /* what an operation came to: tells it, sets the next try */
void writer_is_in_trouble(struct writer *w, const struct error *err);                    /* w->status is set */
void writer_is_well(struct writer *w);                                                   /* all is written */
int64_t writer_wait_told_ms(const struct writer *w);                                     /* when writer_tell_wait() is due */
void writer_tell_event(struct writer *w, const char *sentence);

/* --- writer_words.c --- */

/* What the trouble is and where, in words for the user. `err` is that of the history. */
void writer_reason(enum history_status status, const struct error *err, struct error *reason);
const char *writer_work_of_child(enum history_status status); /* what the child does for a file with that status, as a reason */
const char *writer_advice(enum history_status status); /* a sentence without a full stop; NULL: the reason says it */
void writer_shorten_paths(struct error *sentence);     /* "~/" in place of the home folder */

/* --- writer_maintain.c --- */

/* Starts the child. It leaves WRITER_MAINTAIN to others that do it already, else it waits for its turn. False: it cannot be started. */
bool writer_maintain_start(struct writer *w, enum writer_errand errand, struct error *err);
/* Whether it has ended just now, and how. `err` has what it said, "" if nothing. */
bool writer_maintain_has_ended(struct writer *w, enum history_status *status, struct error *err);
/* The child goes on by itself. What it has said is told. */
void writer_maintain_leave(struct writer *w);
static inline bool writer_is_maintaining(const struct writer *w)
{
	return w->child.pid != 0;
}
/* Nothing can be read or written before it has ended. */
static inline bool writer_waits_for_child(const struct writer *w)
{
	return writer_is_maintaining(w) && !w->history;
}

#endif
