/*
 * The form that sets up a provider: key, base URL, how the key is kept; for a new provider also its name, protocol and auth.
 *
 * Enter tests (app/setup/provider_setup.h); what is good is kept, and the menu of its models opens. A test that fails says why and leaves the
 * form open. A key that was typed stands in the form and nowhere else until then.
 */
#ifndef WEIR_APP_SETUP_FORM_H
#define WEIR_APP_SETUP_FORM_H

#include "app/screen/cards/card_kind.h"
#include "app/setup/provider_setup.h"
#include "ui/form.h"

struct setup_form {
	const struct host *host;
	struct model_list *models;       /* takes the list that came */
	struct form *form;               /* NULL: it is not open */
	char *name;                      /* the provider's; NULL: one is added */
	struct provider_setup test;
};

void setup_form_open(struct setup_form *f, const struct provider *p); /* NULL: one is added */
extern const struct card_kind setup_form_kind; /* closed, nothing is kept */

#endif
