/* The verbs of `weir mcp`, for running them, its help and the man page. */
#ifndef WEIR_APP_MCP_VERBS_H
#define WEIR_APP_MCP_VERBS_H

#include <stddef.h>

struct mcp_answer;
struct mcp_shell;
struct options;

struct mcp_verb {
	const char *name, *arguments, *help;
	size_t least, most;         /* number of arguments beside the target */
	void (*begin)(struct mcp_shell *m); /* the session is ready */
	void (*answer)(struct mcp_shell *m, const struct mcp_answer *answer);
	int (*run)(const struct options *o, const char *path); /* in place of these two, of a verb without a session: the exit status */
};
const struct mcp_verb *mcp_verb_at(size_t index); /* NULL behind the last one */

#endif
