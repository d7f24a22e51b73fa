/*
 * The card of stored conversations: filter, full-text search, opening, renaming, pinning, deleting and saving one. Its rows are read in the
 * loop, after it was drawn.
 */
#ifndef WEIR_APP_LIST_CARD_H
#define WEIR_APP_LIST_CARD_H

#include "app/keep/conversation_list.h"
#include "app/screen/cards/card_kind.h"
#include "ui/form.h"
#include "ui/list.h"

struct list_card {
	const struct host *host;
	struct conversation_list list;
	struct edit filter;
	struct list_state state;
	struct buf facts;        /* of one row */
	struct form *form;       /* a new title, or the file to save to; NULL: none */
	bool saves;              /* that form asks for a file */
	bool asks;               /* whether the marked conversation is to be deleted */
	bool open;
	bool drawn;              /* since the last change: what is left to read may be read now */
	bool steered;            /* the user moved to a row: Enter opens it, and runs no command that the filter names */
	bool said;               /* the trouble with reading was told */
};

void list_card_open(struct list_card *c, struct str filter); /* says so if there is nothing to list */
extern const struct card_kind list_card_kind;

#endif
