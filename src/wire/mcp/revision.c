#include "wire/mcp/revision.h"

static const char *const names[MCP_REVISION_COUNT] = {
#define X(id, name) [MCP_##id] = name,
	MCP_REVISIONS(X)
#undef X
};

const char *mcp_revision_name(enum mcp_revision revision)
{
	return names[revision];
}

enum mcp_revision mcp_revision_find(struct str name)
{
	enum mcp_revision revision = 0;

	while (revision < MCP_REVISION_COUNT && !str_is(name, names[revision]))
		revision++;
	return revision;
}

const char *mcp_revision_at(const void *unused, size_t index)
{
	(void)unused;
	return index < MCP_REVISION_COUNT ? names[index] : NULL;
}

bool mcp_is_modern(enum mcp_revision revision)
{
	return revision == MCP_2026_07_28;
}
