/*
 * MCP servers: the sections [mcp NAME] of weir.conf. A server is a program that is started (`command`) or an address (`url`), whose requests are
 * sent as those of a provider are: headers, key, TLS, limits.
 */
#ifndef WEIR_STORE_MCP_SERVERS_H
#define WEIR_STORE_MCP_SERVERS_H

#include "base/ini.h"
#include "chat/provider/provider.h"
#include "store/config/tools.h"

#define MCP_TIMEOUT_MS 30000 /* of a request, unless the settings say otherwise */

struct mcp_server {
	char *name, *file;
	int line;                   /* of its first setting */
	char *command;              /* in words, as child_shell_words() splits them; NULL: not set. At most one of these two is */
	char *url;                  /* the same */
	char **env;                 /* names of variables that the program gets, NULL-terminated; NULL: none */
	char *client_id;            /* at its authorization server, or the address of metadata; NULL: weir registers itself */
	char *client_secret_env;    /* the variable of its secret; NULL: it has none */
	int64_t timeout_ms;         /* of a request */
	char *tools;                /* patterns of the names of those that a model may call, as fnmatch() has them, parted by commas; NULL: all */
	enum tool_approve approve;  /* of each */
	struct provider *sending;   /* how requests are sent to the URL */
	struct buf as_written;      /* all of its settings */
};

struct mcp_servers { struct mcp_server **items; size_t count, capacity; }; /* a zeroed one is empty; in the order of the file */

void mcp_servers_fini(struct mcp_servers *servers);
/* Swaps those of `fresh` with those of `old` that have the same name and the same settings: who borrows them goes on. */
void mcp_servers_keep(struct mcp_servers *fresh, struct mcp_servers *old);
/* NULL: there is none. Borrowed. */
const struct mcp_server *mcp_servers_find(const struct mcp_servers *servers, struct str name);
const char *mcp_server_name_at(const void *servers, size_t index); /* of struct mcp_servers, as base/names.h wants it */

/* Takes an entry of the section [mcp NAME]. */
MUST_USE bool mcp_servers_set(struct mcp_servers *servers, struct str name, const struct ini_entry *entry, struct error *err);
/* A server that is in no settings, for a program or an address. */
struct mcp_server *mcp_server_new(struct str name);
void mcp_server_free(struct mcp_server *server);
/* Whether a text can be the URL of a server; a user and a password in it are refused. */
MUST_USE bool mcp_url_check(struct str url, struct error *err);

/* Whether a model may call the server's tool of that name. */
bool mcp_server_has_tool(const struct mcp_server *server, const char *tool);

/* Calls back with each variable that holds the key or the client secret of a server. */
void mcp_servers_each_key_variable(const struct mcp_servers *servers, void (*call)(const char *name));

struct ini_help mcp_server_setting_at(size_t index);
bool mcp_server_shares(const char *name); /* a setting of providers that servers have, too: "header.", "key_env" */

#endif
