/*
 * Values that an MCP server suggests for an argument of one of its prompts, or for a place in a template of its resources (completion/complete),
 * while one is typed. Of each server the last question counts: another one takes its place, and an answer that comes for an earlier one is not
 * used. A server that does not offer it is not asked.
 *
 * Suggestions are untrusted: they are names as those of app/mcp/mcp_offers.h, and what is none of those is left out.
 */
#ifndef WEIR_APP_MCP_VALUES_H
#define WEIR_APP_MCP_VALUES_H

#include "app/mcp/mcp_hub.h"
#include "wire/mcp/uri_template.h"

#define MCP_VALUES_MOST 100u        /* as the specification has it */
#define MCP_VALUES_TYPED_BYTES 200u /* for more nothing is asked */

/* Borrowed until the hub runs. */
struct mcp_values {
	bool asked;          /* they have not come yet */
	char *const *items;
	size_t count;
	bool more;           /* there are some that are not among them */
};

struct mcp_values_question {
	enum mcp_list list;              /* MCP_PROMPTS, MCP_TEMPLATES */
	const char *of;                  /* the prompt, or the pattern of URIs */
	const struct uri_place *places;  /* the arguments so far: the last one is typed. Those of a template are encoded */
	size_t count;
};

/* Asks unless the last question was the same. All are words that were typed, and no secrets. */
struct mcp_values mcp_hub_values(struct mcp_hub *hub, size_t index, const struct mcp_values_question *question);

#endif
