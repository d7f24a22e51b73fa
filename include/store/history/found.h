/* Conversations in which something was found, each with its pieces in the order in which they were added. */
#ifndef WEIR_STORE_FOUND_H
#define WEIR_STORE_FOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct found_piece { int64_t piece; bool is_sure; size_t next; }; /* next: a place in `pieces`, from 1; 0: it is the last */
struct found_conversation { int64_t id; bool is_visited; size_t first, last; };

/* Initialise to zero. */
struct found {
	struct found_piece *pieces;
	size_t piece_count, piece_capacity;
	struct found_conversation *conversations;
	size_t count, capacity;
	size_t *slots, slot_count; /* places in `conversations`, from 1, by the hash of the id; 0: free */
};

void found_fini(struct found *f);
void found_add(struct found *f, int64_t conversation, int64_t piece, bool is_sure);
/* NULL if nothing was found in it; borrowed until the next change. */
struct found_conversation *found_in(const struct found *f, int64_t conversation);
/* Notes a conversation as visited. False: it was already. */
bool found_visit(struct found *f, int64_t conversation);

static inline const struct found_piece *found_at(const struct found *f, size_t place)
{
	return place ? &f->pieces[place - 1] : NULL;
}

#endif
