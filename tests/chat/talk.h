/*
 * What tests of the chat layer share: a client and the server of saved streams in one loop, with providers, an environment
 * of the test's own and a record of every delta, whose grammar is checked on the way.
 */
#ifndef WEIR_TESTS_CHAT_TALK_H
#define WEIR_TESTS_CHAT_TALK_H

#include "chat/exchange.h"
#include "net/serve.h"
#include "wire/summary.h"

#define TALK_TAPES 8
#define TALK_KEY "sk-test-0123456789abcdef"

struct talk {
	struct http *http;
	struct serve *serve;
	char base_url[64];
	struct tape *tapes[TALK_TAPES]; /* answer the requests in turn, the last one all further */
	size_t tape_count, asked;
	struct buf requests;            /* "POST /path\nbody\n" of each */

	struct providers *providers;
	struct provider *provider;      /* "box": generic, key in the variable BOX_API_KEY */
	struct exchange *exchange;

	struct summary *summary;
	struct buf events;              /* event lines */
	struct buf kinds;               /* "begin text finish end" */
	unsigned ends;
	bool after_error;
	const char *cancel_at;          /* cancels when this kind came; NULL: never */
	bool cancel_wanted;
	int64_t ahead_ms;               /* of the real clock: waits for another attempt are not waited for */
	int64_t leapt_ms;               /* the last such wait */
};

void talk_init(struct talk *t);
void talk_fini(struct talk *t);

/* Replaces a variable of the tests' environment; NULL unsets it. */
void talk_set_variable(const char *name, const char *value);
const char *talk_environment(const char *name);

/* The next answer: the text of a tape, or a plain body. */
void talk_answer(struct talk *t, const char *text);

/* Provider settings; fails the test when one is refused. */
void talk_set(struct talk *t, const char *name, const char *value);

struct exchange_options talk_options(struct talk *t, const struct protocol *protocol, const struct request *request);
struct request talk_request(void); /* one user message: "hi" */

/* Starts an exchange and runs it to its end. */
void talk_run(struct talk *t, const struct exchange_options *options);
void talk_start(struct talk *t, const struct exchange_options *options);
void talk_finish(struct talk *t);
void talk_turn(struct talk *t); /* one turn of the loop */
void talk_turn_within(struct talk *t, int64_t most_ms); /* that sleeps no longer */

/* Outcome, and text that a delta's event must (not) hold. */
void talk_expect(const struct talk *t, enum outcome outcome, const char *text, const char *file, int line);
#define TALK_EXPECT(t, outcome, text) talk_expect((t), (outcome), (text), __FILE__, __LINE__)
bool talk_said(const struct talk *t, const char *words);    /* in the events */
bool talk_asked(const struct talk *t, const char *words);   /* in the requests */

/* A file below the test's temporary folder; heap. */
char *talk_path(const char *name);

/* A server that keeps what it gets, head included, and answers every request with the same bytes. */
struct listener {
	int fd, client;
	unsigned port;
	const char *answer;
	struct buf got;
};
void listener_init(struct listener *l, const char *answer);
void listener_fini(struct listener *l);
void listener_run(struct listener *l);

#endif
