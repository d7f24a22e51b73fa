/*
 * Lending: another program has the terminal for a while - the user's editor, or a pager - with a file of ours, which only the user
 * can read. The loop goes on meanwhile: an answer under way does not wait. When the program ends everything stands where it stood.
 */
#ifndef WEIR_APP_LENDING_H
#define WEIR_APP_LENDING_H

#include <poll.h>

#include "app/outside.h"
#include "base/text.h"

struct chat;

struct lending {
	struct outside *program; /* NULL: the terminal is ours */
	char *path;              /* its file; gone when it ends */
	char *command;
	const char *variables;   /* that name such a program */
	void (*back)(struct chat *c, const char *path); /* it ended well; NULL: that is all */
	const char *kept;        /* what to say when it failed: "the prompt is as it was"; NULL: nothing is at stake */
};

/* What there is to lend: the fields of the same name, and the file's content. Texts but `command` live longer than the program runs. */
struct lending_offer {
	const char *command, *variables, *kept;
	struct str text;
	const char *variable;    /* "NAME=value" for its environment; NULL: none */
	void (*back)(struct chat *c, const char *path);
};

/* False: it is said why not, and the terminal is ours. `quiet`: nothing is said when there is no such program. */
bool lending_begin(struct chat *c, const struct lending_offer *offer, bool quiet);
void lending_fini(struct lending *l);
/* weir ends: a program that still has the terminal is ended first, and what was saved in it is taken. */
void lending_end(struct chat *c);

/* The whole of what reading takes: an answer, code, a turn or all (app/copying.h), in $PAGER or in $VISUAL or $EDITOR. */
void lending_read(struct chat *c, struct str what);
void lending_edit(struct chat *c, struct str what);
const char *lending_editor(void); /* the command: $VISUAL, $EDITOR, vi */

size_t lending_fds(void *chat, struct pollfd *fds, size_t room); /* a member of the loop */
int64_t lending_deadline(void *chat);
void lending_run(void *chat, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
