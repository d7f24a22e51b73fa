/*
 * `weir mcp`: one question to an MCP server from the shell. What its files share.
 */
#ifndef WEIR_APP_MCP_SHELL_H
#define WEIR_APP_MCP_SHELL_H

#include "app/mcp/mcp_session.h"
#include "app/mcp/shell/mcp_verbs.h"
#include "app/system/media_folder.h"
#include "app/system/output.h"

struct options;

/* A run of a verb. */
struct mcp_shell {
	const struct options *o;
	const struct mcp_verb *verb;
	char **arguments;           /* of the verb, without the target */
	size_t argument_count;
	const struct mcp_server *server;
	struct mcp_session *session;
	struct output out;
	struct buf text;            /* what is printed, and not written yet */
	struct media_folder folder; /* --media */
	struct media_keeper media;
	int64_t ticket;             /* of the question under way; 0: none */
	int64_t asked_ms, told_ms;  /* when it was asked; when progress was told last */
	enum mcp_list list;         /* the list that is fetched */
	struct buf lists[MCP_LIST_COUNT]; /* items so far: JSON, with commas between them */
	bool list_is_full;          /* there is more than is kept */
	struct buf headers, output_schema; /* of the tool that is called */
	bool knows_tool;            /* its list was looked through */
	bool over;
	int status;                 /* enum exit_status */
};

/* --- run_mcp.c --- */
void mcp_shell_complain(const struct mcp_shell *m, struct str words); /* "weir: NAME: ...", the words of a server shortened */
void mcp_shell_end(struct mcp_shell *m, int status);                  /* the run is over, once the session is closed */
void mcp_shell_fail(struct mcp_shell *m, const struct mcp_answer *answer); /* the same, after an answer that is no result */
bool mcp_shell_ask(struct mcp_shell *m, const char *method, struct str params, struct str name, struct str headers); /* false: it could not */

struct setup;
/* The server that is meant: a name of the settings, a URL, or a program; `*unnamed`: the last two, to be freed after use. NULL with a sentence. */
const struct mcp_server *mcp_shell_server(const struct setup *setup, const char *const *argv, const char *target, struct mcp_server **unnamed,
                                          struct error *err);

/* --- mcp_login.c --- */
int mcp_login_run(const struct options *o, const char *target);  /* `weir mcp login TARGET`; these return the exit status */
int mcp_logout_run(const struct options *o, const char *target);

/* --- mcp_print.c --- */
void mcp_print_lists(struct mcp_shell *m);
void mcp_print_tool_result(struct mcp_shell *m, const struct json *result);
void mcp_print_contents(struct mcp_shell *m, const struct json *result);  /* of resources/read */
void mcp_print_prompt(struct mcp_shell *m, const struct json *result);
void mcp_print_json(struct mcp_shell *m, const struct json *value);
void mcp_print_ping(struct mcp_shell *m, int64_t ms);


/* --- mcp_import_run.c --- */
int mcp_import_run(const struct options *o, const char *path); /* `weir mcp import PATH`; returns the exit status */

/* --- mcp_elicit.c --- */
/*
 * The answer to a form of the server, `elicitation/create`: `given` is NULL to decline, "defaults", or a JSON object. A sentence in `err` says why
 * it is declined although something is given.
 */
void mcp_elicit(const struct json *params, const char *given, struct buf *result, struct error *err);

#endif
