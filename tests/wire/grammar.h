/*
 * Checks the grammar of deltas (wire/delta.h) from outside: a second opinion on the guard.
 *
 * Put it between a stream and a consumer; `fault` is then NULL, or names the first rule that was broken.
 */
#ifndef WEIR_TESTS_GRAMMAR_H
#define WEIR_TESTS_GRAMMAR_H

#include "wire/delta.h"

#define GRAMMAR_TOOLS 64

struct grammar { /* zeroed at birth, but for next */
	delta_sink *next;
	void *ctx;
	const char *fault;
	bool begun, finished, failed;
	unsigned ends;
	unsigned tools;
	bool open[GRAMMAR_TOOLS];
};

void grammar_delta(void *grammar, const struct delta *delta); /* a delta_sink */

/* The turn is over: NULL when it was one. */
const char *grammar_fault(const struct grammar *grammar);

#endif
