/*
 * Server tools: what a server is asked to do itself while it answers (wire/request.h names it), and what that is called in a request.
 *
 * One table of rows says it, by protocol, dialect, service and model, each with its source. A row is a piece of the body: a JSON object with
 * the members to add. A provider's setting server_tool.NAME replaces the rows of a name. Pure functions.
 */
#ifndef WEIR_CHAT_SERVER_TOOLS_H
#define WEIR_CHAT_SERVER_TOOLS_H

#include "chat/provider/provider.h"

/* Where a request goes. */
struct server_place {
	const struct provider *provider;
	const struct protocol *protocol;
	const struct dialect *dialect;
	struct str model;
};

unsigned server_tools_at(const struct server_place *place); /* bits of those that can be asked for there */

/*
 * Appends a JSON object with all that the tools add to the body; nothing if none is wanted. Objects and arrays of several tools are merged. On
 * false nothing was appended, and `err` names a tool that cannot be asked for there, and what can.
 */
MUST_USE bool server_tools_ask(const struct server_place *place, unsigned tools, struct buf *added, struct error *err);

/*
 * Appends the header line that Anthropic wants for the tools of a body: "anthropic-beta: ...", with what the provider's own header of that
 * name says. Nothing if it wants none.
 */
void server_tools_write_header(const struct provider *p, const struct protocol *protocol, struct str body, struct buf *line);
#define SERVER_TOOLS_HEADER "anthropic-beta:"

/* Checks a value of server_tool.NAME: a JSON object. One with a member `type` is a tool, any other one has members of the body. */
MUST_USE bool server_tool_check(struct str name, struct str value, struct error *err);

/*
 * The rows of the table, for the man page. `name` is NULL after the last; `service` and `model` are NULL for all, `body` where it cannot be asked
 * for.
 */
struct server_tool_form { const char *protocol, *service, *model, *name, *body, *source; };
struct server_tool_form server_tool_form_at(size_t index);

#endif
