/*
 * The card of a form (app/setup/form_table.h). Enter takes all fields or none; a form that waits for its end stays open meanwhile, and again
 * when that was bad. One that comes by itself takes no key before its keys were shown, which they are when none came for a while; text that is typed
 * earlier goes into the input, and the card closes. The key of /editor opens the user's editor for the text with the focus.
 */
#ifndef WEIR_APP_FORM_CARD_H
#define WEIR_APP_FORM_CARD_H

#include "app/screen/cards/card_kind.h"
#include "app/setup/form_table.h"

struct form_card {
	const struct host *host;
	struct form *form;               /* NULL: it is not open */
	const struct form_table *table;
	void *subject;
	struct composer *composer;       /* whose editor is for texts, too */
	size_t edited;                   /* the field that is in the editor */
	bool edits;                      /* it is, and the card was not closed since */
	bool waits;                      /* its table has begun, and form_card_ended() will follow */
	bool calm;                       /* its keys are shown, and work */
	int64_t quiet_ms;                /* when it was opened, or a key came too early */
};

void form_card_open(struct form_card *c, const struct form_table *table, void *subject); /* borrows both until it is closed */
void form_card_ended(struct form_card *c); /* what the form waited for is over */
extern const struct card_kind form_card_kind; /* closed, nothing is taken */

#endif
