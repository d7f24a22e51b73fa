/*
 * The tools that may run: those of the settings ([tool NAME]), those of MCP servers ([mcp NAME]) and those that are built in. What a model asks
 * for runs only if it is in this set and was approved (app/tools/approval.h).
 *
 * The texts of a tool are untrusted: they are shown to people with what they are, and decide nothing.
 */
#ifndef WEIR_APP_TOOL_SET_H
#define WEIR_APP_TOOL_SET_H

#include <stdint.h>

#include "app/mcp/mcp_hub.h"
#include "base/digest.h"
#include "store/config/tools.h"

enum tool_source { TOOL_OF_SETTINGS, TOOL_BUILT_IN, TOOL_OF_SERVER };
enum tool_wish { TOOL_UNSET, TOOL_ON, TOOL_OFF }; /* the user's, for this conversation */

struct tool {
	char *name;
	enum tool_source source;
	char *description;              /* NULL: none */
	char *schema;                   /* of its arguments: a JSON object */
	enum tool_approve approve;
	enum tool_wish wish;
	char *trouble;                  /* why it cannot be offered; NULL: it can */
	char *facts;                    /* what an approval holds for, as lines "name: value" */

	/* TOOL_OF_SETTINGS, and of a server that is a program: */
	char **words;                   /* of the command, NULL after the last; one allocation */
	char *folder, *env;             /* NULL: not set */
	bool knows_arguments;           /* its schema is its own: other names in braces are text */
	enum tool_input input;
	long long timeout_ms;
	size_t output_bytes;

	/* TOOL_OF_SERVER */
	struct mcp_hub *hub;            /* borrowed */
	char *server, *url;             /* its name; its address, or NULL: it is a program */
	char *remote;                   /* the tool's name there */
	char *output;                   /* the schema of its structured results; NULL: none */
	char shown[DIGEST_HEX + 1];     /* what the hub calls, and nothing else (app/mcp/mcp_hub.h) */

	/* TOOL_BUILT_IN: appends the result; false: it is an error. It has no effect on anything else, takes no time, and asks nobody. */
	bool (*answer)(struct str arguments, struct buf *out);
};

struct tool_set { /* embedded; all zero: empty */
	struct tool *items;
	size_t count, capacity;
	char *named;                    /* patterns of names, parted by commas: what is TOOL_UNSET is offered if it fits one; NULL: as usual */
	bool closed;                    /* only what is TOOL_ON is offered: scripts */
	bool is_demo;                   /* the demo is asked: what is built in is offered unless it is TOOL_OFF */
	size_t media_bytes;             /* how much of the pictures, sounds and files of a result is kept */
	uint64_t changes;               /* increases when what is offered may have changed */
};

/*
 * Those of the settings, then those that are built in, in place of what was there; what is TOOL_ON or TOOL_OFF stays so by name. Those of MCP
 * servers stay until they are taken anew: those that the hub knows, under names SERVER__TOOL. One whose name another tool has is in trouble.
 */
void tool_set_read(struct tool_set *set, const struct tool_sections *sections);
void tool_set_take_servers(struct tool_set *set, struct mcp_hub *hub);
void tool_set_fini(struct tool_set *set);
bool tool_is_of_server(struct str name, const char *server); /* the tool of that name would be */

bool tool_set_may_have(const struct tool_set *set, const char *server); /* one that is offered, as far as names say */

struct tool *tool_set_find(const struct tool_set *set, struct str name); /* NULL: there is none */
const char *tool_set_name_at(const void *set, size_t index); /* as base/names.h wants it */
bool tool_is_offered(const struct tool_set *set, const struct tool *tool);
size_t tool_set_offered(const struct tool_set *set);         /* how many */
bool tool_set_has_own(const struct tool_set *set);           /* whether the user has set any of them: it is not built in, or TOOL_ON */
void tool_set_wish(struct tool_set *set, struct tool *tool, enum tool_wish wish);
void tool_set_name(struct tool_set *set, const char *patterns); /* `named`, copied */
void tool_set_forget(struct tool_set *set);                  /* another conversation: every wish is TOOL_UNSET */
const char *tool_source_name(enum tool_source source);
void tool_write_origin(const struct tool *tool, struct buf *out);  /* "settings", "built-in", "mcp NAME" */
void tool_write_command(const struct tool *tool, struct buf *out); /* what would run, on one line */

/* Appends `definitions`, an array as wire/request.h wants it, or STR_NONE, with those of the set, which take the place of others of that name. */
void tool_set_merge(const struct tool_set *set, struct str definitions, struct buf *out);

#endif
