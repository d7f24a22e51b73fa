/*
 * A session whose provider is a server of saved answers in the same loop.
 */
#ifndef WEIR_TESTS_LIFE_H
#define WEIR_TESTS_LIFE_H

#include "app/options/options.h"
#include "app/session/session.h"
#include "app/setup/server.h"
#include "app/setup/setup.h"

#define LIFE_ANSWERS 6

struct life {
	struct options options;
	struct setup setup;
	struct session *session;
	struct serve *serve;
	struct tape *answers[LIFE_ANSWERS];  /* answers in order; the last one is repeated */
	size_t answer_count, asked;
	struct buf bodies;              /* bodies of the requests, one per line */
	size_t body_at;                 /* offset of the last body */
	char url[64];
	unsigned ended;
	struct error err;
};

void life_begin(struct life *l);
void life_end(struct life *l);

/* Adds what the server answers next: the text of a stream or of a tape. */
void life_answer_with(struct life *l, const char *text);
/* Runs the loop until no turn is running and the queue is empty. Returns the last turn. */
struct turn *life_settle(struct life *l);
struct turn *life_send(struct life *l, const char *prompt); /* and settles */
bool life_asked(const struct life *l, const char *words);   /* the last request has these words */
const char *life_note(const struct turn *t, const char *rule); /* the notice of that rule; "": none */
void life_use_schema(struct life *l, const char *schema);   /* NULL: none */

/* Answers: whole, broken off, with two calls, refused, and with usage. */
#define ANSWER(text) "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
#define ANSWER_CALLS "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}," \
	"{\"index\":1,\"id\":\"c2\",\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"
#define ANSWER_REFUSED "{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":429}}\n{\"t\":0,\"body\":\"{\\\"error\\\":\\\"later\\\"}\"}\n{\"t\":0,\"end\":\"closed\"}\n"
#define ANSWER_CUT(text) "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}\n\n"
#define ANSWER_COUNTED(text) "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"},\"finish_reason\":\"stop\"}]}\n\n" \
	"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":10,\"cost\":0.25}}\n\ndata: [DONE]\n\n"

#endif
