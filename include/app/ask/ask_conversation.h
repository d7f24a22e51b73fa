/*
 * A stored conversation that goes on: its turns as they are shown, and what it was held with.
 */
#ifndef WEIR_APP_ASK_CONVERSATION_H
#define WEIR_APP_ASK_CONVERSATION_H

#include "app/setup/setup.h"
#include "app/keep/writer.h"

struct ask_conversation { /* embedded */
	struct conversation *conversation; /* owned; the path only, each turn with its row. NULL: taken over */
	int64_t row;
	struct history_conversation facts; /* its texts are owned */
};

/*
 * Reads the conversation of that name (history_find()) with the path that was shown last. Has the file migrated or recovered if it must be.
 * Fini it after true only.
 */
MUST_USE bool ask_conversation_read(struct ask_conversation *s, struct str name, struct error *err);
void ask_conversation_fini(struct ask_conversation *s);

/*
 * Uses what the conversation was held with (app/keep/request_context.h), where no option says otherwise. What cannot be used any more is told on standard
 * error.
 */
void ask_conversation_use(const struct ask_conversation *s, struct setup *setup);

/* Tells the writer what the following requests of the setup carry besides the turns. */
void ask_conversation_describe(struct writer *k, const struct setup *setup);

#endif
