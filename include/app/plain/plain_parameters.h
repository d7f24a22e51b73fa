/*
 * The conversation's parameters in the linear mode: the fields of the form (app/screen/cards/parameter_form.h) as questions, one after the other.
 * An empty line keeps what is set; Ctrl-C leaves the rest as it is.
 */
#ifndef WEIR_APP_PLAIN_PARAMETERS_H
#define WEIR_APP_PLAIN_PARAMETERS_H

#include "app/plain/plain_host.h"

struct plain_parameters {
	struct plain_host *host;
	int at; /* enum parameter: the one that is asked for */
};

void plain_parameters_ask(struct plain_parameters *p);

#endif
