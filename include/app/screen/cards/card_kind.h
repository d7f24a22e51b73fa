/*
 * What a card of the chat does (app/screen/cards/cards.h has the table of cards). `card` is the part: its `struct menus`, for example.
 */
#ifndef WEIR_APP_CARD_KIND_H
#define WEIR_APP_CARD_KIND_H

#include "app/screen/services/host.h"
#include "app/screen/services/mode.h"
#include "app/system/loop.h"

struct cards;
struct composer;
struct model_list;
struct sheet;
struct theme_choice;

/* What cards borrow for their lives. */
struct card_tools {
	const struct host *host;
	const struct cards *cards;
	struct theme_choice *themes;
	struct model_list *models;
	struct composer *composer;
};

struct card_kind {
	/* All of these are set. */
	struct mode mode;                 /* its `close` closes the card without a choice, and is legal when it is not open */
	void (*init)(void *card, const struct card_tools *tools);
	void (*draw)(void *card, struct canvas *canvas); /* while it is open and not docked */

	/* NULL: it has none. */
	struct sheet *(*docked)(const void *card); /* of an open card: the sheet that is docked above the input; NULL: none */
	struct loop_member (*member)(void *card);  /* its member of the loop */
	void (*fini)(void *card);         /* after its `close` */
};

#endif
