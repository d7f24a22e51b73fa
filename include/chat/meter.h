/*
 * Figures of a turn while it streams: tokens (estimated until the server's come), rate, times. Computed from at_ms only.
 *
 * The estimate (CONTRACT.md, "What is sent"): code points below U+2E80 divided by 4, rounded up, plus one for each other.
 */
#ifndef WEIR_CHAT_METER_H
#define WEIR_CHAT_METER_H

#include "wire/delta.h"

struct estimate { uint64_t narrow, wide; }; /* code points on each side of U+2E80 */
void estimate_add(struct estimate *e, struct str text); /* whole UTF-8 sequences */
int64_t estimate_tokens(const struct estimate *e);

#define METER_SLOTS 24
#define METER_SLOT_MS 250.0
#define METER_PROFILE 32      /* stretches of the whole content; even */
#define METER_PROFILE_MS 25.0 /* each at first; twice as long whenever they do not reach any more */

struct meter { /* zeroed at birth */
	struct estimate text, reasoning, tools;
	double first_ms;              /* at_ms of the first content; valid when `begun` */
	double last_ms;               /* of the last one */
	bool begun;
	int64_t slots[METER_SLOTS];   /* estimated tokens of each quarter second, a ring */
	int64_t slot_at;              /* number of the newest slot */
	int64_t profile[METER_PROFILE]; /* estimated tokens of each stretch since the first content */
	unsigned profile_doubled;     /* how often the stretches became longer */
};
void meter_delta(struct meter *m, const struct delta *d);
int64_t meter_tokens(const struct meter *m);                 /* estimate of all that was generated */
double meter_rate(const struct meter *m, const struct usage *usage); /* tokens a second over the content's time; negative while unknown */
double meter_pace(const struct meter *m); /* tokens a second in the last whole quarter second */

/* Tokens in each of the last `count` whole half seconds before `at_ms`, oldest first; what is longer ago than the ring is 0. */
void meter_recent(const struct meter *m, double at_ms, double *tokens, size_t count);

/* Tokens in each of `count` equal stretches from the first content to the last. */
void meter_course(const struct meter *m, double *tokens, size_t count);

#endif
