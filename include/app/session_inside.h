/*
 * Internals of a session, only for session.c (life cycle) and session_again.c (retry, continue and edit).
 */
#ifndef WEIR_APP_SESSION_INSIDE_H
#define WEIR_APP_SESSION_INSIDE_H

#include "app/recording.h"
#include "app/session.h"
#include "chat/queue.h"

struct result { unsigned call; char *text; bool is_error; };

/* A queued prompt, with the files attached to it. */
struct waiting { char *text; struct part *attachments; size_t attachment_count; };

struct session {
	struct setup *setup;
	session_ended *ended;
	void *ctx;
	struct conversation *conversation;
	struct turn *live;
	struct exchange *exchange;
	struct queue *queue;
	struct request request;        /* request of the exchange; borrows from the next four members */
	struct projection projection;  /* messages of the request */
	char *system, *tools, *schema; /* copies: those of the setup may be replaced while the exchange runs */
	struct recording recording;
	struct waiting *waiting;       /* queued prompts, the oldest first */
	size_t waiting_count, waiting_capacity;
	struct result *results;        /* results for calls of the last turn, not sent yet */
	size_t result_count, result_capacity;
	struct part *attachments;      /* files for the next prompt: text, media, and the path as name */
	size_t attachment_count, attachment_capacity;
	const struct turn *refused;    /* refused answer whose prompt may go back into the input; NULL: none */
	bool gave_back;                /* a refused prompt went back: the next prompt replaces it and is sent before the queue */
	struct turn *edited;           /* question that the next prompt replaces; NULL: none */
};

/* Sends the whole conversation to the target. The deltas go to `goes_on`, an answer to continue, or to a new answer if it is NULL. */
MUST_USE bool session_start(struct session *s, struct turn *goes_on, struct error *err);

struct turn *session_counted_answer(const struct session *s); /* the last answer that is not superseded; NULL: none */
void session_drop_results(struct session *s);
void session_attach_again(struct session *s, const struct turn *question); /* attaches the files of an earlier question */

/* Whether the answer is only an error: its question then was never part of the conversation. */
bool session_was_refused(const struct turn *answer);
/* Call before a new question. Supersedes a question that was refused or is being edited. */
void session_set_aside(struct session *s);

#endif
