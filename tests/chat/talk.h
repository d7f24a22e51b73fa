/*
 * Helpers of the chat tests: a client and the server of saved streams in one loop, with providers, an environment set by the test, and a
 * record of every delta. The grammar of the deltas is checked.
 */
#ifndef WEIR_TESTS_CHAT_TALK_H
#define WEIR_TESTS_CHAT_TALK_H

#include "chat/exchange/exchange.h"
#include "net/serve.h"
#include "wire/summary.h"

#define TALK_TAPES 8
#define TALK_KEY "sk-test-0123456789abcdef"

struct talk {
	struct http *http;
	struct serve *serve;
	char base_url[64];
	struct tape *tapes[TALK_TAPES]; /* answers to successive requests; the last one also answers all later ones */
	size_t tape_count, asked;
	struct buf requests;            /* "POST /path\nbody\n" for each request */

	struct providers *providers;
	struct provider *provider;      /* "box": generic, with its key in BOX_API_KEY */
	struct exchange *exchange;

	struct summary *summary;
	struct buf events;              /* event lines */
	struct buf kinds;               /* "begin text finish end" */
	unsigned ends;
	bool after_error;
	const char *cancel_at;          /* cancels at the first delta of this kind; NULL: never */
	bool cancel_wanted;
};

void talk_init(struct talk *t);
void talk_fini(struct talk *t);

/* Sets a variable of the tests' environment; NULL removes it. */
void talk_set_variable(const char *name, const char *value);
const char *talk_environment(const char *name);

/* Adds the next answer: the text of a tape, or a plain body. */
void talk_answer(struct talk *t, const char *text);

/* Changes a setting of the provider; fails the test when it is rejected. */
void talk_set(struct talk *t, const char *name, const char *value);

struct exchange_options talk_options(struct talk *t, const struct protocol *protocol, const struct request *request);
struct request talk_request(void); /* one user message: "hi" */

/* Runs a new exchange to its end. */
void talk_run(struct talk *t, const struct exchange_options *options);
void talk_start(struct talk *t, const struct exchange_options *options);
void talk_finish(struct talk *t);
/*
 * Runs one pass of the loop. Limits and pauses take no real time: when nothing is in flight between client and server, the clock is set to
 * the next deadline (support/clock.h).
 */
void talk_turn(struct talk *t);
/* Runs passes until nothing is in flight and the clock would be set. */
void talk_settle(struct talk *t);
/* The same wait for other users of the loop: `due_ms` is their deadline. */
void talk_wait(struct talk *t, struct pollfd *fds, size_t count, int64_t due_ms);

/* Checks the outcome, and text that a delta's event must (or must not) contain. */
void talk_expect(const struct talk *t, enum outcome outcome, const char *text, const char *file, int line);
#define TALK_EXPECT(t, outcome, text) talk_expect((t), (outcome), (text), __FILE__, __LINE__)
bool talk_said(const struct talk *t, const char *words);    /* found in the events */
bool talk_asked(const struct talk *t, const char *words);   /* found in the requests */

/* A path in the test's temporary folder; heap. */
char *talk_path(const char *name);

#endif
