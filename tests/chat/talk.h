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
/*
 * One turn of the loop. No limit and no pause is waited for: when nothing is under way between client and server, the clock is turned
 * to whatever is due next (support/clock.h).
 */
void talk_turn(struct talk *t);
/* Turns until nothing is under way any more, and the clock would be turned. */
void talk_settle(struct talk *t);
/* What both do for others of this layer: `due_ms` is when `fds` have to be looked at without being ready. */
void talk_wait(struct talk *t, struct pollfd *fds, size_t count, int64_t due_ms);

/* Outcome, and text that a delta's event must (not) hold. */
void talk_expect(const struct talk *t, enum outcome outcome, const char *text, const char *file, int line);
#define TALK_EXPECT(t, outcome, text) talk_expect((t), (outcome), (text), __FILE__, __LINE__)
bool talk_said(const struct talk *t, const char *words);    /* in the events */
bool talk_asked(const struct talk *t, const char *words);   /* in the requests */

/* A file below the test's temporary folder; heap. */
char *talk_path(const char *name);

#endif
