/*
 * A session: a conversation and its running answer. It knows no screen: the full screen and the linear mode drive it, in a chat or a replay.
 * What is asked is in session_prompts.h, branches and asking again in session_tree.h, several answers at once in session_parallel.h.
 *
 * It owns the conversation and the request under way, which keeps copies of what it carries. One answer runs at a time. Its deltas wait
 * until session_drain(), which is called once a frame and once more after session_stop(). A turn belongs to its conversation: a pointer to
 * one is valid until the session leaves that conversation.
 *
 * Functions with an error fail without effect, and say why, unless their text says otherwise. An answer is under way while session_is_busy().
 */
#ifndef WEIR_APP_SESSION_H
#define WEIR_APP_SESSION_H

#include "chat/exchange/exchange.h"
#include "chat/player/player.h"

struct conversation;
struct setup;

struct session; /* heap */

/* Called from session_drain() when a turn has ended and is complete in the conversation. */
typedef void session_ended(void *ctx, struct turn *turn);

/* `setup` outlives the session; it may be NULL for a replay. `ended` may be NULL. */
struct session *session_new(struct setup *setup, session_ended *ended, void *ctx);
void session_free(struct session *s); /* an answer under way ends without a trace */

/* --- who keeps the conversation --- */

/* All members may be NULL. */
struct session_watch {
	void (*leave)(void *ctx, bool drop); /* the conversation is about to be replaced or freed; `drop`: it was undone, and is deleted */
	/* The session does not need a conversation any more. False: the watch owns it from here on; true: the session frees it. */
	bool (*release)(void *ctx, struct conversation *c);
	void (*enter)(void *ctx);            /* there is another conversation */
	/* Reads the turns that session_take() left out; called before something is sent. False, with a sentence: they cannot be read now. */
	bool (*complete)(void *ctx, struct error *err);
	/* Whether a request may follow that nobody asks for now: a queued prompt, else one for a title. False: the prompt waits, and why was told. */
	bool (*go_on)(void *ctx, bool queued);
	void *ctx;
};
void session_watch(struct session *s, const struct session_watch *watch); /* copied */

/* --- the conversation --- */

struct conversation *session_conversation(struct session *s); /* borrowed; another one after session_number() has changed */
uint64_t session_number(const struct session *s);
uint64_t session_place(const struct session *s);         /* changes with the number, and when another branch is chosen */
uint64_t session_changes(const struct session *s);       /* increases with every change of the conversation */
void session_note_change(struct session *s);             /* call after you have changed a turn yourself */
void session_label(struct session *s, struct turn *turn, struct str label); /* turn_label() */
MUST_USE bool session_has_turns(const struct session *s, struct error *err);
MUST_USE bool session_has_answer(const struct session *s, struct error *err);
struct turn *session_last_answer(const struct session *s); /* the newest answer, including a running one; NULL: none */

void session_forget(struct session *s);                  /* stops a running answer and begins a new conversation */
/*
 * Replaces the conversation by `c`, which the session owns from then on; on false it stays the caller's. `partly`: not all of its turns are
 * read yet; session_watch.complete() is called before one of them is sent, edited or copied. Fails while an answer is under way.
 */
MUST_USE bool session_take(struct session *s, struct conversation *c, bool partly, struct error *err);
bool session_is_partly(const struct session *s);
void session_is_read(struct session *s);                 /* tells it that all turns are read */
bool session_goes_on(struct session *s, bool queued);    /* session_watch.go_on() */
MUST_USE bool session_is_whole(struct session *s, struct error *err); /* all turns are read; else has them read */

/* --- the running answer --- */

bool session_is_busy(const struct session *s);           /* an answer is under way, or several are */
MUST_USE bool session_is_idle(const struct session *s, struct error *err); /* not busy, and no prompt is queued */
struct turn *session_live(const struct session *s);      /* the running answer, also of a replay; NULL: none */
struct exchange *session_exchange(const struct session *s); /* of the running answer, borrowed until session_drain(); NULL: none, or a replay */
bool session_has_news(const struct session *s);          /* session_drain() has something to do */
bool session_drain(struct session *s);                   /* moves what has arrived into the conversation; true: something changed */
MUST_USE bool session_can_stop(const struct session *s, struct error *err); /* an answer, queued prompts or editing */
void session_stop(struct session *s);                    /* ends the running answer as cancelled; queued prompts stay queued */
void session_halt(struct session *s);                    /* ends all running answers at once, without session_ended(); what has arrived is kept */
struct loop_member session_member(struct session *s);    /* drives the answer or the replay */

/* --- a replay --- */

/*
 * Plays a tape instead of sending requests; `tape` must outlive the session. Whoever moves the player calls session_drain(): the answer is
 * the running one again if it has not ended at that position.
 */
void session_replay(struct session *s, const struct tape *tape, const struct stream_options *stream, int status, double speed);
/*
 * Plays it to its end at once. The answer stays, with the results of what ran for it, and needs the tape no more: the next tape is played below it.
 */
void session_keep_played(struct session *s);
const struct played_runs *session_played_runs(const struct session *s); /* of a replay, up to where it is (app/session/played_runs.h) */
struct player *session_player(const struct session *s);  /* borrowed; NULL: it is no replay */
bool session_plays_messages(const struct session *s);    /* a replay of a session with an MCP server, whose messages stand for an answer */

#endif
