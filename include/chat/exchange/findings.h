/*
 * The findings of lint in one answer, kept, with the number of frames that had come when each was made: a live answer counts them as they
 * come, the player at any position.
 *
 * A finding may be about an earlier place, or about none: the stream as a whole. As many of a rule are kept as lint reports (LINT_FINDINGS_MOST).
 */
#ifndef WEIR_CHAT_FINDINGS_H
#define WEIR_CHAT_FINDINGS_H

#include "base/text.h"
#include "net/tape.h"
#include "wire/lint/lint.h"

struct finding {
	const struct lint_rule *rule;
	struct frame_place place;   /* as in struct lint_finding */
	const char *message;        /* what came */
	size_t frames;              /* as in struct lint_finding */
};

struct findings; /* heap */

/* NULL for LINT_LEVEL_OFF; every function but findings_tap() takes that as an answer that is not checked. */
struct findings *findings_new(enum lint_level level, const struct lint_options *options);
/* As a running answer is checked: without a dialect of the stream, by what its protocol promises. */
struct findings *findings_of_tape(enum lint_level level, const struct tape *tape, const struct stream_options *stream);
void findings_free(struct findings *f);
const struct stream_tap *findings_tap(struct findings *f); /* NULL if it is not checked. To be freed after the stream that it observes */
void findings_set_request(struct findings *f, struct str json); /* as lint_set_request() */

size_t findings_count(const struct findings *f);
const struct finding *findings_at(const struct findings *f, size_t index); /* in the order in which they were made */
/* how many were made by the time so many frames had come; one more than there are: all */
size_t findings_until(const struct findings *f, size_t frames);
/* Appends "lint: 2 findings: RULE, RULE": each rule once. Nothing if there is no finding. */
void findings_tell(const struct findings *f, struct buf *out);

#endif
