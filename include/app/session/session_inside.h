/*
 * What the session's files share: session.c (life cycle), session_prompts.c, session_attached.c and session_results.c (what is sent),
 * session_request.c and session_drain.c (there and back), session_again.c (retry, continue and edit), session_tree.c (branches),
 * session_compact.c (summaries), session_runs.c (calls that run), session_parallel.c (several answers at once) and session_replay.c.
 */
#ifndef WEIR_APP_SESSION_INSIDE_H
#define WEIR_APP_SESSION_INSIDE_H

#include "app/request/awaited.h"
#include "app/session/played_runs.h"
#include "app/session/session_parallel.h"
#include "app/session/session_prompts.h"
#include "app/session/session_runs.h"
#include "app/session/session_tree.h"

struct result { unsigned call; char *text; bool is_error; struct media_keeper media; };

struct session_files { struct part *parts; size_t count, capacity; }; /* attached files: text, media, and the path as name */

/* A queued prompt, with the files attached to it. */
struct waiting { char *text; struct session_files files; };

/* A conversation that was copied, and the number of turns that went into the copy. */
struct former { struct conversation *conversation; size_t copied; };

struct session {
	struct session_holder holder;  /* several answers are under way; all NULL: they are not */
	struct setup *setup;
	session_ended *ended;
	void *ctx;
	struct conversation *conversation;
	struct session_watch watch;
	uint64_t changes;
	bool partly;                   /* some turns of the conversation are not read yet */
	uint64_t number;               /* session_number() */
	uint64_t place;                /* session_place() */
	struct former *former;         /* the originals of copies, for session_undo(); the newest is the last */
	size_t former_count;
	struct turn *live;
	struct awaited awaited;        /* the answer that is asked for; unused in a replay */
	struct player *player;         /* of a replay, else NULL */
	struct turn *played;           /* the answer that it plays into */
	struct played_runs played_runs; /* up to where it is */
	uint64_t played_moves;         /* player_moves() when its answer was last looked at */
	struct waiting *waiting;       /* queued prompts, the oldest first */
	size_t waiting_count, waiting_capacity;
	struct result *results;        /* results for calls of the last turn, not sent yet */
	size_t result_count, result_capacity;
	struct tool_rounds runs;       /* of the calls of the last answer */
	struct session_files files;    /* for the next prompt */
	const struct turn *refused;    /* refused answer whose prompt may go back into the input; NULL: none */
	bool gave_back;                /* a refused prompt went back: the next prompt replaces it and is sent before the queue */
	const struct turn *edited;     /* question that the next prompt replaces; NULL: none */
	unsigned left;                 /* session_left(); 0 unless a request is under way */
	const struct turn *summary;    /* the running answer that is to replace older turns; NULL: none */
	struct turn *uncompacted;      /* the end of the path before `summary` was asked for */
};

/* Sends the whole conversation to the target. The deltas go to `goes_on`, an answer to continue, or to a new answer if it is NULL. */
MUST_USE bool session_start(struct session *s, struct turn *goes_on, struct error *err);
/* The two halves of it. session_prepare() fills in what does not depend on turns, and changes none. session_launch() sends the path of `sent`. */
MUST_USE bool session_prepare(struct session *s, struct error *err);
void session_launch(struct session *s, const struct conversation *sent, struct turn *goes_on);
/* The end of it: starts the exchange of the live turn. `body`: sent in place of one made of the request; STR_NONE: there is none. */
void session_begin_exchange(struct session *s, struct str body);
MUST_USE bool session_has_model(const struct session *s, struct error *err);
const struct attachment_limits *session_limits(const struct session *s); /* of the target */

bool session_drain_played(struct session *s);     /* session_drain() of a replay, where the deltas are in the answer already */

void session_halt_holder(struct session *s);      /* call before the conversation is replaced */
struct turn *session_add_question(struct session *s, struct str prompt); /* at the end of the path, with results and files */
void session_drop_queued(struct session *s);      /* frees the prompts in line */
void session_send_next(struct session *s, const struct turn *t); /* sends the first queued prompt if the turn `t` ended well */

void session_files_fini(struct session_files *files);
void session_files_move(struct session_files *to, struct session_files *from); /* appends them; `from` is empty then */
void session_add_attachments(struct session *s, struct turn *question); /* the files for the next prompt go into it */
void session_attach_again(struct session *s, const struct turn *question); /* attaches the files of an earlier question */

void session_add_results(struct session *s, struct turn *question); /* the recorded results go into it */
/* Keeps the tool results of a question for the next one, unless the calls were answered again. */
void session_keep_results(struct session *s, const struct turn *question);
void session_drop_results(struct session *s);
void session_answer_by_run(struct session *s, const struct tool_call *call); /* the same as session_answer_call(), with its media */

void session_begin_runs(struct session *s, struct turn *answer); /* of an answer that has just ended here */
bool session_drain_runs(struct session *s);       /* takes their results, and sends them when there are all; true: something changed */
void session_stop_runs(struct session *s);
void session_leave_runs(struct session *s);       /* the end of the path is left: ends them at once */

/* Whether the answer is only an error: its question then was never part of the conversation. */
bool session_was_refused(const struct turn *answer);
/* Call before a new question. Branches off above a question that was refused or is being edited: the new one is its sibling. */
void session_set_aside(struct session *s);
/* Sets session_left(): call it before the path branches off below or beside `question`; NULL: the path goes on. */
void session_note_left(struct session *s, const struct turn *question);
const struct part *session_words_of(const struct turn *t); /* the text of a question; NULL: it has none */
/* Puts the summary in the place of the older turns, or goes back if it is not whole. A note of the answer says which. */
void session_end_compaction(struct session *s, struct turn *summary);
MUST_USE bool session_may_branch(const struct session *s, struct error *err); /* and no prompt is being edited */
/* Whether a turn can be asked again: a summary was asked for together with turns that are not in its branch. */
MUST_USE bool session_has_its_own_path(const struct turn *t, struct error *err);
void session_leave(struct session *s, bool drop); /* call before the conversation is replaced */
void session_release(struct session *s, struct conversation *c); /* after it was left: nobody here needs it */
void session_enter(struct session *s);            /* and after it */
MUST_USE bool session_is_free(const struct session *s, struct error *err); /* no answer is under way */
void session_drop_former(struct session *s);
void session_leave_place(struct session *s); /* forgets what belongs to the end of the path that is left: results, the edited question */

#endif
