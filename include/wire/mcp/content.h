/*
 * What results hold: tools, content, resources, prompts, as typed values. All texts are borrowed from the parsed result, come from the server and
 * are not to be trusted.
 */
#ifndef WEIR_WIRE_MCP_CONTENT_H
#define WEIR_WIRE_MCP_CONTENT_H

#include "base/json.h"

/* An item of a list: a tool, a resource, a template of resources, a prompt. Members that an item has not are empty or NULL. */
struct mcp_item {
	struct str name, title, description;
	struct str uri;             /* of a resource; of a template its uriTemplate */
	const struct json *input;   /* inputSchema of a tool */
	const struct json *output;  /* outputSchema of a tool */
	const struct json *arguments; /* of a prompt: an array of objects with name, description, required */
};

/* False: it has no name (a resource without one takes its URI). */
MUST_USE bool mcp_item_read(const struct json *value, struct mcp_item *item);

/* How long the server says that a result holds (ttlMs): 0 where it says nothing, or what cannot be; a day at most. */
int64_t mcp_result_ttl_ms(const struct json *result);

enum mcp_content_kind { MCP_TEXT, MCP_IMAGE, MCP_AUDIO, MCP_LINK, MCP_RESOURCE, MCP_OTHER };

struct mcp_content {
	enum mcp_content_kind kind;
	struct str text;            /* MCP_TEXT; MCP_RESOURCE: its text, if it is one */
	struct str data;            /* in base64: MCP_IMAGE, MCP_AUDIO; MCP_RESOURCE that is no text */
	struct str type;            /* mimeType */
	struct str uri, name, title, description; /* MCP_LINK, MCP_RESOURCE */
};

/* An item of `content`, or what a prompt's message has. False: it lacks what its kind must have. */
MUST_USE bool mcp_content_read(const struct json *value, struct mcp_content *content);
/* An item of `contents` of resources/read: an MCP_RESOURCE. */
MUST_USE bool mcp_contents_read(const struct json *value, struct mcp_content *content);
const char *mcp_content_word(enum mcp_content_kind kind); /* "resource_link"; "other" */

/* --- headers from the arguments of a tool (x-mcp-header; transports, "Custom Headers from Tool Parameters") --- */

/* Whether the annotations of a tool's schema are valid; `err` says what is wrong. A tool that breaks this is not to be used over HTTP. */
MUST_USE bool mcp_tool_headers_check(const struct json *schema, struct error *err);
/* Appends the lines "Mcp-Param-NAME: value" of a call. */
void mcp_tool_headers_write(const struct json *schema, const struct json *arguments, struct buf *lines);
/* Appends a value as a header may have it: in base64, between marks, if it is not plain. */
void mcp_header_write_value(struct str value, struct buf *out);

#endif
