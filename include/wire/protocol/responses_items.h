/*
 * The output items of an OpenAI response: added, streamed, done, and repeated in the terminal event.
 *
 * An item is identified by its output_index; -1 means the current item, because some servers send no index. Ids are ignored, because
 * some gateways change them between events; calls are identified by call_id. A finished item or the terminal event is used only for
 * content that was not streamed. Decoded content is reported to the guard.
 */
#ifndef WEIR_WIRE_RESPONSES_ITEMS_H
#define WEIR_WIRE_RESPONSES_ITEMS_H

#include "base/json.h"
#include "wire/guard.h"

struct responses_items { /* zero it to initialize, then set `guard` */
	struct guard *guard; /* borrowed */
	struct responses_item *items;
	size_t count, capacity;
	size_t held; /* bytes of arguments that were part of added items */
};

/* The texts of an item. Of RESPONSES_SUMMARY and RESPONSES_REASONING only the kind that arrives first is shown. */
enum responses_text { RESPONSES_TEXT, RESPONSES_REFUSAL, RESPONSES_SUMMARY, RESPONSES_REASONING, RESPONSES_TEXTS };

void responses_items_fini(struct responses_items *all);

void responses_items_added(struct responses_items *all, int64_t index, const struct json *item);
void responses_items_done(struct responses_items *all, int64_t index, const struct json *item);

/* A fragment of a text; or a complete part of it, which is used only if no fragment of it arrived. `part` as sent; -1: none. */
void responses_items_text(struct responses_items *all, enum responses_text text, int64_t index, int64_t part, struct str raw);
void responses_items_whole_text(struct responses_items *all, enum responses_text text, int64_t index, int64_t part,
                                struct str raw);

/* A fragment of a call's arguments; or all arguments, in an event that may also contain the call's name. */
void responses_items_arguments(struct responses_items *all, int64_t index, const struct json *piece);
void responses_items_whole_arguments(struct responses_items *all, int64_t index, const struct json *event);

void responses_items_citation(struct responses_items *all, int64_t index, int64_t part, const struct json *annotation);

/*
 * Events about pictures and tools of the server. `type` is that of the item, "web_search_call": an item that was not added begins with the event
 * that names it first. `word`: "completed"; words that name no state change nothing. The commands of a shell count from 0.
 */
void responses_items_progress(struct responses_items *all, int64_t index, struct str type, struct str id, struct str word);
void responses_items_input(struct responses_items *all, int64_t index, struct str type, struct str id, struct str raw, bool whole);
void responses_items_command(struct responses_items *all, int64_t index, int64_t command, struct str raw);
void responses_items_partial(struct responses_items *all, int64_t index, const struct json *event);

/* The output in the terminal event: often empty, or with other indexes than in the stream. */
void responses_items_output(struct responses_items *all, const struct json *output);
/* Ends all open calls: no more fragments will arrive. */
void responses_items_end_calls(struct responses_items *all);

#endif
