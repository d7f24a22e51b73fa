/*
 * The numbered menus of the linear mode: a list, printed in pages; the next line chooses an item.
 */
#ifndef WEIR_APP_PLAIN_MENU_H
#define WEIR_APP_PLAIN_MENU_H

#include "app/plain/plain_host.h"
#include "app/setup/local_servers.h"
#include "app/setup/model_list.h"

enum plain_list { PLAIN_MODELS, PLAIN_PROTOCOLS, PLAIN_PROVIDERS, PLAIN_ROLES };

struct plain_item {
	char *name, *fact;
	bool current;
};

struct plain_menu {
	struct plain_host *host;
	struct model_list *models;
	struct local_servers servers; /* what is known when the list is told */
	enum plain_list list;
	struct plain_item *items;
	size_t count, capacity;
	size_t told;  /* number of items printed so far */
	bool waits;   /* the list is being fetched, or servers on this machine have not answered */
};

/* Borrows both arguments. */
void plain_menu_init(struct plain_menu *m, struct plain_host *host, struct model_list *models);
void plain_menu_fini(struct plain_menu *m);

void plain_menu_open(struct plain_menu *m, enum plain_list list);
bool plain_menu_waits(const struct plain_menu *m); /* the menu is open but its list is not there yet */
void plain_menu_models_ran(struct plain_menu *m);  /* call when the model list may have changed */
struct loop_member plain_menu_servers_member(struct plain_menu *m); /* of the servers that a list of providers asks */

#endif
