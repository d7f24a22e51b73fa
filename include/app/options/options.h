/*
 * The command-line options, as one table. `--help`, completion and the man page are generated from it and from the subcommands.
 *
 * getopt_long parses them, so `--name=value`, `--`, `-` and clustered short options work as usual.
 */
#ifndef WEIR_APP_OPTIONS_H
#define WEIR_APP_OPTIONS_H

#include "app/options/subcommand.h"
#include "chat/provider/parameters.h"
#include "store/history/history.h"
#include "ui/term/capability.h"

/* Which of several files serve answers with. */
enum serve_by { SERVE_IN_TURN, SERVE_BY_PATH, SERVE_BY_MODEL };

struct options {
	const char *provider, *model, *protocol, *dialect, *base_url; /* NULL: not given */
	const char *config, *tape, *debug, *theme;
	const char *system, *schema, *tools;  /* --schema FILE, --tools FILE */
	const char *tools_allow;              /* --tools-allow NAMES; NULL: not given */
	const char *role, *template;
	const char **files;                   /* --file PATH, any number */
	size_t file_count;
	const char **targets;                 /* --to NAME of proxy, any number */
	size_t target_count;
	enum colour_mode colour;
	long long max_tokens;                 /* -1: not given */
	long long retries;                    /* -1: not given */
	double temperature;                   /* NAN: not given */
	struct parameters parameters;         /* those that have no member here; zeroed: not given */
	enum reasoning_level reasoning;       /* REASONING_LEVEL_UNSET: not given */
	unsigned server_tools;                /* as in struct parameters; 0: not given */
	bool no_stream, no_stdin, allow_http;
	bool check_prices;
	bool summary, events, frames, json;
	bool plain;
	const char *conversation;             /* --conversation ID; HISTORY_LAST for --continue, of a chat HISTORY_LAST_CHAT; NULL: a new one */
	bool resume;                          /* --resume */
	bool no_history;
	bool code;                            /* --code */
	const char *save;                     /* --save FILE */
	bool raw;                             /* --raw */
	const char *media;                    /* --media FOLDER; NULL: none */
	const char *compare;                  /* --compare TARGETS; NULL: one target */
	bool history_schema, force, yes;
	long long limit;                      /* --limit; -1: not given */
	const char *format, *output;          /* --format, --output */
	enum history_by by;
	const char *since;
	const char *from, *to, *svg;          /* --from, --to, --svg of tape */
	long long entry;                      /* --entry of an HTTP Archive, from 1; 0: not given */
	bool chart, ascii;                    /* --chart, --ascii */
	bool help, version;
	double speed;                         /* factor of the stream's own timing; 0: as fast as possible */
	double idle_s;                        /* --idle; 0: not given */
	double range_from_s, range_to_s;      /* --range; 0: not given */
	bool loop, follow;
	long long round;                      /* --round, from 1; 0: not given */
	bool text, as_svg;                    /* --text, --svg of replay; its --to is `to` */
	long long frame;                      /* --frame; -1: not given */
	unsigned size_columns, size_rows;     /* --size; 0: not given */
	unsigned port;
	const char *fault;                    /* --fault; NULL: none */
	long long fault_rate, seed;           /* percent; of pseudo-random numbers */
	const char *rules, *as, *log;         /* of serve; NULL: none */
	enum serve_by choose;
	bool echo;
	bool sarif, list_rules;               /* --sarif, --rules */
	const char *explain;                  /* --explain; NULL: not given */
	const char *fail_on, *baseline;       /* of lint; NULL: not given */
	const char **ignored;                 /* --ignore NAMES, any number */
	size_t ignored_count;
	bool quiet;
	const char *against, *cases;          /* of probe; NULL: not given */
	bool dry_run, markdown;
	double timeout_s;                     /* --timeout; 0: not given */
	const char *revision, *elicit;        /* --protocol-version, --elicit of mcp; NULL: not given */
	int status;                           /* --status; 0: not given */
	char **arguments;                     /* the rest: words of a prompt, files */
	size_t argument_count;
	size_t behind_dashes;                 /* how many of them, the last ones, stand behind `--` */
};

/* Man pages get them from here by `make man`, packages by make; what else names them is asserted by test_release. */
#define WEIR_VERSION "1.0.0"
#define WEIR_RELEASED "2026-11-28"

/* Sets every option to "not given". */
void options_init(struct options *o);
void options_fini(struct options *o);

/*
 * Reads the options and arguments of a subcommand from argv[1..]. `o` borrows from argv. Parsing stops after --help or --version. Errors are
 * for EXIT_USAGE.
 */
MUST_USE bool options_parse(struct options *o, enum subcommand_id id, int argc, char **argv, struct error *err);

/* An option, for --help and the man page. */
struct option_help {
	const char *name;     /* "max-tokens" */
	char letter;          /* 0: none */
	const char *argument; /* "N"; NULL: no argument */
	const char *words;    /* what it does; may end with the name of a table in braces */
	unsigned subcommands; /* a bit for each subcommand that uses it: 1u << enum subcommand_id */
};
bool options_help_at(size_t index, struct option_help *help);                 /* false beyond the last */
void option_help_write(const struct option_help *help, struct buf *out); /* appends the words, with the names of that table */

const char *options_colour_at(size_t index); /* the words of --color; NULL after the last */
const char *options_format_at(size_t index); /* the same for --format */
const char *options_by_at(size_t index);     /* the same for --by */
const char *options_choose_at(size_t index); /* the same for --choose */
const char *options_severity_at(size_t index); /* the same for --fail-on */

/* The index of the subcommand's name in argv: the first argument that is not an option. `argc` if there is none. */
int options_find_subcommand(int argc, char **argv);

#endif
