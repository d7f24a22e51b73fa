/*
 * The address on this machine to which an authorization server sends the browser back: http://127.0.0.1:PORT/callback, on a port of the system's
 * choice. Requests that do not belong to the attempt are refused and wait no longer; the first that does is taken, and no other after it.
 */
#ifndef WEIR_APP_MCP_RETURN_H
#define WEIR_APP_MCP_RETURN_H

#include "app/system/loop.h"
#include "net/httpd.h"
#include "wire/mcp/oauth_request.h"

struct mcp_return {
	struct httpd *httpd;
	const struct oauth_attempt *attempt; /* NULL: none is waited for yet */
	char *redirect;                      /* that address */
	bool is_there;                       /* the browser was sent back */
	enum oauth_return how;
	struct buf code;
	struct error why;                    /* of OAUTH_REFUSED */
};

MUST_USE bool mcp_return_open(struct mcp_return *r, struct error *err); /* it is not moved afterwards */
void mcp_return_close(struct mcp_return *r); /* overwrites the code. A zeroed one is allowed */
struct loop_member mcp_return_member(struct mcp_return *r);

#endif
