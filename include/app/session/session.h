/*
 * A session: the conversation and its running exchange. It does not know a screen: the full screen and the linear mode drive it, in a
 * chat or a replay.
 *
 * It owns the conversation, the running exchange with its render queue, and copies of the tools and the schema. Deltas wait in the
 * render queue until session_drain(), once per frame. One exchange runs at a time; prompts sent meanwhile are queued.
 */
#ifndef WEIR_APP_SESSION_H
#define WEIR_APP_SESSION_H

#include "app/setup/setup.h"
#include "chat/conversation/conversation.h"
#include "chat/exchange/exchange.h"
#include "chat/player/player.h"

struct session; /* heap */

/* Called from session_drain() when a turn has ended and is complete in the conversation. */
typedef void session_ended(void *ctx, struct turn *turn);

/*
 * Who keeps the conversation; all members may be NULL. leave(): the conversation is about to be replaced, or freed. `drop`: it was undone
 * and goes. release(): the session needs it no more; false: the watch has taken it over and frees it. enter(): there is another one.
 * complete(): reads the turns that session_take() left out, called before something is sent; false, with a sentence: they cannot be read now.
 */
struct session_watch {
	void (*leave)(void *ctx, bool drop);
	bool (*release)(void *ctx, struct conversation *c);
	void (*enter)(void *ctx);
	bool (*complete)(void *ctx, struct error *err);
	void *ctx;
};

/* `setup` may be NULL for a replay, `ended` always. */
struct session *session_new(struct setup *setup, session_ended *ended, void *ctx);
void session_free(struct session *s);

void session_watch(struct session *s, const struct session_watch *watch); /* copied */

struct conversation *session_conversation(struct session *s);
uint64_t session_changes(const struct session *s);       /* increases with every change of the conversation */
MUST_USE bool session_is_whole(struct session *s, struct error *err); /* all turns of a stored conversation are read, or are now */
void session_note_change(struct session *s);             /* for those who change turns themselves */
void session_label(struct session *s, struct turn *turn, struct str label); /* turn_label() */
uint64_t session_number(const struct session *s);        /* another one for every conversation that it has had */
struct turn *session_live(const struct session *s);      /* the running turn; NULL: none */
struct turn *session_last_answer(const struct session *s); /* the newest answer, including a running one; NULL: none */
struct exchange *session_exchange(const struct session *s); /* of the running answer; NULL: none, or a replay */
struct player *session_player(const struct session *s);  /* of a replay; NULL: it is not one */
unsigned session_queued(const struct session *s);        /* number of queued prompts */
/* The text of a queued prompt, borrowed; 0 is the oldest. `files`: the number of files attached to it. */
struct str session_queued_at(const struct session *s, size_t index, size_t *files);
/* Removes all prompts from the queue and returns them, one per line; heap. Their files go to the next prompt. */
char *session_take_queued(struct session *s);
/* The same for the newest prompt only. The queue must not be empty. */
char *session_take_last_queued(struct session *s);

/*
 * Sends a prompt, with the files attached so far, to the setup's target, or queues it while a turn runs. If the queue is not empty, the
 * prompt is also queued and the oldest one is sent. A prompt that replaces another (an edited or refused one) is sent before the queue.
 */
MUST_USE bool session_send(struct session *s, struct str prompt, struct error *err);
MUST_USE bool session_send_waiting(struct session *s, struct error *err); /* the oldest one in line; there is one, and no answer runs */
MUST_USE bool session_attach(struct session *s, const char *path, struct error *err);
void session_attach_bytes(struct session *s, struct str bytes, const char *name, const char *media); /* copies all arguments */
/* Attaches the file of a typed @PATH (app/setup/mention.h), once. A path that names no file is a word; nothing happens. */
MUST_USE bool session_attach_mentioned(struct session *s, struct str path, struct error *err);
bool session_has_attached(const struct session *s, const char *path); /* the file is attached to the next prompt */
size_t session_attached(const struct session *s);        /* number of files attached to the next prompt */
void session_estimate_attached(const struct session *s, struct estimate *e); /* adds the text files among them */
const struct part *session_attached_at(const struct session *s, size_t index); /* one of them; its name may be a path. Borrowed */
void session_detach(struct session *s);                  /* detaches all of them */
/*
 * Asks again, with the current target, for an answer of the path: the new one is its sibling. `turn` may also be the question; NULL: the
 * last turn.
 */
MUST_USE bool session_retry(struct session *s, struct turn *turn, struct error *err);
/*
 * How many prompts stand in the branch that the path left: while a changed prompt or another answer to an earlier one is under way, and in
 * the callback of its end. 0: none.
 */
unsigned session_left(const struct session *s);
/* Continues the last answer, which broke off, with a second request (chat/exchange/continuation.h). The target must be the one it came from. */
MUST_USE bool session_continue(struct session *s, struct error *err);
/*
 * Sends the request of an answer of the path again, with `body` in place of its JSON, byte for byte (session_edited.c). The new answer is its
 * sibling, with a note that says so. The target must have the answer's provider and protocol. The body must be JSON: on false, `err` says
 * where it is not. session_can_send_edited() tells whether the rest is as it should be.
 */
MUST_USE bool session_can_send_edited(const struct session *s, const struct turn *answer, struct error *err);
MUST_USE bool session_send_edited(struct session *s, struct turn *answer, struct str body, struct error *err);
/*
 * Returns a prompt for editing and attaches its files: the question at or above `turn` of the path; NULL: the last one. The next prompt
 * becomes its sibling.
 */
