/*
 * Opening: an item of media of an answer, in a program of the desktop.
 *
 * The bytes are written to a temporary file (app/system/temp_file.h) whose name says nothing but the kind and the type that the first bytes
 * tell. The program of the setting `opener`, or `player` for sounds, gets its path; it runs without a shell, apart from the terminal, and
 * goes on when weir ends. The files are removed then, and before that as far as more than OPENED_MOST were opened. Nothing else of an answer is
 * passed on: what is only an address is not opened.
 */
#ifndef WEIR_APP_OPENING_H
#define WEIR_APP_OPENING_H

#include "app/command/actions.h"
#include "app/system/loop.h"
#include "app/system/temp_file.h"
#include "base/child.h"

#define OPENED_MOST 32

struct opened {
	struct temp_file file;
	struct child child;      /* the program; it may end before its user is done with the file */
};

struct opening {
	struct actor actor;      /* gets the sentences; set by opening_start() */
	struct opened items[OPENED_MOST];
	size_t count;            /* of all that were opened: the next one takes the place of the oldest */
};

void opening_init(struct opening *o);
void opening_fini(struct opening *o);

/* Opens the item that the actor names, else the last one. */
void opening_start(struct opening *o, const struct actor *actor);

/*
 * Opens an address, http or https, with $BROWSER, else the program of the setting `opener`. Whoever calls this has seen to it that the user wants
 * it. False, with a sentence: it could not be started.
 */
MUST_USE bool opening_page(struct opening *o, const struct actor *actor, const char *url, struct error *err);

struct loop_member opening_member(struct opening *o);

#endif
