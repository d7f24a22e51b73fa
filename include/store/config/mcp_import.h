/*
 * MCP servers that another client keeps, as sections [mcp NAME]. Its JSON has them in `mcpServers`, or in `servers` (mcp.json of VS Code), each
 * with command, args and env, or url and headers. Comments and commas before a bracket are taken as such clients take them.
 *
 * No key is taken over: of `env` the names only, and of a header with a key the name of a variable that is to hold it. A server whose command
 * or address holds what looks like a key is refused, as one is that would not work here. No sentence repeats a value of the file.
 */
#ifndef WEIR_STORE_MCP_IMPORT_H
#define WEIR_STORE_MCP_IMPORT_H

#include "store/config/settings.h"

#define MCP_IMPORT_BYTES ((size_t)16 << 20) /* of the JSON */
#define MCP_IMPORT_SERVERS 100u             /* of one file */

struct mcp_import_entry { char *section, *name, *value; }; /* section: "mcp NAME" */

struct mcp_import {
	const struct settings *settings;             /* what weir.conf has already; borrowed */
	bool (*is_key)(const void *ctx, struct str variable); /* of a provider or of a server: no program gets it */
	void (*tell)(const char *sentence);          /* what was changed, left out or refused; names in it are untrusted */
	const void *ctx;                             /* of is_key */
	/* The result. */
	struct mcp_import_entry *entries;            /* what to write, in order */
	size_t count, capacity;
	struct buf shown;                            /* the same as it will stand in weir.conf */
	size_t servers, refused;                     /* taken over; not, other than those that are there already or switched off */
};

/* Reads the JSON, of which comments are blanked. False: it has no list of servers. */
MUST_USE bool mcp_import_read(struct mcp_import *im, struct buf *json, struct error *err);
void mcp_import_fini(struct mcp_import *im); /* the result */

/* Appends a word of a command so that child_shell_words() and the lines of weir.conf give it back. It has no control character. */
void mcp_import_quote(struct str word, struct buf *out);

#endif
