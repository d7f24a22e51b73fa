/*
 * Checks the grammar of deltas (wire/delta.h) independently of the guard.
 *
 * Insert it between a stream and a consumer. `fault` names the first violated rule; NULL: none.
 */
#ifndef WEIR_TESTS_GRAMMAR_H
#define WEIR_TESTS_GRAMMAR_H

#include "wire/delta.h"

#define GRAMMAR_ITEMS 64 /* of each kind, whose order is checked */

struct grammar { /* zero it to initialize, then set `next` and `ctx` */
	delta_sink *next;
	void *ctx;
	const char *fault;
	bool begun, finished, failed;
	unsigned ends;
	struct grammar_items { unsigned count; bool open[GRAMMAR_ITEMS]; } tools, media, server_tools;
};

void grammar_delta(void *grammar, const struct delta *delta); /* a delta_sink */

/* Call after the turn. NULL if the grammar was followed, else the violated rule. */
const char *grammar_fault(const struct grammar *grammar);

#endif
