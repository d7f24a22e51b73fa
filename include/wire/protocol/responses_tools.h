/*
 * Items of an OpenAI response that are pictures, or tools that the server ran: what they are, and what they say. Finding them among the items
 * is up to responses_items.h.
 */
#ifndef WEIR_WIRE_RESPONSES_TOOLS_H
#define WEIR_WIRE_RESPONSES_TOOLS_H

#include "base/json.h"
#include "wire/guard.h"

enum responses_role {
	RESPONSES_NO_TOOL,  /* neither media nor a tool of the server */
	RESPONSES_PICTURE,  /* image_generation_call */
	RESPONSES_RAN,      /* a tool that the server ran */
	RESPONSES_RESULT,   /* the result of one, in an item of its own */
	RESPONSES_CLIENTS,  /* a call for a program of the client, which weir never offers */
};
enum responses_role responses_role_of(const struct json *item);
/* Of an item of which only the type is known. RESPONSES_NO_TOOL where the type does not decide. */
enum responses_role responses_role_by_type(struct str type);

/* "web_search" of web_search_call; the tool's own name where the type says only how it was called. Borrows. */
struct str responses_tool_name(struct str type, const struct json *item);
/* Appends what the item says of its input; nothing where it says none. */
void responses_tool_input(const struct json *item, struct buf *out);

/* A finished item: input, output, state; pictures that its code made. True if no result will come behind it: the call has ended. */
bool responses_tool_finish(struct guard *g, unsigned tool, const struct json *item);
/* A finished item that is the result of a call. */
void responses_tool_result(struct guard *g, unsigned tool, const struct json *item);
/* A finished picture. */
void responses_picture_finish(struct guard *g, unsigned media, const struct json *item);
/* `output_format` of a picture, in an event or an item. */
void responses_picture_format(struct guard *g, unsigned media, const struct json *value);

#endif
