/*
 * Pasting: the image in the clipboard, attached to the next prompt.
 *
 * A terminal pastes text only, so a program is asked: the first of wl-paste, xclip and pngpaste that is installed and has an image. It
 * runs without a shell, apart from the terminal, and is read from the loop. It has 5 s and 32 MB. What it wrote counts as an image by its
 * content only.
 */
#ifndef WEIR_APP_PASTING_H
#define WEIR_APP_PASTING_H

#include "app/command/actions.h"
#include "app/system/loop.h"
#include "base/child.h"

struct pasting {
	struct actor actor;      /* gets the file and the sentence; set by pasting_start() */
	struct child child;
	struct buf bytes;
	int fd;                  /* its standard output; -1: closed */
	int64_t deadline_ms;
	size_t next;             /* index of the program to try next */
	bool ran;                /* one of the programs is installed */
	bool too_large;          /* what came exceeds the limit */
	const char *hung;        /* the one that was ended; NULL: none */
	unsigned number;         /* of the images pasted so far: their names count */
};

void pasting_init(struct pasting *p);
void pasting_fini(struct pasting *p);

/* Asks the first program. An earlier one that still runs is ended. */
void pasting_start(struct pasting *p, const struct actor *actor);

struct loop_member pasting_member(struct pasting *p);

#endif
