/* The options of the command line, one row each: which subcommands take it, what it sets, its help. */
#ifndef WEIR_APP_OPTION_ROWS_H
#define WEIR_APP_OPTION_ROWS_H

#include "app/options/options.h"

#define OPTION_ROWS_MOST 200 /* no fewer than there are */

struct option_row;
/* Stores a value in the member at row->offset. False when the value is invalid. */
typedef bool option_set(struct options *o, const struct option_row *row, const char *value);

struct option_row {
	const char *name;
	char letter;
	const char *argument; /* NULL: no argument */
	unsigned subcommands; /* a bit for each subcommand that uses it and lists it in --help */
	bool common;          /* every subcommand accepts it, so that scripts can pass the same options to all */
	option_set *set;
	size_t offset;
	const char *takes;    /* valid values, for the error: "a number of tokens" */
	const char *help;
};

const struct option_row *option_row_at(size_t index); /* NULL beyond the last */
bool option_is_continue(const struct options *o);     /* the conversation is that of --continue: the last one */
/* Appends words of a row: a mark at their end stands for the names of a table. */
void option_write_words(struct str words, struct buf *out);

#endif
