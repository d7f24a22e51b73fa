/*
 * Completion for bash, zsh and fish, written from the tables of options and subcommands.
 *
 * Names that are only known at run time (providers, roles, models, conversations) come from `weir --complete KIND`, or KIND:PROVIDER, which
 * reads the settings, the models chosen before, the lists of models that were fetched and the history: no network, no key. It prints only names
 * of plain characters, so that no shell can read a name as more than a name; behind a tab stands what the name is of, as one line without
 * control characters, which scripts show and never insert.
 *
 * completion.c has the scripts, completion_names.c the names and which option takes which, completion_verbs.c the verbs.
 */
#ifndef WEIR_APP_COMPLETION_H
#define WEIR_APP_COMPLETION_H

#include "app/options/subcommand.h"
#include "base/text.h"

/* What the value of an option can be. */
enum completes {
	COMPLETES_NOTHING, /* a text, a number */
	COMPLETES_FILES,
	COMPLETES_WORDS,   /* names that the program's tables have: they stand in the script */
	COMPLETES_NAMES,   /* names that are asked for with --complete */
};
struct option_help;
/* `kind`: the name of --complete KIND; NULL for nothing and files. */
enum completes completion_of(const struct option_help *option, const char **kind);
bool completion_is_list(const struct option_help *option); /* its value is names, separated by commas */

/* A verb of a subcommand, and what the word behind it can be, or all (`repeats`). */
struct completion_verb {
	const char *name, *arguments, *help;
	enum completes completes;
	const char *kind;      /* NULL for nothing and files */
	bool repeats;
};
bool completion_verb_at(enum subcommand_id id, size_t index, struct completion_verb *verb); /* false behind the last one */

/* Appends the names of a kind ("models", or "models:PROVIDER": that provider's), one a line. False: there is no such kind. */
bool completion_write_names(const char *kind, struct buf *out);

/* Appends the script for a shell: bash, zsh or fish. False: another one. */
bool completion_write(const char *shell, struct buf *out);

/* `weir --completion SHELL` and `weir --complete KIND`: print to standard output; the exit status. */
int completion_print(const char *shell);
int completion_print_names(const char *kind);

#endif
