/*
 * Branches of the conversation on the full screen: what a key, a click or the tree does to the session, with the transcript kept where the
 * user reads. Each says in words what it did, or why it cannot.
 */
#ifndef WEIR_APP_BRANCHES_H
#define WEIR_APP_BRANCHES_H

#include "app/screen/services/host.h"

bool branches_select(const struct host *h, struct turn *turn);  /* leads the path through the turn; false: refused */
/* To the older (-1) or newer (1) sibling of the turn that the page is on, else of the last turn of the path that has one. */
void branches_step(const struct host *h, int step);
void branches_tell_left(const struct host *h);                  /* tells session_left() and the key that goes there; nothing if it is 0 */
bool branches_remove(const struct host *h, struct turn *turn);  /* with all below it; false: refused */
bool branches_copy(const struct host *h, const struct turn *end); /* goes on in a copy of the path up to `end`; false: refused */
bool branches_undo(const struct host *h);                       /* false: there is nothing to undo, or it was refused */

#endif
