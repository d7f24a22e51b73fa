/*
 * Commands: one table for keys, slash words, the palette, the help sheet and the man page.
 */
#ifndef WEIR_APP_COMMAND_H
#define WEIR_APP_COMMAND_H

#include "ui/key.h"
#include "ui/page.h"

struct chat;

struct command {
	const char *name;      /* the slash word without its slash; NULL: keys only */
	const char *key;       /* as key_from_name() reads it: "Ctrl-T"; NULL: none */
	char letter;           /* in a pane other than the input; 0: none */
	const char *argument;  /* "[NAME]" in help; NULL: none */
	bool anywhere;         /* its key works whatever is open */
	const char *help;
	void (*run)(struct chat *c, struct str argument); /* "" where none was given; NULL: it is a jump */
	struct jump { enum page_landmark to; int step; } jump; /* to the nearest one above (-1) or below (1); 0: it is none */
};

void command_run(struct chat *c, const struct command *command, struct str argument);

const struct command *command_at(size_t index);                    /* NULL beyond the last */
const struct command *command_by_name(struct str name);
const struct command *command_by_key(const struct key *key);
const struct command *command_by_letter(char letter);
struct jump command_jump(char letter); /* of the command of that letter; step 0: it is no jump */

/* Runs "model gpt-x" (no slash). False when the first word is no command. */
bool command_run_line(struct chat *c, struct str line);

#endif
