/*
 * Tokens of MCP servers that want authorization, one for each address: files in the state folder, "mcp-tokens/DIGEST", which only their owner can
 * read. They are replaced as a whole. A file is bound to the address of the server, to the resource and to the issuer that are written in it.
 *
 * The secrets in memory are overwritten when they are freed.
 */
#ifndef WEIR_STORE_MCP_TOKENS_H
#define WEIR_STORE_MCP_TOKENS_H

#include "store/files/private_folder.h"
#include "wire/mcp/oauth_request.h"

struct mcp_token {
	char *resource, *issuer, *endpoint; /* what it is for; who gave it; where it is renewed */
	char *scope;                        /* all that was asked for so far; NULL: nothing */
	char *wanted;                       /* what the server wants beyond that; NULL: nothing */
	struct oauth_client client;         /* its secret: NULL if it has none or the settings name it */
	char *access, *refresh;             /* refresh: NULL: it cannot be renewed */
	int64_t expires_s;                  /* since the epoch; 0: not said */
};

void mcp_token_fini(struct mcp_token *t);
/* False without a sentence: there is none for that address. */
MUST_USE bool mcp_token_read(struct mcp_token *t, const char *url, struct error *err);
MUST_USE bool mcp_token_keep(const struct mcp_token *t, const char *url, struct error *err);
/* A number that differs after another token was kept for that address; 0: none is. */
int64_t mcp_token_version(const char *url);
/*
 * Who renews a token holds its lock, because a server may take back what renews it when that is used twice: renew only what is still kept once the
 * lock is yours. It is a file "DIGEST.lock" beside the token, and ends with its program. Returns a descriptor; MCP_TOKEN_HELD: somebody else
 * has it; MCP_TOKEN_UNLOCKED: there can be none, such as without a home folder. private_file_unlock() ends it.
 */
#define MCP_TOKEN_HELD PRIVATE_LOCK_HELD
#define MCP_TOKEN_UNLOCKED PRIVATE_LOCK_NONE
int mcp_token_lock(const char *url);
/* False without a sentence: there was none. */
MUST_USE bool mcp_token_forget(const char *url, struct error *err);

#endif
