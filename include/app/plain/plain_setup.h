/*
 * Setting up a provider in the linear mode: the fields of the form (app/screen/cards/setup_form.h) as questions, one a line. An empty line to a
 * question that needs an answer leaves; nothing is kept before the test at the end. What cannot work is asked for again at once.
 */
#ifndef WEIR_APP_PLAIN_SETUP_H
#define WEIR_APP_PLAIN_SETUP_H

#include "app/plain/plain_host.h"
#include "app/setup/provider_setup.h"

struct plain_setup {
	struct plain_host *host;
	struct model_list *models;       /* takes the list that came */
	struct provider_setup test;
	char *name;
	bool is_new;
	const struct protocol *protocol;
	const char *auth;
	enum key_keeping keep;
	char *key;                       /* wiped */
	char *url;                       /* the base URL that was typed last; NULL: none */
};

void plain_setup_init(struct plain_setup *s, struct plain_host *host, struct model_list *models);
void plain_setup_fini(struct plain_setup *s);
void plain_setup_open(struct plain_setup *s, const struct provider *p); /* NULL: one is added */

#endif
