/*
 * A session: the conversation and what runs in it. No screen here: the full-screen chat and the replay drive it and read it.
 *
 * It owns the conversation, the exchange in flight and its render queue, the tools and the schema. Deltas wait in the
 * queue until session_drain(), once a frame. One exchange runs at a time; a prompt sent meanwhile waits in line.
 */
#ifndef WEIR_APP_SESSION_H
#define WEIR_APP_SESSION_H

#include "app/setup.h"
#include "chat/conversation.h"
#include "chat/exchange.h"

struct session; /* heap */

/* `ended` is called from session_drain() when a turn has ended and all of it is in the conversation. */
typedef void session_ended(void *ctx, struct turn *turn);

struct session *session_new(struct setup *setup, session_ended *ended, void *ctx);
void session_free(struct session *s);

struct conversation *session_conversation(struct session *s);
struct turn *session_live(const struct session *s);      /* the turn under way, NULL when none */
struct turn *session_last_answer(const struct session *s); /* the newest answer, one under way too; NULL when there is none */
struct exchange *session_exchange(const struct session *s);
unsigned session_queued(const struct session *s);        /* prompts in line */
struct str session_queued_at(const struct session *s, size_t index, size_t *files); /* 0 the oldest; borrowed. The files that go with it */
char *session_take_queued(struct session *s);            /* all out of the line, a row each; heap. Their files wait for the next prompt */
char *session_take_last_queued(struct session *s);       /* the same of the newest one; there is one */

/*
 * Sends a prompt (and the files attached so far) to the setup's target, or puts it in line while a turn runs. Behind prompts in line it
 * waits, too, and the oldest one is sent; but one that takes the place of another (edited, refused) goes before them.
 */
MUST_USE bool session_send(struct session *s, struct str prompt, struct error *err);
MUST_USE bool session_attach(struct session *s, const char *path, struct error *err);
/* The file that a typed @PATH of a prompt names (app/mention.h), once; a path that names none is a word and nothing happens. */
MUST_USE bool session_attach_mentioned(struct session *s, struct str path, struct error *err);
bool session_has_attached(const struct session *s, const char *path); /* it waits for the next prompt */
size_t session_attached(const struct session *s);        /* files that wait for the next prompt */
void session_detach(struct session *s);                  /* all of them */
/* Sends the last prompt again to the present target; the answer that was there is superseded. */
MUST_USE bool session_retry(struct session *s, struct error *err);
/* The last answer, which broke off, goes on in a second request (chat/continuation.h); whom it came from must be the target. */
MUST_USE bool session_continue(struct session *s, struct error *err);
/* The last prompt, to be edited, with its files attached: the next one that is sent takes its place, and supersedes what came of it. */
MUST_USE bool session_edit(struct session *s, struct str *prompt, struct error *err);
bool session_is_editing(const struct session *s);
void session_leave_edit(struct session *s);              /* all stays as it was */
/* Results of the last turn's calls, gathered by session_answer_call(), go back; calls without one go back as not run. */
void session_answer_call(struct session *s, unsigned call, struct str result, bool is_error);
void session_skip_call(struct session *s, unsigned call); /* by the user's choice */
/* The first call from `*call` on that waits for a result, and its index; NULL when none does. Calls that are not whole never wait. */
const struct part *session_waiting_call(const struct session *s, unsigned *call);
MUST_USE bool session_send_results(struct session *s, struct error *err);
void session_stop(struct session *s);                    /* Esc: the turn ends as cancelled; what came is kept. Prompts in line stay */
void session_forget(struct session *s);                  /* a new conversation; stops what runs */

/* Starts a replay instead of a request. */
void session_replay(struct session *s, const struct tape *tape, const struct stream_options *stream, double speed);

bool session_has_news(const struct session *s);          /* deltas wait for the next frame */

/* Moves what was decoded since the last frame into the conversation. True when something changed. */
bool session_drain(struct session *s);

/*
 * When a turn was refused before its stream began, its prompt (for an empty input), once, with its files attached again; STR_NONE
 * otherwise. Borrowed.
 */
struct str session_take_refused(struct session *s);
void session_leave_refused(struct session *s);           /* it was cleared away: the next prompt is a new one */

/* The loop's member for the exchange. */
struct loop_member session_member(struct session *s);

#endif
