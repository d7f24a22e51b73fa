/*
 * Figures of a turn while it streams: tokens (estimated until the server reports them), rate, times. Computed from at_ms only.
 *
 * The estimate: code points below U+2E80 divided by 4, rounded up, plus one for each other code point.
 */
#ifndef WEIR_CHAT_METER_H
#define WEIR_CHAT_METER_H

#include "wire/delta.h"

struct request;

struct estimate { uint64_t narrow, wide; }; /* code points below U+2E80, and others */
void estimate_add(struct estimate *e, struct str text); /* `text` must consist of complete UTF-8 sequences */
int64_t estimate_tokens(const struct estimate *e);

#define METER_SLOTS 24
#define METER_SLOT_MS 250.0
#define METER_PROFILE 32      /* number of intervals that cover the whole content; even */
#define METER_PROFILE_MS 25.0 /* initial length of an interval; doubled whenever the profile is full */

struct meter { /* initialise to zero */
	struct estimate text, reasoning, tools;
	struct estimate asked;        /* of the request; zero: not known */
	double first_ms;              /* at_ms of the first content; valid if `begun` */
	double last_ms;               /* at_ms of the last content */
	bool begun;
	int64_t slots[METER_SLOTS];   /* ring buffer of estimated tokens per quarter second */
	int64_t slot_at;              /* number of the newest slot */
	int64_t profile[METER_PROFILE]; /* estimated tokens per interval since the first content */
	unsigned profile_doubled;     /* how often the interval was doubled */
};
void meter_ask(struct meter *m, const struct request *r); /* what is sent. With a picture or a sound in it, no estimate is made of it */
void meter_delta(struct meter *m, const struct delta *d);
int64_t meter_tokens(const struct meter *m);                 /* estimate for everything generated */
int64_t meter_estimate(const struct meter *m, enum usage_figure figure); /* of a figure of usage; -1: none is made of this one */
double meter_rate(const struct meter *m, const struct usage *usage); /* tokens per second from first to last content; negative: unknown */
double meter_pace(const struct meter *m); /* tokens per second in the last complete quarter second */

/* Tokens in each of the last `count` complete half seconds before `at_ms`, oldest first; 0 for times older than the ring. */
void meter_recent(const struct meter *m, double at_ms, double *tokens, size_t count);

/* Tokens in each of `count` equal intervals from the first content to the last. */
void meter_course(const struct meter *m, double *tokens, size_t count);

#endif
