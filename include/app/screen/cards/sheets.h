/*
 * The sheets: the details of a turn, its request, what the conversation took, and the form for answering a tool call by hand.
 */
#ifndef WEIR_APP_SHEETS_H
#define WEIR_APP_SHEETS_H

#include "app/screen/cards/card_kind.h"
#include "app/setup/model_list.h"
#include "app/system/messages.h"
#include "ui/sheet.h"

enum sheet_kind { SHEET_DETAILS, SHEET_REQUEST, SHEET_COST, SHEET_MESSAGES, SHEET_ATTACHED, SHEET_CALL };

struct sheets {
	const struct host *host;
	struct sheet *sheet;             /* NULL: no sheet is open */
	enum sheet_kind kind;
	struct turn *turn;               /* whose details or request are shown; borrowed from the conversation, which nothing shrinks meanwhile */
	unsigned call;                   /* index of the call that is being answered */
	bool empty_asked;                /* the user was asked to confirm an empty result: a second Enter sends it */
};

void sheets_open_details(struct sheets *s);
void sheets_open_request(struct sheets *s, struct turn *t); /* of an answer; if it is not known, a message says why */
void sheets_open_cost(struct sheets *s, struct model_list *models);
void sheets_open_attached(struct sheets *s, struct model_list *models); /* what goes with the next prompt, of which there must be something */
void sheets_open_messages(struct sheets *s, const struct messages *messages);
bool sheets_open_call(struct sheets *s, unsigned call);     /* false: no such call is waiting for a result */
struct turn *sheets_turn(const struct sheets *s);           /* whose details or request are open; NULL: none are */
extern const struct card_kind sheets_kind;

#endif
