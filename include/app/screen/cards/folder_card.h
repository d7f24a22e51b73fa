/*
 * The card of a folder: its files with sizes and tokens, to mark those that go with the next prompt.
 */
#ifndef WEIR_APP_FOLDER_CARD_H
#define WEIR_APP_FOLDER_CARD_H

#include "app/screen/cards/card_kind.h"
#include "app/setup/context.h"
#include "ui/menu.h"

struct folder_card {
	const struct host *host;
	struct menu *menu;           /* NULL: it is not open */
	struct context_file *files;
	size_t count;
	bool *marked;                /* by file */
	bool cut;                    /* the folder has more */
};

void folder_card_open(struct folder_card *c, const char *folder);
extern const struct card_kind folder_card_kind;

#endif
