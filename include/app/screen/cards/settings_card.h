/*
 * The card of all settings, in groups: value, what it is, where the value comes from, what it may be. A value that is the default is muted. A
 * change acts at once; Ctrl-S writes the value that is in use into weir.conf. What one types filters the rows. What has a menu of its own opens
 * that; when it is left, the card is back.
 */
#ifndef WEIR_APP_SETTINGS_CARD_H
#define WEIR_APP_SETTINGS_CARD_H

#include "app/screen/cards/card_kind.h"
#include "store/config/settings.h"
#include "ui/form.h"
#include "ui/list.h"
#include "ui/menu.h"

struct cards;
struct model_list;

struct settings_card {
	const struct host *host;
	const struct cards *cards;       /* it is one of them */
	struct model_list *models;
	bool open;
	bool away;                       /* a menu that it opened is in its place */
	struct edit filter;
	size_t shown[SETTINGS_MOST], count; /* the settings that match it */
	struct list_state list;          /* rows are those, in their order */
	struct buf value, origin;        /* of one row */
	struct form *form;               /* the form over it, in which a value is typed; NULL: none */
	struct menu *menu;               /* the menu over it, of the words that a setting takes; NULL: none */
	size_t listed;                   /* models in the list when it was looked at last */
};

void settings_card_open(struct settings_card *c);
extern const struct card_kind settings_card_kind;
void settings_card_models_ran(struct settings_card *c); /* call when the model list may have changed */

#endif
