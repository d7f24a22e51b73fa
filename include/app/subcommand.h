/*
 * The subcommands. One X-macro list gives the enum, the table and the declarations: an option names its subcommands by the enum, so a row
 * may stand anywhere.
 */
#ifndef WEIR_APP_SUBCOMMAND_H
#define WEIR_APP_SUBCOMMAND_H

#include "base/exit_status.h"

struct options;

/*
 * X(ID, name, synopsis, help), in the order of --help; the first is the default. `weir NAME` runs run_NAME(), which has a file of its own
 * and returns an enum exit_status, or EXIT_BY_SIGNAL and more.
 */
#define SUBCOMMANDS(X) \
	X(CHAT, chat, "[OPTION]...", "full-screen chat; without any configuration it opens on the built-in demo") \
	X(ASK, ask, "[OPTION]... [PROMPT]...", "one turn without the full screen, its text on standard output as it arrives") \
	X(REPLAY, replay, "[OPTION]... FILE", "full-screen replay of a saved stream") \
	X(DECODE, decode, "[OPTION]... FILE", "a saved stream (- is standard input) as JSON") \
	X(SERVE, serve, "[OPTION]... FILE...", "serves saved streams over HTTP on loopback, with their own timing") \
	X(MODELS, models, "[OPTION]...", "the provider's model list: one id a line, then a tab and its facts") \
	X(PROVIDERS, providers, "[OPTION]...", "the providers: whether a key was found, protocols, dialect, base URL")

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

/* Parses argv, runs the subcommand and returns the exit status. --help and --version print to stdout and give EXIT_DONE. */
int subcommand_main(int argc, char **argv);

#endif
