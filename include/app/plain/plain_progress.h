/*
 * What the linear mode says of the turn under way beside its text: states, waits, how long it takes, and what helps when it ends badly.
 */
#ifndef WEIR_APP_PLAIN_PROGRESS_H
#define WEIR_APP_PLAIN_PROGRESS_H

#include "app/plain/plain_menu.h"

struct plain_progress { /* host and menu are set at birth */
	struct plain_host *host;
	struct plain_menu *menu;  /* opened when the server did not know the model */
	bool model_unknown;       /* that is due */
	unsigned retry;           /* the wait for another attempt that was told last; 0: none of this turn */
	int64_t last_told_ms;
};

void plain_progress_turn_ended(struct plain_progress *g, const struct turn *turn);
void plain_progress_tell(struct plain_progress *g, int64_t now_ms);
int64_t plain_progress_deadline(const struct plain_progress *g);

#endif
