/*
 * The numbered menus of the linear mode: a list that is told in pages, and a line that chooses.
 */
#ifndef WEIR_APP_PLAIN_MENU_H
#define WEIR_APP_PLAIN_MENU_H

#include <stdbool.h>
#include <stddef.h>

enum plain_list { PLAIN_MODELS, PLAIN_PROTOCOLS, PLAIN_PROVIDERS };

struct plain_item {
	char *name, *fact;
	bool current;
};

struct plain_menu { /* zeroed at birth */
	enum plain_list list;
	struct plain_item *items;
	size_t count, capacity;
	size_t told;  /* items told so far, in order */
	bool waits;   /* its items are on their way */
};

void plain_menu_fini(struct plain_menu *m);

#endif
