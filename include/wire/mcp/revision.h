/*
 * The revisions of the Model Context Protocol. Modern ones are stateless: each request says its version. Older ones begin with a handshake,
 * `initialize`.
 */
#ifndef WEIR_WIRE_MCP_REVISION_H
#define WEIR_WIRE_MCP_REVISION_H

#include "base/text.h"

/* X(ID, its name), the newest first. */
#define MCP_REVISIONS(X) \
	X(2026_07_28, "2026-07-28") \
	X(2025_11_25, "2025-11-25") \
	X(2025_06_18, "2025-06-18") \
	X(2025_03_26, "2025-03-26") \
	X(2024_11_05, "2024-11-05")

enum mcp_revision {
#define X(id, name) MCP_##id,
	MCP_REVISIONS(X)
#undef X
	MCP_REVISION_COUNT /* none that we know */
};

const char *mcp_revision_name(enum mcp_revision revision);  /* "2025-11-25" */
enum mcp_revision mcp_revision_find(struct str name);       /* MCP_REVISION_COUNT: none of that name */
const char *mcp_revision_at(const void *unused, size_t index); /* the names, as base/names.h wants them */
bool mcp_is_modern(enum mcp_revision revision);

#endif
