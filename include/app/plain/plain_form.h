/*
 * A form (app/setup/form_table.h) in the linear mode: its fields as questions, one after the other. Ctrl-C leaves the rest as it is.
 */
#ifndef WEIR_APP_PLAIN_FORM_H
#define WEIR_APP_PLAIN_FORM_H

#include "app/plain/plain_host.h"
#include "app/setup/form_table.h"

struct plain_form { /* `host` and `alone` are set by the owner */
	struct plain_host *host;
	const bool *alone;               /* whether the line came by itself */
	const struct form_table *table;
	void *subject;
	size_t field;                    /* the one that is asked for */
	struct plain_question question;
};

void plain_form_open(struct plain_form *f, const struct form_table *table, void *subject); /* borrows both until it is left */
MUST_USE bool plain_form_ended(struct plain_form *f, const void *subject); /* what it waited for is over; false: it was left meanwhile */

#endif
