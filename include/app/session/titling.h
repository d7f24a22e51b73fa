/*
 * Titling: has a model write the title of a conversation, after its first answer (setting title_model).
 *
 * It awaits an answer of its own in the loop, beside the session's: nothing waits for it. The request has no tools, schema or
 * system prompt, asks for few tokens, is not retried and ends after TITLING_LIMIT_MS. Its answer becomes an aside of the conversation
 * (turn_is_aside()), which counts in its sums and is stored with it, unless it failed before anything arrived. If the conversation is left
 * meanwhile, the request is cancelled.
 */
#ifndef WEIR_APP_TITLING_H
#define WEIR_APP_TITLING_H

#include "app/request/awaited.h"

#define TITLING_LIMIT_MS 30000
#define TITLE_CELLS_MOST 72u

struct titling { /* embedded; set up by titling_init() */
	struct setup *setup;
	struct session *session;
	/* The model wrote a title, one line that is safe for a terminal; borrowed. */
	void (*titled)(void *ctx, const char *title);
	void *ctx;
	struct conversation *scratch;  /* of the running request; NULL: none runs */
	struct awaited awaited;        /* the answer in it */
	uint64_t conversation;         /* session_number() when it began */
};

void titling_init(struct titling *t, struct setup *setup, struct session *session, const struct model_list *models,
                  void (*titled)(void *ctx, const char *title), void *ctx);
void titling_fini(struct titling *t);
/*
 * Call when an answer has ended. Begins a request if the setting names a model, the conversation is kept, the answer is the first one of it
 * that ended well, no title was asked for, and the budget is not spent. `same` asks nothing of the demo.
 */
void titling_note(struct titling *t, const struct turn *answer);
struct loop_member titling_member(struct titling *t);

/* The title in the words of a model: its first line without quotes, markup and a leading "Title:"; appended. Nothing if there is none. */
void titling_write(struct str words, struct buf *out);

#endif
