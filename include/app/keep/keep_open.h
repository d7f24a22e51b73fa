/*
 * Resume: opens a stored conversation in the session, with its target, system prompt, parameters, tools, schema and role.
 *
 * A conversation that was left and is not written yet is opened as it is in memory. Else, what is shown first is read at once: the end of the path. The rest is read in the loop while nothing else is to be done, or by
 * resume_finish(). Until then a turn that was not read has no parts.
 *
 * A turn that was being written when its program ended is read as one that was cut, so that it can be continued; its tape is taken in where
 * it holds more (app/keep/resume_tape.c).
 */
#ifndef WEIR_APP_RESUME_H
#define WEIR_APP_RESUME_H

#include "app/session/session.h"
#include "app/keep/writer.h"

struct resume; /* heap */

/*
 * tell(): what is to be known about what was opened, such as a provider that is not there any more. A sentence; not safe for a terminal.
 * resumed(): a conversation that had to wait is open; false: it cannot be opened, which was told.
 */
struct resume_ways {
	void (*tell)(void *ctx, const char *sentence);
	void (*resumed)(void *ctx, bool good);
	void *ctx;
};

/* Borrows all of them for its lifetime. What opens a conversation is told to the session's watch (app/session/session.h), as app/keep/keep.h has one. */
struct resume *resume_new(struct setup *setup, struct session *session, struct writer *writer, const struct resume_ways *ways);
void resume_free(struct resume *r); /* NULL is allowed */

/*
 * Opens the conversation with that row in place of the current one, which is kept first. Fails while an answer runs or while the history
 * cannot be read; then nothing has changed.
 */
MUST_USE bool resume_open(struct resume *r, int64_t row, struct error *err);
/*
 * The same by name: "last", a place in the list, a key or its beginning. If the history must be migrated or recovered first, this fails with a
 * sentence that says so, and the loop opens the conversation when that is done, unless resume_stop_waiting() is called before.
 */
MUST_USE bool resume_open_named(struct resume *r, struct str name, struct error *err);
bool resume_waits(const struct resume *r);
void resume_stop_waiting(struct resume *r);

/* Reads what is missing. On false some turns could not be read: `err` says why, and nothing may be sent. */
MUST_USE bool resume_finish(struct resume *r, struct error *err);

/* The loop's member that reads the rest. */
struct loop_member resume_member(struct resume *r);

#endif
