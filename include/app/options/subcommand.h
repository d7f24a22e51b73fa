/*
 * The subcommands. One X-macro list generates the enum, the table and the declarations. Options refer to subcommands by the enum, so the
 * order of rows is free.
 */
#ifndef WEIR_APP_SUBCOMMAND_H
#define WEIR_APP_SUBCOMMAND_H

#include "base/exit_status.h"

struct options;

/* The chat comes first in every list, then what looks at streams. */
enum subcommand_group { GROUP_CHAT, GROUP_STREAMS };

/*
 * X(ID, name, group, page, synopsis, help), in the order of --help; the first is the default. `weir NAME` runs run_NAME(), which has its own
 * file and returns an enum exit_status, or EXIT_BY_SIGNAL + n. `page` is the name of its man page.
 */
#define SUBCOMMANDS(X) \
	X(CHAT, chat, GROUP_CHAT, "weir", "[OPTION]... [-t NAME WORD...]", "full-screen chat; without configuration it opens the built-in demo") \
	X(ASK, ask, GROUP_CHAT, "weir-ask", "[OPTION]... [PROMPT]...", \
	  "one turn without the full screen: text goes to standard output as it comes") \
	X(HISTORY, history, GROUP_CHAT, "weir-history", \
	  "[OPTION]... [list | search WORDS | show ID | export ID... | import FILE | delete ID... | backup FILE | path]", \
	  "stored conversations: list, search, show, export, import, delete") \
	X(USAGE, usage, GROUP_CHAT, "weir-history", "[OPTION]...", "tokens and money of stored conversations") \
	X(MODELS, models, GROUP_CHAT, "weir", "[OPTION]...", "list the provider's models: one id a line, then a tab and its properties") \
	X(PROVIDERS, providers, GROUP_CHAT, "weir", "[OPTION]...", \
	  "list the providers: whether a key was found, protocols, dialect, base URL") \
	X(TOOLS, tools, GROUP_CHAT, "weir", "[OPTION]...", "list the tools that may run: from where, with what approval, and what would run") \
	X(HELP, help, GROUP_CHAT, "weir", "[COMMAND]", "show the manual page of a command, or of weir.conf") \
	X(REPLAY, replay, GROUP_STREAMS, "weir-replay", "[OPTION]... FILE...", "full-screen replay of saved streams") \
	X(DECODE, decode, GROUP_STREAMS, "weir-tape", "[OPTION]... FILE", "convert a saved stream (- is standard input) to JSON") \
	X(LINT, lint, GROUP_STREAMS, "weir-lint", "[OPTION]... FILE...", \
	  "report where saved streams (files, folders) deviate from their protocol") \
	X(PROBE, probe, GROUP_STREAMS, "weir-probe", "[OPTION]... -p PROVIDER", \
	  "send small requests to a provider, and report which promises it keeps") \
	X(SERVE, serve, GROUP_STREAMS, "weir-serve", "[OPTION]... [FILE]...", \
	  "serve saved streams over HTTP on loopback, with their original timing") \
	X(PROXY, proxy, GROUP_STREAMS, "weir-proxy", "[OPTION]... --to NAME", \
	  "stand between another client and a provider; every exchange becomes a tape") \
	X(TAPE, tape, GROUP_STREAMS, "weir-tape", "[OPTION]... info | cut | join | scrub | convert | diff | stats FILE...", \
	  "inspect, cut, join, clean, convert and compare saved streams") \
	X(MCP, mcp, GROUP_STREAMS, "weir-mcp", "[OPTION]... list | call | read | prompt | ping | login | logout TARGET " \
	  "[ARGUMENT]..., lint TAPE, import FILE", \
	  "ask an MCP server for its tools, resources and prompts")

#define SUBCOMMAND_ID(id, name, group, page, synopsis, help) SUBCOMMAND_##id,
enum subcommand_id { SUBCOMMANDS(SUBCOMMAND_ID) SUBCOMMAND_COUNT };
#undef SUBCOMMAND_ID

#define SUBCOMMAND_RUN(id, name, group, page, synopsis, help) int run_##name(const struct options *o);
SUBCOMMANDS(SUBCOMMAND_RUN)
#undef SUBCOMMAND_RUN

struct subcommand {
	const char *name;     /* "ask" */
	enum subcommand_group group;
	const char *page;     /* its man page, "weir-ask"; several may share one */
	const char *synopsis; /* "[OPTION]... [PROMPT]..." */
	const char *help;     /* one line */
	int (*run)(const struct options *o);
};

const struct subcommand *subcommand_row(enum subcommand_id id);

/* SUBCOMMAND_COUNT if there is no subcommand of that name. */
enum subcommand_id subcommand_named(const char *name);

/* What `weir --help` and `weir --help keys` print to standard output. Both return the exit status. */
int subcommand_print_all(void);
int subcommand_print_keys(const struct options *o);

/* Parses argv, runs the subcommand and returns the exit status. --help and --version print to standard output and return EXIT_DONE. */
int subcommand_main(int argc, char **argv);

#endif
