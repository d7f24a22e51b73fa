/*
 * Others: turns that another program added to the stored conversation that goes on here. They become branches of it, so that nothing of either
 * is lost.
 */
#ifndef WEIR_APP_FOREIGN_TURNS_H
#define WEIR_APP_FOREIGN_TURNS_H

#include "app/keep/writer.h"

/*
 * Adds what the writer found (writer_has_foreign_turns()) to the conversation with that row, without a change of its path, and returns the number of
 * turns. An answer that the other program still receives is added by a later call: writer_has_foreign_turns() stays true.
 */
size_t foreign_turns_add(struct writer *w, struct conversation *c, int64_t row);

#endif
