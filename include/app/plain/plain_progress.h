/*
 * The progress of the running turn in the linear mode: states, waits, elapsed time, and advice when the turn fails.
 */
#ifndef WEIR_APP_PLAIN_PROGRESS_H
#define WEIR_APP_PLAIN_PROGRESS_H

#include "app/plain/plain_approval.h"
#include "app/plain/plain_menu.h"

struct plain_progress { /* `host`, `menu`, `approval` and `models` are set by the owner */
	struct plain_host *host;
	struct plain_menu *menu;  /* opened when the server does not know the model */
	struct plain_approval *approval; /* asks for calls, and whether to go on */
	bool held;                /* it was asked whether to go on */
	struct model_list *models; /* says how large the context window is */
	bool model_unknown;       /* the menu is still to be opened */
	unsigned retry;           /* number of the retry that was reported last; 0: none in this turn */
	int64_t last_told_ms;     /* time of the last report */
};

void plain_progress_turn_ended(struct plain_progress *g, const struct turn *turn);
void plain_progress_tell(struct plain_progress *g, int64_t now_ms);
int64_t plain_progress_deadline(const struct plain_progress *g);

#endif
