/*
 * The findings of `weir lint`, and the forms in which they are printed: a table for people, JSON, SARIF 2.1.0.
 */
#ifndef WEIR_APP_LINT_REPORT_H
#define WEIR_APP_LINT_REPORT_H

#include "app/output.h"
#include "wire/lint/lint.h"

/* The findings of one file. */
struct lint_report {
	const char *path;            /* "-": standard input. Borrowed */
	bool is_plain;               /* a body and not a tape: offsets are those of the file */
	const struct lint *lint;     /* for counts and the fit. Borrowed */
	const struct dialect *dialect; /* whose rules count */
	bool guessed;                /* it is the one that fits best */
	struct lint_kept {
		const struct lint_rule *rule;
		struct frame_place place;
		char *message;
	} *findings;                 /* owned; sorted by severity and rule once lint_report_close() was called */
	size_t count, capacity;
};

void lint_report_take(void *report, const struct lint_finding *finding); /* a lint_sink: keeps a copy */
/* Decides the dialect, drops findings of rules that it does not have, and sorts the rest. */
void lint_report_close(struct lint_report *report);
void lint_report_fini(struct lint_report *report);

/* A form: begin once, file for each report, end once. Appends to `out`. */
struct lint_form {
	void (*begin)(struct buf *out);
	void (*file)(const struct lint_report *report, bool first, struct buf *out);
	void (*end)(size_t files, size_t files_with, size_t findings, struct buf *out);
};
extern const struct lint_form lint_table, lint_json, lint_sarif;

void lint_write_rules(bool json, struct buf *out);               /* all rules */
void lint_write_rule(const struct lint_rule *rule, struct buf *out); /* one rule, explained */

#endif
