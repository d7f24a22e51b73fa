/*
 * The subcommands. One X-macro list generates the enum, the table and the declarations. Options refer to subcommands by the enum, so the
 * order of rows is free.
 */
#ifndef WEIR_APP_SUBCOMMAND_H
#define WEIR_APP_SUBCOMMAND_H

#include "base/exit_status.h"

struct options;

/*
 * X(ID, name, synopsis, help), in the order of --help; the first is the default. `weir NAME` runs run_NAME(), which has its own file and
 * returns an enum exit_status, or EXIT_BY_SIGNAL + n.
 */
#define SUBCOMMANDS(X) \
	X(CHAT, chat, "[OPTION]...", "full-screen chat; without configuration it opens the built-in demo") \
	X(ASK, ask, "[OPTION]... [PROMPT]...", "one turn without the full screen; its text goes to standard output as it arrives") \
	X(REPLAY, replay, "[OPTION]... FILE...", "full-screen replay of saved streams") \
	X(DECODE, decode, "[OPTION]... FILE", "convert a saved stream (- is standard input) to JSON") \
	X(LINT, lint, "[OPTION]... FILE...", "name deviations of saved streams from their protocol and dialect (folders too; - is standard input)") \
	X(PROBE, probe, "[OPTION]... -p PROVIDER", "send a set of small requests to a provider, and say which of its promises it keeps") \
	X(SERVE, serve, "[OPTION]... [FILE]...", "serve saved streams over HTTP on loopback, with their original timing") \
	X(PROXY, proxy, "[OPTION]... --to NAME", "stand between another client and a provider; every exchange becomes a tape") \
	X(TAPE, tape, "[OPTION]... info | cut | join | scrub | convert | diff | stats FILE...", "inspect, cut, join, clean, convert and compare saved streams") \
	X(MODELS, models, "[OPTION]...", "list the provider's models: one id a line, then a tab and its properties") \
	X(PROVIDERS, providers, "[OPTION]...", "list the providers: whether a key was found, protocols, dialect, base URL") \
	X(HISTORY, history, "[OPTION]... [list | search WORDS | show ID | export ID... | import FILE | delete ID... | backup FILE | path]", "stored conversations; an ID may be last, a number of the list, or the beginning of an id") \
	X(USAGE, usage, "[OPTION]...", "tokens and money of stored conversations")

#define SUBCOMMAND_ID(id, name, synopsis, help) SUBCOMMAND_##id,
enum subcommand_id { SUBCOMMANDS(SUBCOMMAND_ID) SUBCOMMAND_COUNT };
#undef SUBCOMMAND_ID

#define SUBCOMMAND_RUN(id, name, synopsis, help) int run_##name(const struct options *o);
SUBCOMMANDS(SUBCOMMAND_RUN)
#undef SUBCOMMAND_RUN

struct subcommand {
	const char *name;     /* "ask" */
	const char *synopsis; /* "[OPTION]... [PROMPT]..." */
	const char *help;     /* one line */
	int (*run)(const struct options *o);
};

const struct subcommand *subcommand_row(enum subcommand_id id);

/* Parses argv, runs the subcommand and returns the exit status. --help and --version print to standard output and return EXIT_DONE. */
int subcommand_main(int argc, char **argv);

#endif
