/*
 * A way to an MCP server: it carries messages (wire/mcp/client.h) over a transport. Both are there: a program that is started (mcp_stdio.h), an
 * address (mcp_http.h). Who uses them does not tell them apart.
 *
 * No function but run() calls back, so that nothing is reentered: what fails at once is told by the next run().
 */
#ifndef WEIR_APP_MCP_LINK_H
#define WEIR_APP_MCP_LINK_H

#include "app/system/loop.h"
#include "wire/mcp/client.h"

struct mcp_link_sink {
	void *ctx;
	/* A message of the server. `about`: the request whose response brought it; 0: not known. */
	void (*message)(void *ctx, struct str text, int64_t about);
	bool (*waits)(void *ctx, int64_t id);                      /* whether that request has no answer yet */
	void (*head)(void *ctx, const struct response_head *head); /* of a response, before its messages */
	void (*unanswered)(void *ctx, int64_t id, enum mcp_ending ending, struct str words); /* that request will have no answer */
	void (*forgotten)(void *ctx);                              /* the server does not know the session any more */
	void (*lost)(void *ctx, enum mcp_ending ending, struct str words); /* once: nothing more comes from the server */
};

struct mcp_link; /* the first member of each kind's own struct */

struct mcp_link_ops {
	const char *name; /* of the transport, as tapes have it */
	void (*send)(struct mcp_link *link, const struct mcp_outgoing *message);
	void (*dropped)(struct mcp_link *link, int64_t id); /* the answer to that request is not wanted any more */
	void (*ready)(struct mcp_link *link, enum mcp_revision revision); /* the session has begun */
	void (*close)(struct mcp_link *link);               /* ends the session in order; is_over() then becomes true in a few seconds */
	bool (*is_over)(const struct mcp_link *link);
	size_t (*fds)(const struct mcp_link *link, struct pollfd *fds, size_t room);
	int64_t (*deadline)(const struct mcp_link *link, int64_t now_ms);
	void (*run)(struct mcp_link *link, const struct pollfd *fds, size_t count, int64_t now_ms);
	void (*free)(struct mcp_link *link);                /* at once, without an order */
};

struct mcp_link { const struct mcp_link_ops *ops; };

#endif
