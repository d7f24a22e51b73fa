/*
 * What a session asks: prompts, sent or queued while an answer is under way, the files attached to the next one, and results of tool calls
 * (session_prompts.c, session_attached.c, session_results.c). Conventions: session.h.
 */
#ifndef WEIR_APP_SESSION_PROMPTS_H
#define WEIR_APP_SESSION_PROMPTS_H

#include "app/session/session.h"
#include "chat/conversation/meter.h"

struct mentioned;

/* --- prompts --- */

/*
 * Sends a prompt, with the files attached so far, to the setup's target, or queues it while an answer is under way. If the queue is not
 * empty, the prompt is queued, too, and the oldest one is sent. A prompt that takes the place of an edited or refused one is sent before
 * the queue. On false nothing was queued, but the prompt may be in the conversation, unanswered.
 */
MUST_USE bool session_send(struct session *s, struct str prompt, struct error *err);
/* Sends the oldest queued prompt. There must be one, and no answer under way. */
MUST_USE bool session_send_waiting(struct session *s, struct error *err);

unsigned session_queued(const struct session *s);        /* number of queued prompts */
/* The text of a queued prompt, borrowed until the queue changes; 0 is the oldest. `files`: the number of files attached to it. */
struct str session_queued_at(const struct session *s, size_t index, size_t *files);
MUST_USE bool session_can_unqueue(const struct session *s, struct error *err);
/* Remove prompts from the queue and return their text, heap: all, one a line; or the newest, of which there must be one. The files stay attached. */
char *session_take_queued(struct session *s);
char *session_take_last_queued(struct session *s);

/*
 * The prompt of the last turn if it was refused before its answer began, to put it back into an empty input; its files are attached again.
 * Borrowed from the turn. STR_NONE: there is none, or it was returned before.
 */
struct str session_take_refused(struct session *s);
void session_find_refused(struct session *s);            /* at another session_place(): its last turn may have been refused, too */
void session_leave_refused(struct session *s);           /* call when that prompt was cleared: the next prompt does not replace it */

/* --- files for the next prompt --- */

MUST_USE bool session_attach(struct session *s, const char *path, struct error *err);
void session_attach_bytes(struct session *s, struct str bytes, const char *name, const char *media); /* copies all arguments */
/* Attaches each file that is named (app/setup/context.h), once; nothing of a folder or an address. */
MUST_USE bool session_attach_context(struct session *s, const struct mentioned *c, struct error *err);
/* The same of a typed @WORD (app/setup/mention.h). One that names nothing is a word: true, and nothing is attached. */
MUST_USE bool session_attach_mentioned(struct session *s, struct str word, struct error *err);
bool session_has_attached(const struct session *s, const char *path);
size_t session_attached(const struct session *s);        /* number of attached files */
const struct part *session_attached_at(const struct session *s, size_t index); /* borrowed until it changes; its name may be a path */
bool part_is_text_file(const struct part *attached);
void session_estimate_attached(const struct session *s, struct estimate *e); /* adds the text files among them */
void session_detach(struct session *s);                  /* detaches all of them */

/* --- results of tool calls --- */

/*
 * The first call at or after `*call` that waits for a result of the user; sets `*call` to its index. NULL: none. Incomplete calls and those that
 * run here (session_runs.h) never wait.
 */
const struct part *session_waiting_call(const struct session *s, unsigned *call);
MUST_USE bool session_can_answer(const struct session *s, struct error *err); /* a call waits, for a result or a word, or results wait */
void session_answer_call(struct session *s, unsigned call, struct str result, bool is_error); /* records a result, in place of an earlier one */
void session_skip_call(struct session *s, unsigned call); /* records that the user chose not to run it, or that there is no such tool */
/*
 * Sends all recorded results; calls without one are sent as not run. Fails if there is none, or while an answer is under way. While other calls
 * of the answer run or wait for a word, the results are sent with theirs.
 */
MUST_USE bool session_send_results(struct session *s, struct error *err);

#endif
