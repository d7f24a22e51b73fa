/*
 * The library: what lists of stored conversations use of the rest of the program: the open history, which conversation is open now, and
 * what opens another one. It also changes stored conversations and keeps what was deleted, so that /undo can bring it back.
 */
#ifndef WEIR_APP_LIBRARY_H
#define WEIR_APP_LIBRARY_H

#include "store/history/history.h"

struct library_ops {
	struct history *(*history)(void *ctx, struct error *err); /* borrowed until the next turn of the loop; NULL, with a sentence, while there is none */
	void (*failed)(void *ctx, enum history_status status, const struct error *err); /* an operation on it failed; not HISTORY_GONE */
	int64_t (*current)(void *ctx);                            /* the row of the conversation that is open; 0: it is not stored */
	void (*deleted)(void *ctx);                               /* something was hidden, to be deleted for good at the end */
	bool (*open)(void *ctx, int64_t row, struct error *err);  /* opens a conversation in place of the current one */
};

struct library {
	const struct library_ops *ops;
	void *ctx;
	struct library_mark { int64_t mark; size_t removals; } *marks; /* what was deleted, the last one at the end */
	size_t mark_count, mark_capacity;
};

void library_init(struct library *l, const struct library_ops *ops, void *ctx); /* borrows both */
void library_fini(struct library *l);

struct history *library_history(const struct library *l, struct error *err);
/* Passes a status on; true if it is HISTORY_OK. */
bool library_good(const struct library *l, enum history_status status, const struct error *err);
int64_t library_current(const struct library *l);

/* Each changes a stored conversation, and waits a moment for another program that writes. False, with a sentence: nothing has changed. */
MUST_USE bool library_open(const struct library *l, int64_t row, struct error *err);
MUST_USE bool library_rename(const struct library *l, int64_t row, struct str title, struct error *err);
MUST_USE bool library_pin(const struct library *l, int64_t row, bool pinned, struct error *err);
MUST_USE bool library_save(const struct library *l, int64_t row, struct str path, struct error *err);

/* `removals`: how much of the open conversation could be undone then. The conversation that is open is not deleted. */
MUST_USE bool library_delete(struct library *l, int64_t row, size_t removals, struct error *err);
/* Whether the last deletion is that of a conversation: nothing of the open one was removed since. */
bool library_undoes(const struct library *l, size_t removals);
MUST_USE bool library_undo(struct library *l, struct error *err);

#endif
