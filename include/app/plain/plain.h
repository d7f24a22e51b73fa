/*
 * The linear mode: the chat and the replay as lines that are only ever added to, for screen readers, for pipes and for terminals that
 * cannot place their cursor.
 *
 * It drives the session (app/session.h) in the same loop as the full screen does. plain.c is its life (start, loop, what is typed),
 * plain_input.c what lines become, plain_tell.c what is said about turns, plain_command.c the slash words, plain_menu.c the numbered
 * menus. The terminal stays as it was found: its own line discipline edits the lines.
 *
 * That line discipline does not tell what was pasted. So no @PATH in a line attaches a file (app/mention.h), and slash words that read one
 * are taken only from a terminal, in a line that no other comes with; the others are commands in every line, a pipe's too.
 */
#ifndef WEIR_APP_PLAIN_H
#define WEIR_APP_PLAIN_H

#include "app/actions.h"
#include "app/model_list.h"
#include "app/plain/plain_input.h"
#include "app/plain/plain_menu.h"
#include "app/plain/plain_tell.h"

/* --plain, ACCESSIBLE (neither empty nor 0), or standard output is a terminal that cannot place its cursor. */
bool plain_is_wanted(const struct options *o);

/* The whole program; `tape` NULL for the chat. Returns the exit status. */
int plain_main(const struct options *o, const struct tape *tape, const struct stream_options *stream, const char *tape_name);

/* --- for the files of the linear mode --- */

/* What the next line is taken for. */
enum plain_asking { PLAIN_PROMPT, PLAIN_CHOICE, PLAIN_RESULT };

struct plain {
	struct setup setup;
	struct session *session;
	struct plain_tell tell;
	struct plain_input input;
	struct model_list models;
	struct plain_menu menu;
	enum plain_asking asking;
	unsigned call;             /* the one whose result is asked for */
	unsigned retry;            /* the wait for another attempt that was told last; 0: none of this turn */
	bool types;                /* standard input is a terminal: it echoes, and is prompted */
	bool prompted;             /* and that stands at the end of the last line */
	bool interrupted;          /* the last thing typed was Ctrl-C */
	bool alone;                /* the line that is taken came from a terminal, and no other with it */
	struct buf held;           /* a line that waits until that is clear; empty: none */
	int64_t read_ms;           /* when bytes were read last, */
	int64_t gap_ms;            /* how long after those before them, */
	unsigned reads;            /* and how often that was */
	unsigned held_reads;       /* as it was when the line was held */
	bool model_unknown;        /* the server did not know the model: the menu is due */
	bool input_over, quit;
	int ended_by;              /* the signal that made it quit; 0 */
	int64_t last_told_ms;
	const struct tape *tape;   /* a replay; NULL: requests */
	const char *tape_name;
};

void plain_say(void *plain, const char *sentence);       /* an error or a word of an action, in a line */
struct actor plain_actor(struct plain *p);               /* says it so */

/* Runs "/model gpt-x". False when it is no slash word but a prompt that begins with a slash. */
bool plain_run(struct plain *p, struct str line);
bool plain_reads_file(struct str line);                  /* it is a slash word that does */
void plain_take_result(struct plain *p, struct str line);

void plain_open_menu(struct plain *p, enum plain_list list);
void plain_take_choice(struct plain *p, struct str line);
void plain_models_came(struct plain *p);                 /* the list that the menu waits for */

#endif
