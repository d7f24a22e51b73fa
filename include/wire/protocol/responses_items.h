/*
 * The output items of an OpenAI response: added, streamed, done, and once more in the terminal event (wire.md 9).
 *
 * An item is known by its output_index; -1 is the one in progress, because some servers send none. Ids do not count, for they
 * change between events behind some gateways; calls are told apart by call_id. What a finished item or the terminal event
 * holds is used only as far as it was not streamed. What it all means goes to the guard.
 */
#ifndef WEIR_WIRE_RESPONSES_ITEMS_H
#define WEIR_WIRE_RESPONSES_ITEMS_H

#include "base/json.h"
#include "wire/guard.h"

struct responses_items { /* zeroed at birth, but for the guard */
	struct guard *guard;
	struct responses_item *items;
	size_t count, capacity;
	size_t held; /* bytes of arguments that items were added with */
};

/* The texts of an item. Of the last two only the one that comes first is shown. */
enum responses_text { RESPONSES_TEXT, RESPONSES_REFUSAL, RESPONSES_SUMMARY, RESPONSES_REASONING, RESPONSES_TEXTS };

void responses_items_fini(struct responses_items *all);

void responses_items_added(struct responses_items *all, int64_t index, const struct json *item);
void responses_items_done(struct responses_items *all, int64_t index, const struct json *item);

/* A piece of a text, and a whole part of it, which counts where no piece of that text came. `part` as sent, -1 for none. */
void responses_items_text(struct responses_items *all, enum responses_text text, int64_t index, int64_t part, struct str raw);
void responses_items_whole_text(struct responses_items *all, enum responses_text text, int64_t index, int64_t part,
                                struct str raw);

/* A piece of a call's arguments; all of them, in an event that may hold its name too. */
void responses_items_arguments(struct responses_items *all, int64_t index, const struct json *piece);
void responses_items_whole_arguments(struct responses_items *all, int64_t index, const struct json *event);

void responses_items_citation(struct responses_items *all, int64_t index, const struct json *annotation);

/* The terminal event's output: often empty, or counted otherwise than the stream was. */
void responses_items_output(struct responses_items *all, const struct json *output);
/* No more will come for calls that are open. */
void responses_items_end_calls(struct responses_items *all);

#endif
