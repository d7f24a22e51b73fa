/*
 * The inside of a session, for session.c (its life), session_again.c (what is asked once more) and nobody else.
 */
#ifndef WEIR_APP_SESSION_INSIDE_H
#define WEIR_APP_SESSION_INSIDE_H

#include "app/recording.h"
#include "app/session.h"
#include "chat/queue.h"

struct result { unsigned call; char *text; bool is_error; };

/* A prompt in line, with the files that go with it. */
struct waiting { char *text; struct part *attachments; size_t attachment_count; };

struct session {
	struct setup *setup;
	session_ended *ended;
	void *ctx;
	struct conversation *conversation;
	struct turn *live;
	struct exchange *exchange;
	struct queue *queue;
	struct request request;        /* of the exchange */
	struct projection projection;  /* what it borrows, beside: */
	char *system, *tools, *schema; /* copies, because the setup's may be replaced while it runs */
	struct recording recording;
	struct waiting *waiting;       /* prompts in line, the oldest first */
	size_t waiting_count, waiting_capacity;
	struct result *results;        /* of the last turn's calls, not sent yet */
	size_t result_count, result_capacity;
	struct part *attachments;      /* for the next prompt: text, media, and as name the path */
	size_t attachment_count, attachment_capacity;
	const struct turn *refused;    /* whose prompt may go back into the input */
	bool gave_back;                /* it did: the next prompt takes its place, before those in line */
	struct turn *edited;           /* the question that the next prompt takes the place of; NULL */
};

/* Everything that is in the conversation goes to the target; a new answer takes the deltas, or `goes_on` (NULL: none). */
MUST_USE bool session_start(struct session *s, struct turn *goes_on, struct error *err);

struct turn *session_counted_answer(const struct session *s); /* the last one that is not superseded; NULL */
void session_drop_results(struct session *s);
void session_attach_bytes(struct session *s, struct str bytes, const char *name, const char *media); /* copied */
void session_attach_again(struct session *s, const struct turn *question); /* the files that went with it */

/* Nothing came but an error: its question was never part of the conversation. */
bool session_was_refused(const struct turn *answer);
/* Before a new question: one that was refused, or is being edited, is superseded. */
void session_set_aside(struct session *s);

#endif
