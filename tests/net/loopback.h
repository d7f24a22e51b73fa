/*
 * Helpers of the network tests: a recorder of callbacks, and an event loop for client and server in one process.
 */
#ifndef WEIR_TESTS_NET_LOOPBACK_H
#define WEIR_TESTS_NET_LOOPBACK_H

#include "net/http.h"
#include "net/serve.h"

/* Writes each callback as a line: "head 200 text/plain", "body <bytes>", "end closed". Consecutive bodies are joined. */
struct recorder {
	struct buf log;
	struct buf body;
	struct buf detail;
	unsigned heads, bodies, ends;
	int status;
	struct buf content_type;
	struct buf headers;            /* "name=value;" */
	double last_ms, head_ms;
	char http[8];                  /* of the last head, as the next two */
	bool is_timed, reused;
	struct response_timings timings;
	bool time_went_back;
	void (*on_body)(void *ctx);    /* called for each body; NULL: none */
	void (*on_head)(void *ctx);
	void *ctx;
};

void recorder_init(struct recorder *r);
void recorder_fini(struct recorder *r);
struct source_sink recorder_sink(struct recorder *r);
bool recorder_says(const struct recorder *r, const char *words); /* found in `detail`; "one|other": either (races) */

/* Whether the timings of the last head tell of a new connection: each step, in order. */
bool recorder_is_new_connection(const struct recorder *r, bool tls);

struct loop {
	struct http *http;
	struct serve *serve;       /* NULL: none */
};

void loop_serve(struct loop *loop); /* runs the server */
/* Waits once and handles everything that is due. */
void loop_once(struct loop *loop);
/* Runs until `*counter` is `count`. Fails the test after some seconds. */
void loop_until(struct loop *loop, const unsigned *counter, unsigned count);

/* Starts a request for a path on loopback. */
struct source *loop_get(struct loop *loop, unsigned port, const char *path, struct recorder *r);
struct source *loop_post(struct loop *loop, unsigned port, const char *path, struct str body, struct recorder *r);

/* Runs any request to its end. */
void loop_ask(struct http *http, const struct http_request *request, struct recorder *r);

/* Removes proxies from the environment, including those set before the tests. */
void loop_forget_proxies(void);

struct tape *tape_of(const char *text); /* fails the test when it is not a valid tape */

#endif
