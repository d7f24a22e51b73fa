/*
 * Joins fragments of tool calls into calls; src/wire/README.md, "Joining tool calls", has the rules.
 * Used by openai-chat, streamed or not. In the other protocols each fragment identifies its call.
 */
#ifndef WEIR_WIRE_CALLS_H
#define WEIR_WIRE_CALLS_H

#include "wire/guard.h"

struct call_fragment {
	long long index;       /* -1: absent */
	struct str id;         /* an empty id never overwrites another one */
	struct str name;
	struct str arguments;  /* as received; raw JSON text if the server sent an object or a number instead of a string */
};

struct calls { /* zero it to initialize */
	struct call_entry *entries;
	size_t count;
	size_t capacity;
};

void calls_fini(struct calls *calls);
/* Adds a fragment. Returns the guard's index of its call. */
unsigned calls_join(struct calls *calls, struct guard *guard, const struct call_fragment *fragment);

#endif
