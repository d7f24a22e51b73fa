/*
 * Keep: the door to stored conversations for a chat. It joins the session with the history (store/history/history.h): what is said is stored
 * by the writer (app/keep/writer.h), stored conversations are opened in the session, listed and changed, and nothing is stored while the chat
 * is private. It also has the history maintained while nothing else is to be done.
 *
 * A conversation that was private for a while, and in which something was said then, is never stored again: only what was stored before.
 *
 * Sentences have no full stop and are not safe for a terminal. A replay has no struct keep: where NULL is allowed, it says so.
 */
#ifndef WEIR_APP_KEEP_H
#define WEIR_APP_KEEP_H

#include "app/system/loop.h"
#include "store/history/history.h"

struct keep; /* heap */
struct session;
struct setup;

/*
 * tell() shows a sentence; with noted() it becomes a note at the end of the last turn instead, if there is one, and noted() says that there is
 * a new one (NULL: sentences are only shown). entered(): the session has another conversation now. resumed(): the conversation that had to wait
 * for the history is open; false: it cannot be, which was told. toggled(): a private time began or ended (NULL: nobody is told).
 */
struct keep_ways {
	void (*tell)(void *ctx, const char *sentence);
	void (*noted)(void *ctx);
	void (*entered)(void *ctx);
	void (*resumed)(void *ctx, bool good);
	void (*toggled)(void *ctx);
	void *ctx;
};

/* Borrows setup and session, and watches the session, until keep_free(). */
struct keep *keep_new(struct setup *setup, struct session *session, const struct keep_ways *ways);
/* Writes what is missing, waiting a short time at most, and has the history maintained by another process. NULL is allowed. */
void keep_free(struct keep *k);

/* The loop's member: writes, reads what is missing of an opened conversation, looks for turns of other programs. */
struct loop_member keep_member(struct keep *k);

/* --- the current conversation --- */

/* "private", "not kept" or "waiting": it is not stored, or not now, or is not there yet; NULL: it is. */
const char *keep_unkept(const struct keep *k);
/* Tells what the user should know about the history or the conversation. */
void keep_say(struct keep *k, const char *sentence);
/*
 * True: something that was said is not in the history, and quitting would lose it. Tries once more to write it, then writes what to do. NULL is
 * allowed.
 */
bool keep_would_lose(struct keep *k, struct error *sentence);
/* Begins or ends a private time. Writes a sentence about what happens to the conversation. */
void keep_toggle_private(struct keep *k, struct error *sentence);
/* A model wrote a title. Replaces the one made of the prompt, not one that the user wrote. NULL is allowed. */
void keep_title(struct keep *k, const char *title);

/* --- opening another one --- */

/*
 * Opens the conversation with that row in place of the current one, which is stored first. Its end is read at once, the rest in the loop or by
 * keep_read_all(); a turn that was not read has no parts. Fails while an answer runs or while the history cannot be read; then nothing has
 * changed.
 *
 * A turn that was being written when its program ended is read as one that was cut, so that it can be continued; its tape is read where it
 * holds more (app/keep/resume_tape.h).
 */
MUST_USE bool keep_open(struct keep *k, int64_t row, struct error *err);
/*
 * The same by name: "last", a place in the list, a key or its beginning. If the history must be migrated or recovered first, this fails with a
 * sentence that says so, and the loop opens the conversation when that is done.
 */
MUST_USE bool keep_open_named(struct keep *k, struct str name, struct error *err);
bool keep_is_waiting(const struct keep *k); /* the loop will open one */
/* Reads what is missing. False: some turns could not be read; `err` says why, and nothing may be sent. */
MUST_USE bool keep_read_all(struct keep *k, struct error *err);

struct turn *keep_turn(const struct keep *k, int64_t node); /* of the current conversation; NULL: it has none with that row */

/* --- listing and changing stored ones --- */

/* The open history, borrowed until the loop runs again; NULL, with a sentence, while there is none. NULL is allowed. */
struct history *keep_history(const struct keep *k, struct error *err);
bool keep_is_preparing(const struct keep *k); /* keep_history() failed, and soon will not (writer_preparation()). NULL is allowed */
/* True for HISTORY_OK. Any other status of an operation on keep_history() but HISTORY_GONE is passed to the writer, which has it repaired. */
bool keep_good(const struct keep *k, enum history_status status, const struct error *err);
int64_t keep_current(const struct keep *k); /* the row of the current conversation; 0: it is not stored. NULL is allowed */

/* Each waits a moment for another program that writes. False, with a sentence: nothing has changed. */
/* `row` 0: the current conversation, which has no row yet: it begins with that title. */
MUST_USE bool keep_rename(const struct keep *k, int64_t row, struct str title, struct error *err);
MUST_USE bool keep_read_title(const struct keep *k, int64_t row, struct buf *title, struct error *err); /* appends it */
MUST_USE bool keep_pin(const struct keep *k, int64_t row, bool pinned, struct error *err);
MUST_USE bool keep_save(const struct keep *k, int64_t row, struct str path, struct error *err); /* into a file */

/*
 * Hides a conversation that is not the current one; it is deleted for good at the end. `removals` is the number of removals in the current
 * conversation so far (session_removals()): /undo brings back what was removed last.
 */
MUST_USE bool keep_delete(struct keep *k, int64_t row, size_t removals, struct error *err);
bool keep_has_deleted(const struct keep *k);                 /* keep_undo() has something to bring back. NULL is allowed */
bool keep_undoes(const struct keep *k, size_t removals);     /* the last removal is that of a conversation. NULL is allowed */
MUST_USE bool keep_undo(struct keep *k, struct error *err);  /* after keep_has_deleted() only */

#endif
