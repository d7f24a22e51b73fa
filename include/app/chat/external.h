/*
 * External programs: another program has the terminal for a while - the user's editor, or a pager - with a file of ours, which only the user
 * can read. The loop goes on meanwhile: an answer under way does not wait. When the program ends everything stands where it stood.
 */
#ifndef WEIR_APP_EXTERNAL_H
#define WEIR_APP_EXTERNAL_H

#include "app/chat/job.h"
#include "app/chat/temp_file.h"
#include "app/chat/terminal.h"

/* What there is to lend. Texts but `command` and `text` live longer than the program runs. */
struct external_offer {
	const char *command;
	const char *variables;   /* that name such a program, for sentences */
	const char *kept;        /* what to say when it failed: "the prompt is as it was"; NULL: nothing is at stake */
	struct str text;         /* the file's content */
	const char *variable;    /* "NAME=value" for its environment; NULL: none */
	void (*back)(void *ctx, const char *path); /* it ended well; NULL: that is all */
	void *ctx;
};

struct external {
	const struct host *host;
	struct terminal *terminal;
	struct job *program; /* NULL: none runs */
	struct temp_file file;  /* its file; gone when it ends */
	char *command;
	struct external_offer offer; /* its text and command are not looked at any more */
};

void external_init(struct external *l, const struct host *host, struct terminal *terminal);
/* False: it is said why not, and the terminal is ours. `quiet`: nothing is said when there is no such program. */
bool external_begin(struct external *l, const struct external_offer *offer, bool quiet);
/* weir ends: a program that still has the terminal is ended first, and what was saved in it is taken. */
void external_end(struct external *l);

void external_read(struct external *l, struct str text);  /* in $PAGER */
void external_edit(struct external *l, struct str text);  /* in $VISUAL or $EDITOR; nothing comes back */
const char *external_editor(void); /* the command: $VISUAL, $EDITOR, vi */

size_t external_fds(void *external, struct pollfd *fds, size_t room); /* a member of the loop */
int64_t external_deadline(void *external);
void external_run(void *external, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
