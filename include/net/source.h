/*
 * A source drives head, body and end of a response: live transfer, replay and test bytes are the same to all behind it.
 *
 * Callbacks come from source_run() (or, for a live transfer, from http_wait()), never from inside source_cancel() or
 * source_free(). After end or cancel nothing comes any more. A receiver may cancel inside a callback, but must not free.
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
	/* `detail` is a sentence about what broke: always with END_CUT, "" with all else. No head before it: no response came at all. */
	void (*end)(void *ctx, enum end_how how, struct str detail, double at_ms);
};

struct source; /* each kind embeds it first */

struct source_ops {
	int64_t (*deadline)(const struct source *s);       /* monotonic ms at which run() wants to be called, NO_DEADLINE for never */
	void (*run)(struct source *s, int64_t now_ms);
	void (*cancel)(struct source *s);                  /* at once; nothing is called back */
	void (*free)(struct source *s);
};

struct source {
	const struct source_ops *ops;
};

static inline int64_t source_deadline(const struct source *s) { return s->ops->deadline(s); }
static inline void source_run(struct source *s, int64_t now_ms) { s->ops->run(s, now_ms); }
static inline void source_cancel(struct source *s) { s->ops->cancel(s); }
static inline void source_free(struct source *s) { if (s) s->ops->free(s); }

/* The program's real clock, monotonic milliseconds (and with fractions, for at_ms). */
int64_t clock_now_ms(void);
double clock_precise_ms(void);

#endif
