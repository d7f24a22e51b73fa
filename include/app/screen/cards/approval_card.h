/*
 * The card of a call that asks whether it may run (app/session/session_runs.h), docked above the input: the program with each argument on its own
 * row, the folder and the variables, as they will be. What the model says about it is not on it; what the server of a tool says is its last row.
 *
 * No letter counts before its keys were drawn, which they are when no key came for a while. A letter counts when nothing was typed for that
 * while behind it. Other text is meant for the input: it goes there, and the card steps back. `y` and `a` work, and are among the
 * keys, only when the last row of the call was on the screen.
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
	int64_t quiet_ms;                /* when it was opened, or the last key came */
	bool armed;                      /* its keys are shown */
	char letter;                     /* one of its own that waits; 0: none */
};

bool approval_card_open(struct approval_card *c); /* false: no call asks, and no rounds are held */
extern const struct card_kind approval_card_kind;

#endif
