/*
 * The log of `weir proxy` on standard error: a line for each finding when it is found, and one for the end of each exchange; with --json each
 * line is an object. Callers have masked the secrets of requests.
 *
 * Requests do not wait for the reader of the log: up to 1 MB of lines that standard error does not take is kept, further lines are dropped and
 * counted.
 */
#ifndef WEIR_APP_PROXY_LOG_H
#define WEIR_APP_PROXY_LOG_H

#include "app/system/output.h"
#include "wire/lint/lint.h"

struct proxy_entry { /* an exchange, borrowed; absent texts are unknown */
	size_t number;                /* from 1 */
	struct str method, path;
	const char *provider;
	const struct protocol *protocol;
	struct str model;
	int status;                   /* 0: no response came */
	const char *outcome;          /* of the answer, else how the response ended */
	struct str why;               /* what broke the response, or why it was refused */
	double at_ms;                 /* of the end */
	const char *tape;             /* its path; NULL: there is none */
	struct str lack;              /* why there is no tape, or not all of it */
	size_t findings;
};

struct proxy_log {
	struct output out;
	bool json;
	struct buf waiting;           /* lines that standard error has not taken yet */
	size_t lost;                  /* lines dropped since the last notice of it */
};

void proxy_log_init(struct proxy_log *log, bool json);
void proxy_log_fini(struct proxy_log *log);
bool proxy_log_waits(const struct proxy_log *log); /* lines are kept: call proxy_log_run() when standard error is writable */
void proxy_log_run(struct proxy_log *log);

void proxy_log_end(struct proxy_log *log, const struct proxy_entry *entry);
void proxy_log_finding(struct proxy_log *log, const struct proxy_entry *entry, const struct lint_finding *finding);
void proxy_log_notice(struct proxy_log *log, const char *text);

#endif
