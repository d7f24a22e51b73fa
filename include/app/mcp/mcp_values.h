/*
 * Values that an MCP server suggests for an argument of one of its prompts (completion/complete), while one is typed. Of each server the last
 * question counts: another one takes its place, and an answer that comes for an earlier one is not used. A server that does not offer it is not
 * asked.
 *
 * Suggestions are untrusted: they are names as those of app/mcp/mcp_offers.h, and what is none of those is left out.
 */
#ifndef WEIR_APP_MCP_VALUES_H
#define WEIR_APP_MCP_VALUES_H

#include "app/mcp/mcp_hub.h"

#define MCP_VALUES_MOST 100u        /* as the specification has it */
#define MCP_VALUES_TYPED_BYTES 200u /* for more nothing is asked */

/* Borrowed until the hub runs. */
struct mcp_values {
	bool asked;          /* they have not come yet */
	char *const *items;
	size_t count;
	bool more;           /* there are some that are not among them */
};

/* Asks unless the last question was the same. All are words that were typed, and no secrets. */
struct mcp_values mcp_hub_values(struct mcp_hub *hub, size_t index, struct str prompt, struct str argument, struct str typed);

#endif
