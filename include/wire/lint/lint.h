/*
 * Lint: names the deviations of a stream from its protocol and from what a gateway promises in its documentation.
 *
 * A rule is a row of a table: what is promised, where that is written, and a function that looks at one part of a stream. Lint observes a
 * stream through its tap, as the bytes arrive; findings come by callback. It needs linear time, and its memory does not depend on the
 * length of the stream.
 *
 *   struct stream_options options = { .tap = lint_tap(lint) };       the stream then drives lint; lint_free() after stream_free()
 *
 * A rule belongs to a set of dialects. Rules of a protocol belong to all dialects but those whose documentation says otherwise. Without a
 * dialect, the rules of all are checked: lint_fit() says which gateway the stream looks like, and the findings of its rules count.
 *
 * Pure, as the stream: no descriptor, no clock, no screen.
 */
#ifndef WEIR_WIRE_LINT_H
#define WEIR_WIRE_LINT_H

#include "wire/stream.h"

/* The last findings of a rule are not reported, only counted. */
#define LINT_FINDINGS_MOST 20

enum lint_severity {
	LINT_BREAKS_CLIENTS,  /* there are clients that fail or show something else */
	LINT_BREAKS_PROMISE,  /* the documentation says otherwise; no client is known to fail */
	LINT_UNUSUAL,         /* against no promise, but there are clients that do not expect it */
	LINT_SEVERITIES
};

struct lint_rule; /* a row: immutable, static */

const struct lint_rule *lint_rule_at(size_t index);     /* NULL after the last; ordered by protocol, then by subject */
const struct lint_rule *lint_rule_find(struct str id);  /* NULL if there is none */
size_t lint_rule_index(const struct lint_rule *rule);   /* the index of lint_rule_at() */

const char *lint_rule_id(const struct lint_rule *rule); /* "call-index-missing"; stable */
enum lint_severity lint_rule_severity(const struct lint_rule *rule);
const char *lint_rule_promise(const struct lint_rule *rule); /* what is promised: a sentence without a full stop */
const char *lint_rule_source(const struct lint_rule *rule);  /* the document that says so, and its section */
const char *lint_rule_breaks(const struct lint_rule *rule);  /* which clients are known to fail; NULL: none are known */
bool lint_rule_is_of(const struct lint_rule *rule, const struct protocol *protocol); /* whether streams of a protocol can violate it */
bool lint_rule_holds(const struct lint_rule *rule, const struct dialect *dialect);   /* whether the dialect promises it */

const char *lint_severity_id(enum lint_severity severity);    /* "breaks-clients" */
const char *lint_severity_words(enum lint_severity severity); /* "breaks clients" */

struct lint_finding {
	const struct lint_rule *rule;
	struct frame_place place;  /* frame 0: of no frame. At the end of the stream: the last frame, and the offset of the end */
	size_t frames;             /* how many frames had come when it was found; one more: the end */
	struct str message;  /* what came: one line of UTF-8 without control characters and without a full stop. Borrowed for the call */
};
typedef void lint_sink(void *ctx, const struct lint_finding *finding);

struct lint_options {
	const struct dialect *dialect; /* check its rules only; NULL: check the rules of all */
	struct str request;            /* as for lint_set_request() */
	bool stops_early;              /* the client stops reading at the end mark or an error: what follows may be missing */
};

struct lint; /* heap */

struct lint *lint_new(const struct lint_options *options, lint_sink *sink, void *ctx);
void lint_free(struct lint *lint);
void lint_set_request(struct lint *lint, struct str json); /* the body of the request, which is not kept; STR_NONE: unknown */
const struct stream_tap *lint_tap(struct lint *lint); /* valid as long as `lint` */

size_t lint_count(const struct lint *lint, const struct lint_rule *rule); /* findings so far, also those not reported */
const struct protocol *lint_protocol(const struct lint *lint);           /* of the stream; NULL while unknown */

/* How much of the running turn is checked (setting `lint`). */
enum lint_level {
	LINT_LEVEL_OFF,
	LINT_LEVEL_DIALECT,   /* what breaks clients or the promise of the provider's dialect */
	LINT_LEVEL_STRICT,    /* what is unusual, too */
};
bool lint_level_counts(enum lint_level level, const struct lint_rule *rule);

/* How well the stream so far fits a dialect. */
struct lint_score {
	int marks;          /* what only this gateway sends, weighted */
	size_t against;     /* findings of rules that not every dialect has */
};
struct lint_score lint_score(const struct lint *lint, const struct dialect *dialect);
/* The dialect that fits best: the one given, else that with the most marks and the least against it; "generic" if no gateway fits. */
const struct dialect *lint_fit(const struct lint *lint);

#endif
