/*
 * A source of a response: calls back with its head, body and end. Consumers do not distinguish live transfers, replays and test data.
 *
 * Callbacks come from source_run() or, for a live transfer, from http_wait(); never from source_cancel() or source_free(). No callback
 * follows the end or a cancel. A callback may cancel its source but must not free it.
 */
#ifndef WEIR_NET_SOURCE_H
#define WEIR_NET_SOURCE_H

#include <stdint.h>

#include "wire/stream.h"

#define NO_DEADLINE INT64_MAX

struct source_sink {
	void *ctx;
	void (*head)(void *ctx, const struct response_head *head, double at_ms);
	void (*body)(void *ctx, struct str bytes, double at_ms);
	/* `detail` says what broke with END_CUT and is "" otherwise. Without a head before it, no response arrived. */
	void (*end)(void *ctx, enum end_how how, struct str detail, double at_ms);
};

struct source; /* the first member of each kind's own struct */

struct source_ops {
	int64_t (*deadline)(const struct source *s);       /* monotonic ms when run() is to be called; NO_DEADLINE: never */
	void (*run)(struct source *s, int64_t now_ms);
	void (*cancel)(struct source *s);                  /* immediate, without a callback */
	void (*free)(struct source *s);
};

struct source {
	const struct source_ops *ops;
};

static inline int64_t source_deadline(const struct source *s) { return s->ops->deadline(s); }
static inline void source_run(struct source *s, int64_t now_ms) { s->ops->run(s, now_ms); }
static inline void source_cancel(struct source *s) { s->ops->cancel(s); }
static inline void source_free(struct source *s) { if (s) s->ops->free(s); }

/* Monotonic real time in milliseconds; the second with fractions, for at_ms. */
int64_t clock_now_ms(void);
double clock_precise_ms(void);

#endif
