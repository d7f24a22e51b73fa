/*
 * Commands: one table for keys, slash words, the palette, help, the man page and the linear mode.
 */
#ifndef WEIR_APP_COMMAND_H
#define WEIR_APP_COMMAND_H

#include "app/actions.h"
#include "ui/edit/edit.h"
#include "ui/page/page.h"

struct chat;
struct plain;

/* What may stand behind a slash word, to be completed. */
enum command_words { WORDS_FREE, WORDS_PATH, WORDS_MODELS, WORDS_PROTOCOLS, WORDS_PROVIDERS, WORDS_THEMES, WORDS_LEVELS, WORDS_VIEWS, WORDS_THINGS };

/* The parts of the palette, in its order. Who names none is in the last one. */
enum command_group { GROUP_NONE, GROUP_CONVERSATION, GROUP_MODEL, GROUP_VIEW, GROUP_COPY, GROUP_FILES, GROUP_PROGRAM, GROUP_COUNT };
const char *command_group_name(enum command_group group);

/* Where a command has something to do: in a chat and in a replay, or in one of them. */
enum command_where { IN_BOTH, IN_CHAT, IN_REPLAY };

/*
 * A row says what a command does in each mode. With words behind it `act` runs where there is one; else the mode's own function, the one
 * that takes words before the one that takes none; else `act` with no words. A mode for which a row names nothing does not know it.
 */
struct command {
	const char *name;      /* the slash word without its slash, and its name in [keys]; NULL: keys only */
	const char *bound_as;  /* its name in [keys] where there is no slash word */
	const char *key;       /* its own, as key_from_name() reads it: "Ctrl-T"; NULL: none. Others are bound in [keys] (app/bindings.h) */
	char letter;           /* in a pane other than the input; 0: none */
	const char *argument;  /* "[NAME]" in help; NULL: none */
	enum command_words words; /* its completion; WORDS_FREE: none */
	enum command_group group;
	enum command_where where;
	bool anywhere;         /* its keys work whatever is open */
	bool is_key;           /* it does what its own key does wherever that is pressed: another one stands for it */
	bool when_empty;       /* its own key is the input's while that holds text */
	bool reads_file;       /* which its argument names: in a line that came all at once it waits for an Enter of its own */
	const char *help;
	action *act;                                               /* on setup and session alone: both modes */
	void (*screen)(struct chat *c);                            /* the full screen */
	void (*screen_words)(struct chat *c, struct str words);    /* the same with words, "" where none were given */
	struct jump { enum page_landmark to; int step; } jump;     /* of the full screen: to the nearest one above (-1) or below (1) */
	void (*plain)(struct plain *p);                            /* the linear mode */
	void (*plain_words)(struct plain *p, struct str words);
	const char *plain_help;                                    /* NULL: `help` */
};

enum command_mode { COMMAND_SCREEN, COMMAND_PLAIN };

const struct command *command_at(enum command_mode mode, size_t index);  /* those of a mode; NULL beyond the last */
/* By its name or by one that people know from elsewhere: /clear is /new. */
const struct command *command_by_name(enum command_mode mode, struct str name);
bool command_works(const struct command *command, bool replay);
/* Why it does nothing there: a sentence. */
const char *command_why_not(const struct command *command);

/* A slip or a word from elsewhere, not a path: letters and hyphens. */
bool command_is_word(struct str word);
/* Appends a sentence about a word that is no command of the mode: what is not there yet, or which command is nearest (NULL: by its
 * letters). */
void command_refuse(enum command_mode mode, struct str word, const char *nearest, struct buf *out);
const struct command *command_bound_as(struct str name);                 /* these two of the full screen: by its name in [keys], */
const struct command *command_by_letter(char letter);                    /* and by its letter in a pane */
const char *command_key_name(const struct command *command);             /* its name in [keys] */
bool command_own_key(const struct command *command, const struct key *key); /* it is the key of its row */
struct jump command_jump(char letter); /* of the command of that letter; step 0: it is no jump */

/* Whether it reads a file with those words behind it. */
bool command_reads(const struct command *command, struct str words);

/* The first word of "model gpt-x" (no slash), and the words behind it, trimmed. */
struct str command_split(struct str line, struct str *words);

/*
 * The command whose name is the first word of a line that is being written, with or without its slash; NULL: none. What acts is typed:
 * `origin` is that of the line up to the end of the word, and a command only where that is not EDIT_FOREIGN. What stands behind
 * the word is its argument, wherever it comes from.
 */
const struct command *command_in(const struct edit *line, enum edit_origin *origin);

#endif
