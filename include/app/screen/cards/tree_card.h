/*
 * The card of the tree: all turns of the conversation as rows, those of the path marked. Opens, folds, labels, copies and deletes
 * branches (app/screen/services/branches.h).
 */
#ifndef WEIR_APP_TREE_CARD_H
#define WEIR_APP_TREE_CARD_H

#include "app/keep/tree_rows.h"
#include "app/screen/services/branches.h"
#include "app/screen/services/mode.h"
#include "ui/form.h"
#include "ui/table.h"

struct tree_card {
	const struct host *host;
	struct tree_rows rows;
	struct table *table;   /* NULL: it is not open */
	struct form *form;     /* over it: a label that is typed; NULL: none is */
	char asks;             /* the letter whose question is open; 0: none is */
};

void tree_card_init(struct tree_card *c, const struct host *host);
void tree_card_open(struct tree_card *c);
void tree_card_close(struct tree_card *c);  /* legal when it is not open */
void tree_card_update(struct tree_card *c); /* call when a turn began or ended */
void tree_card_draw(struct tree_card *c, struct canvas *canvas);
extern const struct mode tree_card_mode;

#endif
