/*
 * Which findings of `weir lint` are reported, and which make it fail: --ignore, --baseline and --fail-on.
 *
 * A baseline is the output of an earlier `weir lint --json`. A finding with the same file, rule and message as one of them is known, as many
 * times as it is in the baseline. If a rule has so many findings there that further ones were only counted, further ones are known too.
 */
#ifndef WEIR_APP_LINT_FILTER_H
#define WEIR_APP_LINT_FILTER_H

#include "app/lint/lint_report.h"

struct options;

struct lint_filter; /* heap */

MUST_USE bool lint_filter_open(struct lint_filter **filter, const struct options *o, struct error *err);
void lint_filter_free(struct lint_filter *filter); /* NULL is allowed */

void lint_filter_apply(struct lint_filter *filter, struct lint_report *report); /* to a closed report: takes findings out of it */
bool lint_filter_heeds(const struct lint_filter *filter, enum lint_severity severity); /* findings of it make exit status 1 */
bool lint_filter_fails(const struct lint_filter *filter, const struct lint_report *report); /* what is left is exit status 1 */

#endif
