/*
 * The form of the conversation's parameters (app/setup/parameter_change.h): temperature, maximum of tokens, reasoning, top_p. Beside each field
 * stand the value in use, where it comes from, and its range. Enter takes all fields or none; an empty one is not set here.
 */
#ifndef WEIR_APP_PARAMETER_FORM_H
#define WEIR_APP_PARAMETER_FORM_H

#include "app/screen/cards/card_kind.h"
#include "ui/form.h"

struct parameter_form {
	const struct host *host;
	struct form *form; /* NULL: it is not open */
};

void parameter_form_open(struct parameter_form *f);
extern const struct card_kind parameter_form_kind; /* closed, nothing is changed */

#endif
