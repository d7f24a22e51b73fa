/*
 * The card of all settings: value, where it comes from, what it is for and what it may be. A change acts at once; `w` writes the value that
 * is in use into weir.conf.
 */
#ifndef WEIR_APP_SETTINGS_CARD_H
#define WEIR_APP_SETTINGS_CARD_H

#include "app/screen/services/host.h"
#include "app/screen/services/mode.h"
#include "ui/form.h"
#include "ui/table.h"

struct settings_card {
	const struct host *host;
	struct table *table;             /* NULL: it is not open */
	struct form *form;               /* the form over it, in which a value is typed; NULL: none */
};

void settings_card_init(struct settings_card *c, const struct host *host);
void settings_card_open(struct settings_card *c);
void settings_card_close(struct settings_card *c); /* legal when it is not open */
void settings_card_draw(struct settings_card *c, struct canvas *canvas);
extern const struct mode settings_card_mode;

#endif
