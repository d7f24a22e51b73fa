/* Completion of what MCP servers offer: resources, places of their URIs, prompts and their arguments. */
#include <string.h>

#include "app/mcp/mcp_offers.h"
#include "app/mcp/mcp_values.h"
#include "app/screen/input/composer.h"
#include "app/setup/setup.h"

#define NOT_COME "the server's list has not come yet"
#define NO_LIST "the server gave no list"
#define VALUES_NOT_COME "the server's suggestions have not come yet"
#define VALUES_CUT "the server has more, or some that cannot be typed"
#define LEFT_OUT "the server has names that cannot be typed, or too many"

void composer_offer_servers(struct composer *w, const char *fact)
{
	struct buf name = { 0 };
	struct mcp_hub_server server;

	for (size_t i = 0; !w->host->replay && (server = mcp_hub_at(w->host->setup->servers, i)).server; i++) {
		buf_clear(&name);
		buf_printf(&name, "%s:", server.server->name);
		complete_add(w->list, buf_str(&name), str_from(fact), i);
	}
	buf_fini(&name);
}

/* A template of whose place something is typed would take that away. */
static bool is_typed_into(enum mcp_list list, const struct mcp_offer *offer, struct str typed)
{
	struct uri_match match;

	return list == MCP_TEMPLATES && uri_template_match(str_from(offer->name), typed, &match) && match.places[0].value.len;
}

static void offer_list(struct composer *w, size_t server, enum mcp_list list, struct str typed)
{
	struct mcp_hub *hub = w->host->setup->servers;
	struct buf fact = { 0 };

	mcp_hub_want_offers(hub, server, list, false);
	struct mcp_offers offers = mcp_hub_offers(hub, server, list);
	for (size_t i = 0; i < offers.count; i++) {
		buf_clear(&fact);
		mcp_offer_write_places(&offers.items[i], &fact);
		buf_printf(&fact, "%s%s", fact.len && *offers.items[i].about ? "  " : "", offers.items[i].about);
		if (!is_typed_into(list, &offers.items[i], typed))
			complete_add(w->list, str_from(offers.items[i].name), buf_str(&fact), i);
	}
	if (offers.state == MCP_OFFERS_ASKED)
		complete_leave_out(w->list, NOT_COME);
	else if (offers.state == MCP_OFFERS_FAILED && list != MCP_TEMPLATES)
		complete_leave_out(w->list, NO_LIST);
	else if (offers.left_out)
		complete_leave_out(w->list, LEFT_OUT);
	buf_fini(&fact);
}

/* The template whose place the end of `typed` is in, with the shortest value. NULL: none. */
static const struct mcp_offer *find_template(const struct composer *w, size_t server, struct str typed, struct uri_match *match)
{
	struct mcp_offers templates = mcp_hub_offers(w->host->setup->servers, server, MCP_TEMPLATES);
	const struct mcp_offer *found = NULL;
	struct uri_match other;

	for (size_t i = 0; i < templates.count; i++)
		if (uri_template_match(str_from(templates.items[i].name), typed, &other) &&
		    (!found || other.places[other.count - 1].value.len < match->places[match->count - 1].value.len)) {
			found = &templates.items[i];
			*match = other;
		}
	return found;
}

static void offer_cut(struct composer *w, const struct mcp_values *values)
{
	if (values->asked)
		complete_leave_out(w->list, VALUES_NOT_COME);
	else if (values->more)
		complete_leave_out(w->list, VALUES_CUT);
}

/* URIs of a template, with what the server suggests for the place that is typed. */
static void offer_uris(struct composer *w, size_t server, struct str typed)
{
	struct uri_match match;
	const struct mcp_offer *of = find_template(w, server, typed, &match);
	struct buf uri = { 0 };

	if (!of)
		return;
	struct mcp_values values = mcp_hub_values(w->host->setup->servers, server, &(struct mcp_values_question){
		MCP_TEMPLATES, of->name, match.places, match.count,
	});
	for (size_t i = 0; i < values.count; i++) {
		buf_clear(&uri);
		uri_template_write(&match, typed, str_from(values.items[i]), &uri);
		complete_add(w->list, buf_str(&uri), STR("suggested by the server"), i);
	}
	offer_cut(w, &values);
	buf_fini(&uri);
}

