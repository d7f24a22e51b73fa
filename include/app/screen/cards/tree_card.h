/*
 * The card of the tree: all turns of the conversation as rows, those of the path marked. Opens, folds, labels, copies and deletes
 * branches (app/screen/services/branches.h).
 */
#ifndef WEIR_APP_TREE_CARD_H
#define WEIR_APP_TREE_CARD_H

#include "app/keep/tree_rows.h"
#include "app/screen/cards/card_kind.h"
#include "app/screen/services/branches.h"
#include "ui/form.h"
#include "ui/list.h"

struct tree_card {
	const struct host *host;
	struct tree_rows rows;
	bool open;
	struct list_state list;
	struct buf words, note; /* of one row */
	struct form *form;     /* over it: a label that is typed; NULL: none is */
	char asks;             /* the letter whose question is open; 0: none is */
};

void tree_card_open(struct tree_card *c);
void tree_card_update(struct tree_card *c); /* call when a turn began or ended */
extern const struct card_kind tree_card_kind;

#endif
