/*
 * The options of the command line, one table. `--help`, completion and the man page are made from it and the subcommands.
 *
 * getopt_long does the parsing, so `--name=value`, `--`, `-` and clustered short options behave as everywhere.
 */
#ifndef WEIR_APP_OPTIONS_H
#define WEIR_APP_OPTIONS_H

#include "app/subcommand.h"
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
	enum reasoning_level reasoning;       /* REASONING_LEVEL_UNSET: not given */
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

#define WEIR_VERSION "0.1.0"

/* Nothing is given yet. */
void options_init(struct options *o);
void options_fini(struct options *o);

/* Reads the options and arguments of a subcommand from argv[1..]; errors are sentences for EXIT_USAGE. `o` borrows from argv.
 * Behind --help or --version nothing is read. */
MUST_USE bool options_parse(struct options *o, enum subcommand_id id, int argc, char **argv, struct error *err);

/* One option, for --help and the man page; false beyond the last. */
struct option_help {
	const char *name;     /* "max-tokens" */
	char letter;          /* 0: none */
	const char *argument; /* "N"; NULL: takes none */
	const char *words;    /* what it does; a table's name in braces at their end */
	unsigned heeded;      /* the subcommands that heed it, a bit each: 1u << enum subcommand_id */
};
bool options_help_at(size_t index, struct option_help *help);
void option_help_write(const struct option_help *help, struct buf *out); /* the words, with the names of that table */

/* The place of the subcommand's name in argv: the first argument that is no option. `argc` when there is none. */
int options_find_subcommand(int argc, char **argv);

#endif
