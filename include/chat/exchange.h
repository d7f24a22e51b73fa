/*
 * An exchange: one request in flight. Finds the key, builds and starts the transfer, tapes it, watches for stalls, feeds the
 * stream, cancels. It owns one source with its stream; a replay is an exchange whose source is a tape.
 *
 *   key -> connecting -> waiting (for the first byte) -> streaming -> over
 *              ^------------ retrying <-'
 *
 * It repairs two refusals itself, each once: a 400 that names a parameter of ours (it is left out or renamed, and the
 * provider remembers) and a 400 that speaks of signatures or thinking (the same request without opaque parts), both with a
 * notice (rule "sent-again"). A failure that may pass (chat/retry.h) it tries again after a wait, as often as `retries`
 * allows, with a notice for each (rule "retried"). For that the body of a status that is not 2xx is held back until its end.
 * Nothing is ever sent again once an answer began: once a byte of the body of a 2xx came. Every exchange gives its sink
 * exactly one end, as soon as the protocol's end mark came; the connection may be left a moment longer to end by itself.
 *
 * Beside the stream's deltas come notices of its own, always between begin and error or end: rule "plain-http", rule
 * "sent-again", rule "broken" (why the bytes of an answer can be used no further), and rule "hint", one readable line on a
 * refusal (status, server's words, request id, where the key came from), because the error itself holds the server's words only.
 */
#ifndef WEIR_CHAT_EXCHANGE_H
#define WEIR_CHAT_EXCHANGE_H

#include <poll.h>

#include "chat/continuation.h"
#include "net/http.h"
#include "net/tape.h"
#include "wire/request.h"

enum exchange_state { EXCHANGE_KEY, EXCHANGE_CONNECTING, EXCHANGE_WAITING, EXCHANGE_STREAMING, EXCHANGE_RETRYING, EXCHANGE_OVER };

struct exchange_options {
	struct http *http;               /* outlives the exchange */
	struct provider *provider;       /* outlives it; learns from refusals */
	const struct protocol *protocol;
	const struct dialect *dialect;   /* NULL: the provider's */
	struct str base_url;             /* "" : the provider's (the demo's port, --base-url) */
	const struct request *request;   /* its `sending` is filled in here; the rest outlives the exchange */
	const char *tape_path;           /* NULL: no tape */
	bool sink_waits;                 /* it shows nothing before exchange_run() returns: until then the tape may wait too */
	int tape_folder;                 /* outlives the exchange; the tape is made in it, under the path's last name. 0: where the path leads */
	size_t tape_bytes;               /* its ceiling; 0: TAPE_BYTES_MOST. One that is full has a notice (rule "weir") */
	bool tape_may_fail;              /* one that cannot be made has a notice (rule "weir"); else it is the error of the turn */
	unsigned retries;                /* at most; 0: none */
	environment *env;
	bool allow_http;                 /* --allow-http */
	delta_sink *sink;
	void *ctx;
};

struct exchange; /* heap */

/*
 * Starts at once. Failures (no URL, no key, a tape that exists) come as an error delta with a sentence, like all others: from
 * exchange_run(), never from here.
 */
struct exchange *exchange_new(const struct exchange_options *options, int64_t now_ms);
/* A replay of a tape: the deltas come at its own speed. */
struct exchange *exchange_replay(const struct tape *tape, const struct stream_options *stream, double speed,
                                 delta_sink *sink, void *ctx, int64_t now_ms);
void exchange_free(struct exchange *x); /* cancels what runs, without a delta */

/* Children that are waited for (a key command). Returns how many were added, at most 1. */
size_t exchange_fds(const struct exchange *x, struct pollfd *fds);
int64_t exchange_deadline(const struct exchange *x);
/* Key, deadlines, stall watch, the replay's next step. What came so far is on the tape when it returns. */
void exchange_run(struct exchange *x, int64_t now_ms);
void exchange_cancel(struct exchange *x, int64_t now_ms);  /* the user's stop: the end comes from inside this call */

enum exchange_state exchange_state(const struct exchange *x);
bool exchange_is_over(const struct exchange *x);
double exchange_elapsed_ms(const struct exchange *x, int64_t now_ms);
int64_t exchange_quiet_ms(const struct exchange *x, int64_t now_ms); /* since the last byte */
int64_t exchange_quiet_limit_ms(const struct exchange *x); /* of such silence, after which it is stalled or complete; 0: none */
/* How it asked for the rest of an answer, in the last request that was sent. */
enum continuation_way exchange_way(const struct exchange *x);

/* Why it waits to be sent again, and for how long still. False: it does not. */
struct exchange_retry {
	unsigned number, most;      /* the coming one, from 1 */
	int64_t wait_ms, left_ms;
	struct str why;             /* what failed, in a line; borrowed */
};
bool exchange_retry(const struct exchange *x, int64_t now_ms, struct exchange_retry *retry);
const struct protocol *exchange_protocol(const struct exchange *x); /* NULL while a replay has not detected it */
struct source *exchange_player(const struct exchange *x);           /* the replay's tape player, else NULL */

/* For the details sheet and errors: URL, status, the response's listed headers, the raw error body, one a line. */
void exchange_details(const struct exchange *x, struct buf *out);

/* True when the error says that the model is not known (404 or 400 naming the model): the menu should be offered. */
bool exchange_model_unknown(const struct exchange *x);

/* The tape that is written, or was; "" for none. */
struct str exchange_tape_path(const struct exchange *x);

/* A tape error that happened on the way ("" if none). Closes the tape of an exchange that is over. */
struct str exchange_tape_error(struct exchange *x);

#endif