MUST_USE bool session_edit(struct session *s, const struct turn *turn, struct str *prompt, struct error *err);
const struct turn *session_edited(const struct session *s); /* the question that is being edited; NULL: none is */
bool session_is_editing(const struct session *s);
void session_leave_edit(struct session *s);              /* cancels editing; nothing is changed */
/*
 * Branches (session_tree.c). All fail while an answer runs or a prompt is being edited. session_select() leads the path through a turn. session_remove() removes a
 * turn with all below it. session_copy() goes on in a new conversation, a copy of the turns up to `end`. session_undo() takes back the
 * last removal, else the copy if nothing was asked in it; `back` is the turn that is there again, NULL after a copy.
 */
MUST_USE bool session_select(struct session *s, struct turn *turn, struct error *err);
MUST_USE bool session_remove(struct session *s, struct turn *turn, struct error *err);
MUST_USE bool session_copy(struct session *s, const struct turn *end, struct error *err);
/* How much session_undo() could take back. */
size_t session_removals(const struct session *s);
MUST_USE bool session_undo(struct session *s, struct turn **back, struct error *err);

/*
 * Several answers to one question at once (session_beside.c), which app/compare/compare.h drives. session_ask_in_parallel() adds a question, or finds the
 * last one if `prompt` is empty; nothing is sent. Whoever then adds answers below it holds the session until they are over: it is busy, and
 * what is_free() fails for fails. halt() is called when the conversation is about to be replaced: the answers end there.
 */
struct session_holder { void (*halt)(void *ctx); void *ctx; };
void session_hold(struct session *s, const struct session_holder *holder); /* copied; NULL: not any more */
bool session_is_held(const struct session *s);
bool session_is_busy(const struct session *s);           /* an answer is under way, or several are */
MUST_USE bool session_is_idle(const struct session *s, struct error *err); /* not busy, and no prompt is queued */
MUST_USE bool session_ask_in_parallel(struct session *s, struct str prompt, struct turn **question, struct error *err);
unsigned session_count_tape(struct session *s);          /* the number of tapes before the one that is made next */

/*
 * Compacting (session_compact.c): older turns are replaced by a summary in a new branch, and stay as they are in theirs. The target is asked
 * for a summary of all turns of the path before the last exchange, and answers as the first answer of the branch: a new first question, a
 * sibling of the first one, is what it was asked, with `words`, which say what to keep above all. When it has ended well, copies of the last
 * exchange follow it, which took nothing, and the path leads there: later requests send the summary in place of the turns. If it is stopped
 * or fails, the path leads where it did before, and what arrived stays as a branch. A note of the answer tells what came of it.
 * The last exchange begins with the last question that has words and no results of tools. The request has no schema.
 */
MUST_USE bool session_compact(struct session *s, struct str words, struct error *err);
/* Fails while an answer runs or a prompt is being edited, and where there is nothing before the last exchange but a summary. */
MUST_USE bool session_can_compact(const struct session *s, struct error *err);
bool session_is_summary(const struct turn *t);           /* a question that asked for a summary, or its answer */
int64_t session_compact_tokens(const struct session *s); /* estimated tokens of the turns that would be sent to be summarised */

/*
 * Records the result of a tool call of the last turn. session_send_results() sends all results that were recorded; calls without a
 * result are sent as not run.
 */
void session_answer_call(struct session *s, unsigned call, struct str result, bool is_error);
void session_skip_call(struct session *s, unsigned call); /* records that the user chose not to run it */
/* The first call at or after `*call` that waits for a result; sets `*call` to its index. NULL: none. Incomplete calls never wait. */
const struct part *session_waiting_call(const struct session *s, unsigned *call);
MUST_USE bool session_send_results(struct session *s, struct error *err);
/* Whether there is something to act on; on false, `err` says what is missing. */
MUST_USE bool session_can_stop(const struct session *s, struct error *err); /* an answer, queued prompts or editing */
MUST_USE bool session_can_retry(const struct session *s, struct error *err);
MUST_USE bool session_can_continue(const struct session *s, struct error *err);
MUST_USE bool session_can_edit(const struct session *s, struct error *err);
MUST_USE bool session_can_answer(const struct session *s, struct error *err);
MUST_USE bool session_can_unqueue(const struct session *s, struct error *err);
MUST_USE bool session_has_answer(const struct session *s, struct error *err);
MUST_USE bool session_has_turns(const struct session *s, struct error *err);
/* Ends the running turn as cancelled. What was received is kept; queued prompts stay queued. */
void session_stop(struct session *s);
void session_forget(struct session *s);                  /* stops a running turn and starts a new conversation */
void session_halt(struct session *s);                    /* stops a running turn; what has arrived of it is in the conversation */
/*
 * Goes on in another conversation, which the session owns from then on. `partly`: some of its turns are not read yet; complete() is called
 * before one of them is sent, edited or copied. Fails while an answer runs.
 */
MUST_USE bool session_take(struct session *s, struct conversation *c, bool partly, struct error *err);
bool session_is_partly(const struct session *s);
void session_is_read(struct session *s);                 /* all turns of it are read */

/*
 * Plays a tape instead of sending requests. Whoever moves the player calls session_drain(): the answer is the running one again if it has
 * not ended there.
 */
void session_replay(struct session *s, const struct tape *tape, const struct stream_options *stream, int status, double speed);

bool session_has_news(const struct session *s);          /* deltas are waiting for the next frame */

/* Moves the deltas decoded since the last frame into the conversation. True if something changed. */
bool session_drain(struct session *s);

/*
 * Returns the prompt of a turn that was refused before its stream began, to put it back into an empty input, and attaches its files
 * again. Works once per turn; STR_NONE otherwise. Borrowed.
 */
struct str session_take_refused(struct session *s);
void session_leave_refused(struct session *s);           /* call when that prompt was cleared: the next prompt does not replace it */

/* The loop's member that drives the exchange. */
struct loop_member session_member(struct session *s);

#endif
