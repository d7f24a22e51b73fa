/*
 * What MCP servers offer beside tools: resources, templates of resources, prompts. A list is fetched when it is wanted for the first time, and kept;
 * again when it is wanted after the server said that it is another one, or after its time to live. While it is fetched again, the old one stands.
 *
 * Names are there to be typed: those with a blank, a control or a character that hides are left out. All other texts are untrusted.
 */
#ifndef WEIR_APP_MCP_OFFERS_H
#define WEIR_APP_MCP_OFFERS_H

#include "app/mcp/mcp_hub.h"

#define MCP_OFFERS_MOST 2000u      /* of a list */
#define MCP_OFFER_NAME_BYTES 500u
#define MCP_OFFER_ABOUT_BYTES 200u
#define MCP_PLACES_MOST 9u         /* arguments of a prompt */

enum mcp_offers_state { MCP_OFFERS_UNKNOWN, MCP_OFFERS_ASKED, MCP_OFFERS_KNOWN, MCP_OFFERS_FAILED };

struct mcp_place { char *name; bool required; };

struct mcp_offer {
	char *name;                   /* of a prompt; of a resource its URI, of a template the pattern of URIs */
	char *about;                  /* in one line; "": nothing */
	struct mcp_place *places;     /* the arguments of a prompt */
	size_t place_count;
};

/* Borrowed until the hub runs. */
struct mcp_offers {
	enum mcp_offers_state state;
	const struct mcp_offer *items;
	size_t count, left_out;
	const char *trouble;          /* MCP_OFFERS_FAILED: a sentence without its stop */
};

struct mcp_offers mcp_hub_offers(const struct mcp_hub *hub, size_t index, enum mcp_list list); /* of a list that is not MCP_TOOLS */
void mcp_hub_want_offers(struct mcp_hub *hub, size_t index, enum mcp_list list, bool again); /* `again`: also if it has failed */
const struct mcp_offer *mcp_hub_find_offer(const struct mcp_hub *hub, size_t index, enum mcp_list list, struct str name); /* NULL: none */
uint64_t mcp_hub_offers_changes(const struct mcp_hub *hub); /* increases when such a list has come, or has failed */
void mcp_offer_write_places(const struct mcp_offer *offer, struct buf *out); /* "city [state]": what is in brackets may be missing */

#endif
