/*
 * The menus: palette, help, providers, models, protocols, roles, templates, themes, and what is compared. A theme takes effect immediately,
 * other choices from the next turn.
 */
#ifndef WEIR_APP_MENUS_H
#define WEIR_APP_MENUS_H

#include "app/compare/compare_candidates.h"
#include "app/screen/cards/card_kind.h"
#include "app/screen/input/composer.h"
#include "app/screen/services/theme_choice.h"
#include "app/setup/local_servers.h"
#include "app/setup/model_list.h"
#include "ui/menu.h"

enum menu_kind { MENU_PALETTE, MENU_HELP, MENU_PROVIDERS, MENU_MODELS, MENU_PROTOCOLS, MENU_ROLES, MENU_TEMPLATES, MENU_THEMES, MENU_COMPARE };

/* Rows of MENU_HELP on all its pages (src/app/screen/cards/help.c). */
struct help_rows { struct help_row *rows; size_t count, capacity; unsigned page; };

struct menus {
	const struct host *host;
	struct theme_choice *themes;
	struct model_list *models;
	struct local_servers servers;
	struct composer *composer;       /* a command that wants words is written there */
	struct menu *menu;               /* NULL: none is open */
	enum menu_kind kind;
	enum models_state shown;         /* state of the model list when the menu was filled */
	struct compare_candidates candidates; /* rows of MENU_COMPARE */
	const struct provider **providers; /* rows of MENU_PROVIDERS in their order, then NULL */
	struct help_rows help;           /* while MENU_HELP is open */
	bool current_is_extra;           /* the list lacks the current model, which is added as the first row */
};

void menus_open(struct menus *m, enum menu_kind kind);
void menus_open_help(struct menus *m, bool streams);        /* on its first page, or on that of streams, which has the inspector's keys */
extern const struct card_kind menus_kind;
void menus_models_ran(struct menus *m);                     /* call when the model list may have changed */

#endif
