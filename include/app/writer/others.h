/*
 * Others: turns that another program added to the stored conversation that goes on here. They become branches of it, so that nothing of either
 * is lost.
 */
#ifndef WEIR_APP_OTHERS_H
#define WEIR_APP_OTHERS_H

#include "app/writer/keeper.h"

/*
 * Adds what the keeper found (keeper_has_others()) to the conversation with that row, without a change of its path, and returns the number of
 * turns. An answer that the other program still receives is added by a later call: keeper_has_others() stays true.
 */
size_t others_add(struct keeper *k, struct conversation *c, int64_t row);

#endif
