/*
 * The question whether a call may run, in the linear mode: what would run, one row each, then y, a, n or e. Only a line that was typed, and came
 * alone, says yes; from a pipe nothing is approved.
 */
#ifndef WEIR_APP_PLAIN_APPROVAL_H
#define WEIR_APP_PLAIN_APPROVAL_H

#include "app/plain/plain_host.h"

struct plain_approval { /* `host` and `alone` are set by the owner */
	struct plain_host *host;
	const bool *alone;   /* the current line was typed, and came alone */
	uint64_t shown;      /* the plan that was told last */
};

bool plain_approval_open(struct plain_approval *a); /* false: nothing asks */

#endif
