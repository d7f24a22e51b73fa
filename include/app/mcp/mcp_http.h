/*
 * The transport of MCP servers that have an address, streamable HTTP: each message is a POST, whose response is one message or an event stream
 * of them. The requests are sent as those of providers are (chat/exchange/outgoing.h): TLS, proxies, keys, no redirects.
 *
 * A server that refuses the first POST may have the transport before that one, HTTP+SSE of 2024-11-05: then all messages come on one GET, and are
 * sent to the address that its first event names, on the same host.
 *
 * For revisions with sessions it keeps the id of the session, listens on a GET, asks for the rest of a stream that broke off, and ends the
 * session with a DELETE.
 *
 * Without a key of the settings it sends the token that was kept for the address, and renews it (app/mcp/mcp_auth.h).
 */
#ifndef WEIR_APP_MCP_HTTP_H
#define WEIR_APP_MCP_HTTP_H

#include "app/mcp/mcp_link.h"
#include "store/config/mcp_servers.h"

struct mcp_http_options {
	struct http *http;
	const struct mcp_server *server; /* its address; headers, TLS, limits. Borrowed */
	struct str key;                 /* borrowed; STR_NONE: none */
	environment *env;
	struct redact_set *secrets;     /* as in struct mcp_session_options */
	bool allow_http;
};

/* NULL, with a sentence, if the key must not be sent to that URL. */
struct mcp_link *mcp_http_new(const struct mcp_http_options *options, const struct mcp_link_sink *sink, struct error *err);

#endif
