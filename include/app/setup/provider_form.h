/*
 * The form that sets up a provider: key, base URL, how the key is kept; for a new provider also its name, protocol and auth.
 *
 * Its end tests (app/setup/provider_setup.h); what is good is kept, and the menu of its models opens. A test that fails says why and leaves the
 * form open, with what was said. A key that was typed stands in the form and nowhere else until then; its memory is wiped.
 */
#ifndef WEIR_APP_PROVIDER_FORM_H
#define WEIR_APP_PROVIDER_FORM_H

#include "app/setup/form_table.h"
#include "app/setup/provider_setup.h"

#define PROVIDER_FORM_FIELDS 8

struct provider_form { /* the subject of the table */
	struct provider_setup test;      /* its owner adds the member of it to the loop */
	struct model_list *models;       /* takes the list that came */
	const struct provider *provider; /* NULL: one is added */
	char *texts[PROVIDER_FORM_FIELDS];
	size_t chosen[PROVIDER_FORM_FIELDS];
	bool again;                      /* in the linear mode: a try has failed, and an empty line keeps what was said before it */
};

/* `ended`: the test is over, and the form has to be finished. */
void provider_form_init(struct provider_form *f, struct setup *setup, struct model_list *models, void (*ended)(void *ctx), void *ctx);
void provider_form_take(struct provider_form *f, const struct provider *p); /* before the form is opened. NULL: one is added */
void provider_form_drop(void *form);

extern const struct form_table provider_form;

#endif
