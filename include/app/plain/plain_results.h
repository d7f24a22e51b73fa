/*
 * The results of tool calls in the linear mode: each call that waits is told, and the next line answers it.
 */
#ifndef WEIR_APP_PLAIN_RESULTS_H
#define WEIR_APP_PLAIN_RESULTS_H

#include "app/plain/plain_host.h"

struct plain_results { /* its host is set at birth */
	struct plain_host *host;
	unsigned call; /* the one whose result is asked for */
};

void plain_results_ask(struct plain_results *r); /* for those of the last answer, or says that none waits */

#endif
