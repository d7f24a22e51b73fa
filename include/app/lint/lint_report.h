/*
 * The findings of `weir lint`, and the forms in which they are printed: a table for people, JSON, SARIF 2.1.0.
 */
#ifndef WEIR_APP_LINT_REPORT_H
#define WEIR_APP_LINT_REPORT_H

#include "app/system/output.h"
#include "base/json_write.h"
#include "net/tape.h"
#include "wire/lint/lint.h"

/* The findings of one file. */
struct lint_report {
	const char *path;            /* "-": standard input. Borrowed */
	const struct tape *tape;     /* the file. Borrowed */
	const struct lint *lint;     /* for counts and the fit. Borrowed */
	const struct dialect *dialect; /* whose rules count */
	bool guessed;                /* it is the one that fits best */
	struct lint_kept {
		const struct lint_rule *rule;
		struct frame_place place;
		char *message;
		size_t of_rule;          /* all findings of its rule, also those that were only counted */
	} *findings;                 /* owned; sorted by severity and rule once lint_report_close() was called */
	size_t count, capacity;
	size_t known, ignored;       /* findings that lint_filter_apply() took out */
};

void lint_report_take(void *report, const struct lint_finding *finding); /* a lint_sink: keeps a copy */
/* Decides the dialect, drops findings of rules that it does not have, and sorts the rest. */
void lint_report_close(struct lint_report *report);
void lint_report_fini(struct lint_report *report);
size_t lint_report_total(const struct lint_report *report); /* also those that were only counted */

/* A form: begin once, file for each report, end once. Appends to `out`. */
struct lint_form {
	void (*begin)(struct buf *out);
	void (*file)(const struct lint_report *report, bool first, struct buf *out);
	void (*end)(size_t files, size_t files_with, size_t findings, struct buf *out);
};
extern const struct lint_form lint_table, lint_json, lint_sarif;

void lint_write_place(struct json_writer *w, const struct frame_place *place);   /* members of an open object */
void lint_write_promise(struct json_writer *w, const struct lint_rule *rule);
void lint_write_rules(bool json, struct buf *out);               /* all rules */
void lint_write_rule(const struct lint_rule *rule, struct buf *out); /* one rule, explained */

#endif
