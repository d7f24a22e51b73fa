/*
 * The card of a call that asks whether it may run (app/session/session_runs.h), docked above the input: the program with each argument on its own
 * row, the folder and the variables, as they will be. What the model and the tool say about themselves is not on it.
 *
 * It takes no key before its keys were drawn, which they are when nothing was typed for a while; a letter that is typed earlier goes into the
 * input, and the card steps back. A letter counts if it
 * came alone. `y` works only when the last row of the call was on the screen.
 */
#ifndef WEIR_APP_APPROVAL_CARD_H
#define WEIR_APP_APPROVAL_CARD_H

#include "app/screen/cards/card_kind.h"
#include "ui/sheet.h"

enum approval_form { APPROVAL_ASKS, APPROVAL_EDITS, APPROVAL_WORD, APPROVAL_ROUNDS };

struct approval_card {
	const struct host *host;
	struct sheet *sheet;             /* NULL: it is not open */
	enum approval_form form;
	uint64_t shown;                  /* the plan (app/tools/tool_calls.h) */
	int64_t quiet_ms;                /* when it was opened, or a key came before its keys were shown */
	bool armed;                      /* its keys are shown */
	char letter;                     /* typed in this turn of the loop; 0: none */
	bool burst;                      /* others came with it: none of them counts */
};

bool approval_card_open(struct approval_card *c); /* false: no call asks, and no rounds are held */
extern const struct card_kind approval_card_kind;

#endif
