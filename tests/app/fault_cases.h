/*
 * All ways in which a stream can end or break, with the expected outcome, exit status of `ask`, kept text and message. They are run
 * headless (test_faults.c) and on the screen (test_screen_faults.c).
 */
#ifndef WEIR_TESTS_FAULT_CASES_H
#define WEIR_TESTS_FAULT_CASES_H

#include "base/text.h"

struct fault_case {
	const char *what;
	const char *protocol;  /* NULL: openai-chat */
	const char *script;    /* script for tests/support/faulty.h */
	const char *outcome;
	int status;
	const char *text;      /* expected text; NULL: not checked */
	const char *words;     /* expected in the summary's error or on standard error; NULL: not checked */
	bool on_screen;
};

extern const struct fault_case fault_cases[]; /* ends with a row whose `what` is NULL */

/* weir.conf for a provider "box" at a port, with the limits that the case needs. */
void fault_settings(const struct fault_case *c, unsigned port, struct buf *out);

#endif
