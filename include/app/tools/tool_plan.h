/*
 * A plan: exactly what a call would run. It is made once, shown to the user, and run; nothing that changes meanwhile (weir.conf, the set of
 * tools) changes it. It owns all of it.
 */
#ifndef WEIR_APP_TOOL_PLAN_H
#define WEIR_APP_TOOL_PLAN_H

#include "app/tools/tool_set.h"

struct tool_plan { /* embedded; all zero: there is nothing to run */
	char **words;              /* the program and its arguments, NULL after the last; NULL: it is built in */
	char **paths;              /* of files among the words, which must stay what they were; NULL: none */
	char *input;               /* for its standard input; NULL: none */
	char *folder;              /* NULL: where weir is */
	char **variables;          /* names, NULL after the last */
	int64_t timeout_ms;
	size_t output_bytes;
	bool (*answer)(struct str arguments, struct buf *out); /* built in */
	char *arguments;           /* JSON, as checked */
	char *given;               /* the same as it came, where values are recast (app/tools/tool_recast.h); NULL: they are not */

	/* Of an MCP server's tool: `words` is NULL, since it is the server that runs. */
	struct mcp_hub *hub;       /* borrowed; NULL: it is no such tool */
	char *server, *url, *remote, *shown; /* as in struct tool */
	char **server_words;       /* its program and arguments, for the user; NULL: it has an address */
	char *output_schema;       /* NULL: none */
	size_t media_bytes;        /* of what is no text in its result */
};

/*
 * Makes the plan of a call. False, with a sentence for the model: the arguments are no JSON object that follows the schema of the tool, or have a
 * value that no program can get; then nothing of it may run.
 */
MUST_USE bool tool_plan_make(struct tool_plan *plan, const struct tool *tool, struct str arguments, struct error *why);
void tool_plan_fini(struct tool_plan *plan);

/* Tells all of it, one row each: a name, and a value of which all is seen (app/tools/tool_shown.h). */
typedef void tool_plan_tell(void *ctx, const char *name, struct str value);
void tool_plan_tell_all(const struct tool_plan *plan, tool_plan_tell *tell, void *ctx);

#endif
