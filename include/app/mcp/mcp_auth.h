/*
 * The token of a session with an MCP server that wants authorization: reads the one that `weir mcp login` has kept, renews it when it has expired
 * or the server refuses it, and says what the user can do when that does not help. Nothing is opened or asked of the user here.
 */
#ifndef WEIR_APP_MCP_AUTH_H
#define WEIR_APP_MCP_AUTH_H

#include "net/http.h"
#include "store/config/mcp_servers.h"
#include "wire/mcp/oauth_metadata.h"

struct mcp_auth; /* heap */

/* `server` is borrowed; it has an address. `secrets`: the tokens that are kept or come, and what is sent to renew them, are added; borrowed. */
struct mcp_auth *mcp_auth_new(const struct mcp_server *server, struct http *http, environment *env, struct redact_set *secrets);
void mcp_auth_free(struct mcp_auth *a);

struct str mcp_auth_token(const struct mcp_auth *a);  /* STR_NONE: there is none. Borrowed until it is renewed */
bool mcp_auth_is_due(const struct mcp_auth *a);       /* it has expired, and can be renewed */
bool mcp_auth_is_renewing(const struct mcp_auth *a);
/* Takes the token that is kept by now, if that is another one; else renews it, once after each time that it was of use. False: neither. */
bool mcp_auth_renew(struct mcp_auth *a);
void mcp_auth_works(struct mcp_auth *a);              /* the server has taken the token */
int64_t mcp_auth_deadline(const struct mcp_auth *a);
void mcp_auth_run(struct mcp_auth *a, int64_t now_ms);

/*
 * What to tell of a refusal with status 401, or 403 with error="insufficient_scope": a sentence without its stop. What the server wants beyond the
 * token's scope is kept for the next login.
 */
void mcp_auth_explain(struct mcp_auth *a, int status, const struct oauth_challenge *c, struct error *words);

#endif
