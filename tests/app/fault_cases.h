/*
 * Each way in which a stream can end or break, with what must come of it: the outcome, the exit status of `ask`, the text that is
 * kept, and words that the user reads. Run headless (test_faults.c) and on the screen (test_screen_faults.c).
 */
#ifndef WEIR_TESTS_FAULT_CASES_H
#define WEIR_TESTS_FAULT_CASES_H

#include "base/text.h"

struct fault_case {
	const char *what;
	const char *protocol;  /* NULL: openai-chat */
	const char *script;    /* of tests/support/faulty.h */
	const char *outcome;
	int status;
	const char *text;      /* NULL: not looked at */
	const char *words;     /* in the summary's error or on standard error; NULL: none are looked for */
	bool on_screen;
};

extern const struct fault_case fault_cases[]; /* ends with a NULL `what` */

/* weir.conf for a provider "box" at a port, with the limits that the case needs. */
void fault_settings(const struct fault_case *c, unsigned port, struct buf *out);

#endif
