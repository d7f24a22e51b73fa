/*
 * An exchange: one request in flight. It finds the key, builds and starts the transfer, records the tape, detects stalls, feeds the stream
 * and cancels. It owns one source and its stream. (A tape is played by chat/player/player.h.)
 *
 *    held -> key -> connecting -> waiting (for the first byte) -> streaming -> over
 *                       ^------------ retrying <-'
 *
 * A large body is made in parts, one in each exchange_run(), so that the loop goes on; the state is `connecting` meanwhile.
 *
 * It repairs two kinds of refusal, each once: a 400 that names one of our parameters (which is omitted or renamed, and the provider
 * remembers it), and a 400 about signatures or thinking (the request is sent without opaque parts). Each gives a notice (rule
 * "sent-again"). Temporary failures (chat/exchange/retry.h) are retried after a wait, up to `retries` times, each with a notice (rule "retried").
 * To allow this, the body of a response other than 2xx is held back until its end. Nothing is sent again once a byte of the body of a 2xx
 * has arrived. Every exchange gives its sink exactly one end, as soon as the protocol's end mark arrives; the connection may stay open
 * briefly to end by itself.
 *
 * It adds its own notices to the stream's deltas, always between begin and error or end: rule "plain-http", rule "sent-again", rule
 * "broken" (why the rest of an answer is unusable), and rule "hint", one readable line about a refusal (status, server's message, request
 * id, origin of the key), because the error delta holds the server's message only.
 */
#ifndef WEIR_CHAT_EXCHANGE_H
#define WEIR_CHAT_EXCHANGE_H

#include <poll.h>

#include "chat/exchange/continuation.h"
#include "chat/exchange/findings.h"
#include "net/http.h"
#include "net/tape.h"
#include "wire/request.h"

enum exchange_state { EXCHANGE_HELD, EXCHANGE_KEY, EXCHANGE_CONNECTING, EXCHANGE_WAITING, EXCHANGE_STREAMING, EXCHANGE_RETRYING, EXCHANGE_OVER };

struct exchange_options {
	struct http *http;               /* must outlive the exchange */
	struct provider *provider;       /* must outlive the exchange; records what refusals reveal */
	const struct protocol *protocol;
	const struct dialect *dialect;   /* NULL: the provider's */
	struct str base_url;             /* "": the provider's; set for the demo's port and --base-url */
	const struct request *request;   /* `sending` is filled in here; the rest must outlive the exchange */
	/*
	 * A whole JSON value that is sent in place of a body made of the request, byte for byte; copied. It is not repaired after a refusal.
	 * STR_NONE: the body is made.
	 */
	struct str body;
	const char *tape_path;           /* NULL: no tape */
	bool defers_tape;                /* the sink shows nothing before exchange_run() returns, so the tape may be written then */
	/*
	 * A descriptor that outlives the exchange: the tape is created in that directory, under the last component of the path. 0: at the
	 * path.
	 */
	int tape_folder;
	/* Limit of the tape; 0: TAPE_BYTES_MOST. At the limit there is a notice (rule "weir"). */
	size_t tape_bytes;
	/* If the tape cannot be created: a notice (rule "weir"), not an error of the turn. */
	bool tape_may_fail;
	unsigned retries;                /* maximum; 0: none */
	environment *env;
	bool allow_http;                 /* --allow-http */
	enum lint_level lint;            /* LINT_LEVEL_OFF: the answer is not checked, which costs nothing */
	size_t media_bytes;              /* maximum of media kept of the answer; 0: MEDIA_BYTES_DEFAULT */
	/*
	 * Asked in each exchange_run() before anything is done: true holds the exchange. With false it sets the request's definitions of tools, which
	 * outlive the exchange, and is not asked again. NULL: nothing holds it.
	 */
	bool (*held)(void *ctx, struct str *tools);
	delta_sink *sink;
	void *ctx;
};

struct exchange; /* heap */

/*
 * Starts immediately. Failures (no URL, no key, a tape that exists) are reported as an error delta with a message, like all others: by
 * exchange_run(), never from here.
 */
struct exchange *exchange_new(const struct exchange_options *options, int64_t now_ms);
void exchange_free(struct exchange *x); /* cancels a running exchange, without a delta */

/* Children to wait for (a key command). Returns the number of descriptors added, at most 1. */
size_t exchange_fds(const struct exchange *x, struct pollfd *fds);
int64_t exchange_deadline(const struct exchange *x);
/* Handles the key, deadlines and stalls. Everything received so far is on the tape when it returns. */
void exchange_run(struct exchange *x, int64_t now_ms);
void exchange_cancel(struct exchange *x, int64_t now_ms);  /* stops for the user: the end delta is given inside this call */

enum exchange_state exchange_state(const struct exchange *x);
bool exchange_is_over(const struct exchange *x);
double exchange_elapsed_ms(const struct exchange *x, int64_t now_ms);
int64_t exchange_quiet_ms(const struct exchange *x, int64_t now_ms); /* time since the last byte */
int64_t exchange_quiet_limit_ms(const struct exchange *x); /* the silence after which it is stalled or complete; 0: no limit */
/* How the last request sent asked for the rest of an answer. */
enum continuation_way exchange_way(const struct exchange *x);

/* Why the exchange waits before a retry, and for how long. Returns false when it does not wait. */
struct exchange_retry {
	unsigned number, most;      /* number of the coming retry, from 1 */
	int64_t wait_ms, left_ms;
	struct str why;             /* the failure, in one line; borrowed */
};
bool exchange_retry(const struct exchange *x, int64_t now_ms, struct exchange_retry *retry);
const struct protocol *exchange_protocol(const struct exchange *x); /* NULL: not known yet */

/* The request that was sent last, borrowed until the next exchange_run(); false: none has been sent yet. `url` holds no key. */
struct exchange_sent {
	const struct protocol *protocol;
	const struct provider *provider;
	environment *env;
	bool stream;
	struct str url, body;
};
bool exchange_sent(const struct exchange *x, struct exchange_sent *sent);

/* For the details sheet and errors: URL, status, timings of the connection, listed headers and raw error body, one per line. */
void exchange_details(const struct exchange *x, struct buf *out);

/* True when the error says that the model is unknown (404, or 400 naming the model): offer the model menu. */
bool exchange_model_unknown(const struct exchange *x);

const struct findings *exchange_findings(const struct exchange *x); /* of lint in this answer so far; NULL if it is not checked */

/* Path of the tape, also once it is closed; "": none. */
struct str exchange_tape_path(const struct exchange *x);

/* The error of writing the tape, "" if none. Closes the tape if the exchange is over. */
struct str exchange_tape_error(struct exchange *x);

#endif
