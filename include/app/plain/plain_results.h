/*
 * The results of tool calls in the linear mode: prints each call that waits for a result; the next line is the result.
 */
#ifndef WEIR_APP_PLAIN_RESULTS_H
#define WEIR_APP_PLAIN_RESULTS_H

#include "app/plain/plain_host.h"

struct plain_results { /* `host` is set by the owner */
	struct plain_host *host;
	unsigned call; /* index of the call whose result is asked for */
};

void plain_results_ask(struct plain_results *r); /* asks for the results of the last answer's calls, or says that none waits */

#endif
