/*
 * The cards of the chat: parts that lie over the page, or are docked above the input, and get keys before others. At most one is open.
 *
 * A card is one word in CARDS. It has a `struct NAME`, which is embedded in `struct cards`, and a `const struct card_kind NAME_kind`; the
 * compiler or the linker names what is missing. All other places (keys, drawing, Ctrl-C, pasted text, the loop, the end) walk the rows.
 */
#ifndef WEIR_APP_CARDS_H
#define WEIR_APP_CARDS_H

#include "app/screen/cards/approval_card.h"
#include "app/screen/cards/folder_card.h"
#include "app/screen/cards/form_card.h"
#include "app/screen/cards/list_card.h"
#include "app/screen/cards/menus.h"
#include "app/screen/cards/settings_card.h"
#include "app/screen/cards/sheets.h"
#include "app/screen/cards/tools_card.h"
#include "app/screen/cards/tree_card.h"

#define CARDS(X) X(menus) X(sheets) X(settings_card) X(tree_card) X(list_card) X(form_card) X(folder_card) X(tools_card) X(approval_card)

struct cards {
#define CARDS_MEMBER(name) struct name name;
	CARDS(CARDS_MEMBER)
#undef CARDS_MEMBER
};

void cards_init(struct cards *cards, const struct card_tools *tools); /* keeps what `tools` names, not `tools` */
void cards_fini(struct cards *cards);
void cards_add_members(struct cards *cards, struct loop *loop);

bool cards_are_open(const struct cards *cards);   /* one of them is */
void cards_close(struct cards *cards);            /* the open one; nothing is chosen */
void cards_draw(struct cards *cards, struct canvas *canvas); /* the open one, unless it is docked */
struct sheet *cards_docked(const struct cards *cards); /* the sheet of the open card that is docked above the input; NULL: none */

#endif
