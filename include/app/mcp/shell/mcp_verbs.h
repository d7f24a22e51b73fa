/* The verbs of `weir mcp`, for running them, its help and the man page. */
#ifndef WEIR_APP_MCP_VERBS_H
#define WEIR_APP_MCP_VERBS_H

#include <stddef.h>

struct mcp_answer;
struct mcp_shell;

struct mcp_verb {
	const char *name, *arguments, *help;
	size_t least, most;         /* number of arguments beside the target */
	void (*begin)(struct mcp_shell *m); /* the session is ready. NULL: there is none, the target is a tape */
	void (*answer)(struct mcp_shell *m, const struct mcp_answer *answer);
};
const struct mcp_verb *mcp_verb_at(size_t index); /* NULL behind the last one */

#endif
