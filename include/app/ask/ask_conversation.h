/*
 * A stored conversation that is continued: the turns of its path, and its provider, model and parameters.
 */
#ifndef WEIR_APP_ASK_CONVERSATION_H
#define WEIR_APP_ASK_CONVERSATION_H

#include "app/keep/writer.h"

struct setup;

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
 * Takes provider, model, parameters, tools and schema of the conversation (app/keep/request_context.h) into the setup, where no option says
 * otherwise. A note on standard error names what cannot be used any more.
 */
void ask_conversation_use(const struct ask_conversation *s, struct setup *setup);

/* Tells the writer what the following requests of the setup carry besides the turns. */
void ask_conversation_describe(struct writer *w, const struct setup *setup);

#endif
