/*
 * Commands: one table for keys, slash words, the palette, help, the man page and the linear mode.
 */
#ifndef WEIR_APP_COMMAND_H
#define WEIR_APP_COMMAND_H

#include "app/command/actions.h"
#include "ui/edit/edit.h"
#include "ui/page/page_place.h"

struct chat;
struct plain;

/* Kind of argument of a slash word, for completion. */
enum command_words { WORDS_FREE, WORDS_PATH, WORDS_MODELS, WORDS_PROTOCOLS, WORDS_PROVIDERS, WORDS_THEMES, WORDS_LEVELS, WORDS_SERVER_TOOLS,
                     WORDS_VIEWS, WORDS_THINGS, WORDS_REQUEST, WORDS_ROLES, WORDS_TEMPLATES, WORDS_TOOLS /* or a path */ };

/* The groups of palette and help, in their order: those of the chat, then the laboratory for streams. GROUP_NONE counts as GROUP_PROGRAM. */
enum command_group { GROUP_NONE, GROUP_CONVERSATION, GROUP_MODEL, GROUP_VIEW, GROUP_COPY, GROUP_FILES, GROUP_PROGRAM, GROUP_OF_STREAMS, GROUP_COUNT };
const char *command_group_name(enum command_group group);

/* Whether a command works in a chat, in a replay, or in both. */
enum command_where { IN_BOTH, IN_CHAT, IN_REPLAY };

/*
 * A row of the table: what a command does in each mode. With an argument, `act` runs if it is set. Otherwise the mode's own function
 * runs; the one that takes words is preferred. If the mode has neither, `act` runs without an argument. A mode does not have a command
 * whose row sets none of these for it.
 */
struct command {
	const char *name;      /* the slash word without the slash, also its name in [keys]; NULL: the command has keys only */
	const char *bound_as;  /* name in [keys] of a command without a slash word */
	const char *key;       /* default key, as key_from_name() reads it: "Ctrl-T"; NULL: none. [keys] can replace it (app/command/bindings.h) */
	char letter;           /* key in panes other than the input; 0: none */
	bool on_item;          /* the letter acts while the page is on an item of media only, and before the same letter of another command */
	const char *argument;  /* argument as shown in help: "[NAME]"; NULL: none */
	enum command_words words; /* completion of the argument; WORDS_FREE: none */
	enum command_group group;
	enum command_where where;
	bool anywhere;         /* its keys also work while a menu, sheet or other mode is open */
	bool is_key;           /* the command means its default key: a key bound to it acts as that key does, wherever it is pressed */
	bool when_empty;       /* while the input holds text, the default key belongs to the input */
	bool (*can)(const struct session *s, struct error *err); /* whether it has something to act on without an argument; NULL: always */
	bool reads_file;       /* reads the file that the argument names: in a burst of keys it waits for a separate Enter */
	const char *help;
	action *act;                                               /* uses only setup and session; for both modes */
	void (*screen)(struct chat *c);                            /* full screen */
	void (*screen_words)(struct chat *c, struct str words);    /* full screen, with the argument; "": none was given */
	struct jump { enum page_landmark to; int step; } jump;     /* full screen: jumps to the nearest landmark above (-1) or below (1) */
	void (*plain)(struct plain *p);                            /* linear mode */
	void (*plain_words)(struct plain *p, struct str words);    /* linear mode, with the argument; "": none was given */
	const char *plain_help;                                    /* help in the linear mode; NULL: `help` */
};

enum command_mode { COMMAND_SCREEN, COMMAND_PLAIN };

const struct command *command_at(enum command_mode mode, size_t index);  /* the commands of a mode; NULL beyond the last */
/* A name from other programs for one of these commands: /clear is /new. NULL beyond the last. */
struct command_alias { const char *name, *command; };
const struct command_alias *command_alias_at(size_t index);
/* Finds a command by its name or by an alias, in any case. */
const struct command *command_by_name(enum command_mode mode, struct str name);
bool command_works(const struct command *command, bool replay);
/* A sentence that says why the command does not work there (command_works()). */
const char *command_why_not(const struct command *command);

/* Whether the command has something to act on, given without an argument; false: `err` says what is missing. */
MUST_USE bool command_can(const struct command *command, const struct session *session, struct error *err);

/* Whether a word can be a misspelled or foreign command, and not a path: letters and hyphens only. */
bool command_is_word(struct str word);
/*
 * Appends a sentence about a word that is not a command of the mode: what does its work now, that it belongs to the other mode, or which
 * command is nearest.
 * `nearest` NULL: found by the letters of the word.
 */
void command_refuse(enum command_mode mode, struct str word, const char *nearest, struct buf *out);
const struct command *command_bound_as(struct str name);                 /* the command of the full screen with this name in [keys] */
bool command_is_gone(struct str name);                                   /* whether [keys] of earlier versions had this name, and no key has it now */
const struct command *command_by_letter(char letter);                    /* the command of the full screen with this letter in panes */
const struct command *command_of_item(char letter);                      /* the same while the page is on an item of media */
#define COMMAND_ITEM_KEYS "o open   s save   y copy"                       /* its letters, as hints */
const char *command_key_name(const struct command *command);             /* its name in [keys] */
bool command_own_key(const struct command *command, const struct key *key); /* whether `key` is its default key */
struct jump command_jump(char letter); /* the jump of the command with this letter; step 0: it is not a jump */

/* Whether the command reads a file when called with this argument. */
bool command_takes_path(const struct command *command); /* its argument can be one */
bool command_reads(const struct command *command, struct str words);

/*
 * The command that is named by the first word of a line in an editor, with or without the slash; NULL: none. `origin` is the origin of
 * the line up to the end of that word. It is a command only if that is not EDIT_FOREIGN: commands must be typed. The argument after the
 * word may have any origin.
 */
const struct command *command_in(const struct edit *line, enum edit_origin *origin);

/*
 * Whether a line that is for something else, such as a search, names a command. A slash has to be before the name, and nothing pasted counts.
 * `slashed`: a slash opened the line, which then needs none, and may be the beginning of a name, too. Sets `command` with LINE_COMMAND; with
 * LINE_BEGINS_COMMAND it is NULL.
 */
enum line_kind { LINE_TEXT, LINE_BEGINS_COMMAND, LINE_COMMAND };
enum line_kind command_line(const struct edit *line, bool slashed, const struct command **command);
bool command_has_slash(struct str line); /* the first character that is not blank is a slash */
struct str command_line_words(const struct edit *line); /* the text behind leading blanks and the slash; borrowed until the next change */

#endif
