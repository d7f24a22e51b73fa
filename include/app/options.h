/*
 * The command line: one table of options, one of commands. `--help`, completion and the man page are made from the tables.
 *
 * getopt_long does the parsing, so `--name=value`, `--`, `-` and clustered short options behave as everywhere.
 */
#ifndef WEIR_APP_OPTIONS_H
#define WEIR_APP_OPTIONS_H

#include "base/exit_status.h"
#include "ui/term/capability.h"
#include "wire/request.h"

struct options {
	const char *provider, *model, *protocol, *dialect, *base_url; /* NULL: not given */
	const char *config, *tape, *debug, *theme;
	const char *system, *schema, *tools;  /* --schema FILE, --tools FILE */
	const char **files;                   /* --file PATH, any number */
	size_t file_count;
	enum colour_mode colour;
	long long max_tokens;                 /* -1: not given */
	long long retries;                    /* the same */
	double temperature;                   /* NAN: not given */
	enum reasoning_level reasoning;       /* REASONING_UNSET: not given */
	bool no_stream, no_stdin, allow_http;
	bool summary, events, json;
	bool plain;
	bool help, version;
	double speed;                         /* 1.0; 0 is max */
	unsigned port;
	const char *fault;                    /* --fault; NULL: none */
	int status;                           /* --status; 0: not given */
	char **arguments;                     /* what is left: words of a prompt, files */
	size_t argument_count;
};

struct command_line {
	const char *name;                      /* "ask" */
	const char *synopsis;                  /* "[OPTION]... [PROMPT]..." */
	const char *help;                      /* one line */
	int (*run)(const struct options *o);   /* returns an enum exit_status, or EXIT_BY_SIGNAL and more */
};

#define WEIR_VERSION "0.1.0"

extern const struct command_line command_lines[]; /* ends with a NULL name; the first is `chat`, the default */

/* EXIT_USAGE, and one line on stderr that says what and where. */
int usage_error(const char *format, ...) PRINTF_LIKE(1, 2);

/* Nothing is given yet. */
void options_init(struct options *o);
void options_fini(struct options *o);

/* Reads the options and arguments of a command from argv[1..]; errors are sentences for EXIT_USAGE. `o` borrows from argv.
 * Behind --help or --version nothing is read. */
MUST_USE bool options_parse(struct options *o, const struct command_line *command, int argc, char **argv, struct error *err);

/* One option, for --help and the man page; false beyond the last. */
struct option_help {
	const char *name;     /* "max-tokens" */
	char letter;          /* 0: none */
	const char *argument; /* "N"; NULL: takes none */
	const char *help;
	unsigned commands;    /* those that heed it: bit i is command_lines[i] */
};
bool options_help_at(size_t index, struct option_help *help);

/* The place of the command's name in argv: the first argument that is no option. `argc` when there is none. */
int options_find_command(int argc, char **argv);

/* Parses argv, runs the command and returns the exit status. --help and --version print to stdout and give EXIT_DONE. */
int options_main(int argc, char **argv);

/* The subcommands, one file each (src/app/run_<name>.c). */
int run_chat(const struct options *o);
int run_ask(const struct options *o);
int run_replay(const struct options *o);
int run_decode(const struct options *o);
int run_serve(const struct options *o);
int run_models(const struct options *o);
int run_providers(const struct options *o);

#endif
