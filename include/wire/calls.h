/*
 * Joins fragments of tool calls into calls, by the rules of CONTRACT.md ("tool_calls") and wire.md 6, rows 1 to 11.
 * What openai-chat needs, streamed or not: the other protocols tell each fragment's call by themselves.
 */
#ifndef WEIR_WIRE_CALLS_H
#define WEIR_WIRE_CALLS_H

#include "wire/guard.h"

struct call_fragment {
	long long index;       /* -1: absent */
	struct str id;         /* empty never overwrites */
	struct str name;
	struct str arguments;  /* as received; raw JSON text where an object or number came in place of a string */
};

struct calls { /* zeroed at birth */
	struct call_entry *entries;
	size_t count;
	size_t capacity;
};

void calls_fini(struct calls *calls);
/* Returns the guard's index of the call that the fragment belongs to. */
unsigned calls_join(struct calls *calls, struct guard *guard, const struct call_fragment *fragment);

#endif
