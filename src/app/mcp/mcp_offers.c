#include "app/mcp/mcp_offers.h"

#include <string.h>

#include "app/mcp/mcp_hub_inside.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/mcp/content.h"

#define TROUBLE_BYTES 300u

/* --- one --- */

static void offer_fini(struct mcp_offer *offer)
{
	for (size_t i = 0; i < offer->place_count; i++)
		mem_free(offer->places[i].name);
	mem_free(offer->places);
	mem_free(offer->name);
	mem_free(offer->about);
}

static void offers_clear(struct offer_items *items)
{
	for (size_t i = 0; i < items->count; i++)
		offer_fini(&items->items[i]);
	mem_free(items->items);
	*items = (struct offer_items){ 0 };
}

/* What is shown is what is typed, and it is one word. */
bool mcp_offer_name_is_good(struct str name)
{
	if (!name.len || name.len > MCP_OFFER_NAME_BYTES || !utf8_is_valid(name))
		return false;
	while (name.len) {
		struct utf8_cell cell;
		size_t size = utf8_cell(name, &cell);

		if (char_is_blank(*name.ptr) || cell.len != size || memcmp(cell.text, name.ptr, size) != 0)
			return false;
		name = str_skip(name, size);
	}
	return true;
}

static char *offer_line(struct str text)
{
	struct buf line = { 0 };
	struct str first = STR_NONE;

	text = str_trim(text);
	str_split(&text, '\n', &first);
	(void)utf8_repair(utf8_head(first, MCP_OFFER_ABOUT_BYTES), &line);
	return buf_take(&line);
}

/* False: an argument cannot be given. */
static bool offer_take_places(struct mcp_offer *offer, const struct json *arguments)
{
	size_t count = json_length(arguments);

	if (count > MCP_PLACES_MOST)
		return false;
	offer->places = mem_new((count + 1) * sizeof *offer->places);
	for (size_t i = 0; i < count; i++) {
		struct str name = json_get_text(json_at(arguments, i), "name");

		if (!mcp_offer_name_is_good(name))
			return false;
		offer->places[offer->place_count].name = str_dup(name);
		json_flag(json_get(json_at(arguments, i), "required"), &offer->places[offer->place_count++].required);
	}
	return true;
}

/* False: it is left out. */
static bool offer_take(struct offer_items *items, enum mcp_list list, const struct json *value)
{
	struct mcp_offer offer = { 0 };
	struct mcp_item item;

	if (items->count >= MCP_OFFERS_MOST || !mcp_item_read(value, &item))
		return false;
	struct str name = list == MCP_PROMPTS ? item.name : item.uri;
	bool named = !str_equal(item.name, name);
	if (!mcp_offer_name_is_good(name) || !offer_take_places(&offer, list == MCP_PROMPTS ? item.arguments : NULL)) {
		offer_fini(&offer);
		return false;
	}
	offer.name = str_dup(name);
	offer.about = offer_line(item.title.len ? item.title : item.description.len ? item.description : named ? item.name : STR(""));
	*ARRAY_ADD(items->items, items->count, items->capacity) = offer;
	return true;
}

void mcp_offer_write_places(const struct mcp_offer *offer, struct buf *out)
{
	for (size_t i = 0; i < offer->place_count; i++)
		buf_printf(out, offer->places[i].required ? "%s%s" : "%s[%s]", i ? " " : "", offer->places[i].name);
}

/* --- a list --- */

static void offers_note(struct offer_list *o, enum mcp_offers_state state)
{
	o->state = state;
	o->entry->hub->offers_changes++;
	o->entry->hub->wakes = true;
}

static void offers_page(void *ctx, const struct json *result)
{
	struct offer_list *o = ctx;
	const struct json *values = json_get(result, mcp_list_member(o->list));

	mcp_fresh_page(o->entry, o->list, result, &o->until_ms);
	for (size_t i = 0; i < json_length(values); i++)
		o->fresh.left_out += !offer_take(&o->fresh, o->list, json_at(values, i));
}

static void offers_ended(void *ctx, const struct mcp_answer *answer)
{
	struct offer_list *o = ctx;

	if (answer->result) {
		offers_page(o, answer->result);
		offers_clear(&o->now);
		o->now = o->fresh;
		o->fresh = (struct offer_items){ 0 };
		offers_note(o, MCP_OFFERS_KNOWN);
		return;
	}
	offers_clear(&o->fresh);
	error_set(&o->trouble, "%.*s", STR_ARG(str_without_stop(str_trim(utf8_head(answer->words, TROUBLE_BYTES)))));
	offers_note(o, o->now.count ? MCP_OFFERS_KNOWN : MCP_OFFERS_FAILED);
}

void mcp_offers_init(struct mcp_hub_entry *e)
{
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++)
		e->offers[list] = (struct offer_list){ .entry = e, .list = list };
}

void mcp_offers_fini(struct mcp_hub_entry *e)
{
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++) {
		offers_clear(&e->offers[list].now);
		offers_clear(&e->offers[list].fresh);
	}
}

static struct offer_list *offers_at(const struct mcp_hub *hub, size_t index, enum mcp_list list)
{
	return index < hub->count ? &hub->items[index]->offers[list] : NULL;
}

struct mcp_offers mcp_hub_offers(const struct mcp_hub *hub, size_t index, enum mcp_list list)
{
	const struct offer_list *o = offers_at(hub, index, list);

	if (!o)
		return (struct mcp_offers){ .state = MCP_OFFERS_FAILED, .trouble = "there is no such server" };
	return (struct mcp_offers){ o->state, o->now.items, o->now.count, o->now.left_out, o->trouble.text };
}

void mcp_hub_want_offers(struct mcp_hub *hub, size_t index, enum mcp_list list, bool again)
{
	struct offer_list *o = offers_at(hub, index, list);
	bool wants = o && (o->state == MCP_OFFERS_UNKNOWN ||
	                   (o->state == MCP_OFFERS_KNOWN && (o->stale || clock_now_ms() >= o->until_ms)) || (o->state == MCP_OFFERS_FAILED && again));
	const struct mcp_call_sink sink = { .ctx = o, .page = offers_page, .ended = offers_ended };
	struct error err;

	if (!wants)
		return;
	o->stale = false;
	mcp_fresh_begin(&o->until_ms);
	o->state = MCP_OFFERS_ASKED;
	if (!mcp_call_ask(&o->call, hub, o->entry->server->name, mcp_list_method(list), NULL, "{}", &sink, &err))
		offers_note(o, MCP_OFFERS_FAILED);
}

const struct mcp_offer *mcp_hub_find_offer(const struct mcp_hub *hub, size_t index, enum mcp_list list, struct str name)
{
	struct mcp_offers all = mcp_hub_offers(hub, index, list);

	for (size_t i = 0; i < all.count; i++)
		if (str_is(name, all.items[i].name))
			return &all.items[i];
	return NULL;
}

uint64_t mcp_hub_offers_changes(const struct mcp_hub *hub)
{
	return hub->offers_changes;
}
