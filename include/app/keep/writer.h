/*
 * The writer: keeps one conversation at a time in the history (store/history/history.h) while it goes on. It knows no screen: `weir ask` and the chat
 * drive it.
 *
 * It owns the open history and the row of the conversation, and borrows the conversation. It sees by itself what has changed there: turns
 * that are new, grew or ended, labels, removals and what was restored, the leaf. `turn->stored`, the row of a turn, is set here.
 *
 * A conversation is begun with its first turn and its title is made of its first prompt. New turns and the end of an answer are written at
 * the next writer_run(), an answer that grows at most once in WRITER_PAUSE_MS, or when a million characters wait. A write is a write into the
 * WAL, without a sync.
 *
 * An error (a full disk, a locked or damaged file ...) is shown once, as a sentence. The conversation goes on in memory, the writer tries
 * again at growing intervals, and then writes all that is missing, also of conversations that were left meanwhile. What takes long (creating,
 * migrating, recovering and maintaining the file) is done by this program run as another process; only writer_settle() waits for it.
 */
#ifndef WEIR_APP_WRITER_H
#define WEIR_APP_WRITER_H

#include "app/system/loop.h"
#include "store/maintain/maintain.h"

struct conversation;

#define WRITER_PAUSE_MS 1000

struct writer; /* heap */

/*
 * Told once when conversations cannot be kept (what it is, where, what to try), when they are again, and when something happened to the file
 * or to the conversation. A sentence without a full stop, which may hold file names; it is not safe for a terminal.
 */
enum writer_news { WRITER_TROUBLE, WRITER_WELL, WRITER_EVENT };
typedef void writer_tell(void *ctx, enum writer_news news, const char *sentence);

/* `patience_ms`: how long a write may wait for other programs; 0 in the event loop of the chat. Does nothing else yet. */
struct writer *writer_new(int patience_ms, writer_tell *tell, void *ctx);
/* Writes nothing: call writer_settle() first. A child that maintains goes on by itself, but recovers no damaged file: nobody would be told. */
void writer_free(struct writer *w); /* NULL is allowed */
/* The same for a program that may wait for the disk: moves what was written from the WAL into the file (history_finish()). */
void writer_finish(struct writer *w); /* NULL is allowed */

/* --- what is kept --- */

/*
 * The conversation to keep from now on, borrowed until the next call; NULL: none, nothing more is kept (a private chat). The one before is
 * written first, as far as that works at once, and then is forgotten. `row` is its row in the history, and its turns with a row are as they
 * are there; 0: it is not stored, and is begun as a new one with its first turn. One that was left, and is not written yet, goes on as it was.
 */
void writer_take(struct writer *w, struct conversation *c, int64_t row);
/*
 * The conversation is left for another one: what of it is not written yet is written when that works, and it is borrowed until then. Its
 * `stored` is set. Before its owner frees it, writer_release(): false, the writer has taken it over and frees it when it is written.
 */
void writer_leave(struct writer *w);
MUST_USE bool writer_release(struct writer *w, struct conversation *c);
/* The conversation with that row that was left and is not written yet, if it is the writer's: it is the caller's now. NULL: there is none. */
struct conversation *writer_reclaim(struct writer *w, int64_t row);
/*
 * What is to be known of the conversation besides its turns: title and who made it, system prompt, parameters, tools, schema. Copied. NULL
 * members stay as they were. Kept with the next write.
 */
void writer_describe(struct writer *w, const struct history_conversation *facts);
/* Another program has added turns to the conversation, as far as it was seen when a new one was written here (app/keep/foreign_turns.h). */
bool writer_has_foreign_turns(const struct writer *w);
void writer_knows_foreign_turns(struct writer *w); /* they are in the conversation now */
/* The turn was read from the history after writer_take(): it is as it is there. */
void writer_trust(struct writer *w, const struct turn *t);
/* Something in the conversation has changed. Cheap; the writer runs when it is due. */
void writer_note(struct writer *w);

int64_t writer_row(const struct writer *w);         /* of the conversation; 0: it is not stored yet */
const char *writer_key(const struct writer *w);     /* its id for users; NULL: it is not stored yet */
const char *writer_trouble(const struct writer *w); /* what it is and where, while conversations cannot be kept; NULL: they can */
/* What is not written yet because something is waited for is trouble from now on. writer_run() says so after a few seconds. */
void writer_tell_wait(struct writer *w);
bool writer_is_behind(const struct writer *w);      /* something of a conversation is not written yet */
/* Those of which something is not written yet, the one that goes on last; NULL: there are no more. Borrowed. */
const struct conversation *writer_unwritten(const struct writer *w, size_t index);
/* Adds a note for the reader to a turn (NOTE_OF_RUN), which is not written because of that. */
void writer_add_note(struct writer *w, struct turn *t, struct str sentence);

/*
 * The open history, for lists, searches and for changing other conversations; NULL while it cannot be used. Borrowed until the loop runs
 * the writer again. If the file must be migrated or recovered first, that begins: writer_preparation(). An operation that failed is passed
 * to writer_failed(), which has the file recovered or opened again if that is what the status asks for. That something cannot be written is
 * told by the caller.
 */
struct history *writer_history(struct writer *w);
struct history *writer_history_or(struct writer *w, struct error *why); /* with a sentence, why there is none */
void writer_failed(struct writer *w, enum history_status status, const struct error *err);
/*
 * What is waited for while writer_history() fails, and soon will not: the file is migrated or recovered, or another program is in the way for
 * a moment. NULL: something else is wrong, or nothing is.
 */
const char *writer_preparation(const struct writer *w);

/* --- driving it --- */

/* The loop's member. writer_run() writes what is due. */
struct loop_member writer_member(struct writer *w);
size_t writer_fds(void *writer, struct pollfd *fds, size_t room);
int64_t writer_deadline(void *writer);
void writer_run(void *writer, const struct pollfd *fds, size_t count, int64_t now_ms);

/* Writes all that is missing, and waits for that at most `limit_ms`. Blocks: at the end of the program, or before `ask` sends. */
bool writer_settle(struct writer *w, int64_t limit_ms);

/*
 * Starts the process that maintains the file (store/maintain/maintain.h). Call it when nothing else is to be done. `purge`: what is hidden is
 * deleted for good, with its tapes, and cannot be restored. While such a child runs it starts no other one, but a purge follows.
 */
void writer_maintain(struct writer *w, bool purge);
bool writer_wants_maintenance(const struct writer *w);  /* it should not wait for long */

/* --- the process that maintains --- */

#define WRITER_MAINTAIN_WORD "--tend-history" /* the first argument */
#define WRITER_MAINTAIN_FAILED 64 /* the exit status of a failure is this, and its history_status added */
/* If the arguments are those of that process, does its work and ends the process. Called by main(). */
void writer_maintain_run(int argc, char **argv);
/*
 * The same work in this process, which must not have the file open. Waits for other programs that maintain it. A note on standard error says that
 * the file was recovered. An interrupt ends the process. `left` (NULL: not wanted): maintain_result.left.
 */
enum writer_errand {
	WRITER_MAINTAIN,
	WRITER_PREPARE, /* makes it usable, and leaves the rest to a later one */
	WRITER_REPAIR,  /* reads the whole file, else the same */
	WRITER_PURGE,   /* deletes for good what is hidden, with its tapes; in this process it leaves the rest, too */
};
enum history_status writer_maintain_here(enum writer_errand errand, bool *left, struct error *err);

#endif