bool composer_offer_server(struct composer *w, struct str word, size_t at, bool prompts)
{
	struct str typed;
	size_t server;

	if (w->host->replay || !setup_find_server(w->host->setup, word, &server, &typed))
		return false;
	w->from = at + word.len - typed.len;
	w->suffix = " ";
	w->offers = COMPOSER_OFFERS;
	w->offers_seen = mcp_hub_offers_changes(w->host->setup->servers);
	complete_begin(w->list, typed);
	if (prompts) {
		offer_list(w, server, MCP_PROMPTS, typed);
	} else {
		offer_list(w, server, MCP_RESOURCES, typed);
		offer_list(w, server, MCP_TEMPLATES, typed);
		offer_uris(w, server, typed);
	}
	complete_end(w->list);
	return true;
}

/* The words "NAME=value" of a prompt's arguments, that of `current` last. Returns how many there are. */
static size_t read_arguments(const struct mcp_offer *prompt, size_t current, struct str typed, struct uri_place places[MCP_PLACES_MOST])
{
	struct str values[MCP_PLACES_MOST] = { { 0 } }, word;
	size_t count = 0;

	while (str_split(&typed, ' ', &word))
		for (size_t i = 0; i < prompt->place_count; i++) {
			struct str value = str_skip(word, strlen(prompt->places[i].name));

			if (str_starts(word, prompt->places[i].name) && str_starts(value, "="))
				values[i] = str_skip(value, 1);
		}
	for (size_t i = 0; i < prompt->place_count; i++)
		if (values[i].ptr && i != current)
			places[count++] = (struct uri_place){ .name = str_from(prompt->places[i].name), .value = values[i] };
	places[count++] = (struct uri_place){ .name = str_from(prompt->places[current].name), .value = values[current] };
	return count;
}

/* What the server suggests for the argument `current`, which is typed last. */
static void offer_values(struct composer *w, size_t server, const struct mcp_offer *prompt, size_t current, struct str typed)
{
	struct uri_place places[MCP_PLACES_MOST];
	struct mcp_values values = mcp_hub_values(w->host->setup->servers, server, &(struct mcp_values_question){
		MCP_PROMPTS, prompt->name, places, read_arguments(prompt, current, typed, places),
	});

	w->suffix = " ";
	complete_begin(w->list, STR_NONE); /* what fits is the server's to say */
	for (size_t i = 0; i < values.count; i++)
		complete_add(w->list, str_from(values.items[i]), STR_NONE, i);
	offer_cut(w, &values);
}

bool composer_offer_argument(struct composer *w, struct str word, struct str typed, size_t at)
{
	struct str last = str_skip(typed, composer_word_start(typed)), name = str_head(last, str_find(last, STR("="))), of;
	const struct mcp_offer *prompt;
	size_t server;

	if (w->host->replay || !setup_find_server(w->host->setup, word, &server, &of))
		return false;
	prompt = mcp_hub_find_offer(w->host->setup->servers, server, MCP_PROMPTS, of);
	if (!prompt || str_find(typed, STR("\"")) < typed.len) /* a value with blanks is the user's own */
		return true;
	w->offers = COMPOSER_OFFERS;
	w->offers_seen = mcp_hub_offers_changes(w->host->setup->servers);
	w->from = at + typed.len - last.len;
	w->word = 1;
	w->suffix = "=";
	complete_begin(w->list, last);
	for (size_t i = 0; i < prompt->place_count; i++) {
		if (name.len < last.len && str_is(name, prompt->places[i].name)) {
			w->from += name.len + 1;
			offer_values(w, server, prompt, i, typed);
			break;
		}
		complete_add(w->list, str_from(prompt->places[i].name), STR("argument of the prompt"), i);
	}
	complete_end(w->list);
	return true;
}

void composer_follow_servers(struct composer *w)
{
	if (w->offers != COMPOSER_OFFERS || w->listed != w->input.version || w->offers_seen == mcp_hub_offers_changes(w->host->setup->servers))
		return;
	composer_offer(w);
	host_redraw(w->host);
}
