/*
 * Output of a subcommand through the user's pager: $PAGER, else less; only if standard output is a terminal. Without a pager that can be
 * started, and with PAGER empty or `cat`, it goes to standard output.
 *
 * less gets LESS=FRX unless LESS is set: it ends by itself if the text fits on the screen.
 */
#ifndef WEIR_APP_PAGER_H
#define WEIR_APP_PAGER_H

#include "app/system/output.h"
#include "base/child.h"

struct pager { /* embedded */
	struct output out;  /* write here; for a terminal, through the pager too */
	struct child child; /* its pid 0: there is no pager */
};

void pager_open(struct pager *p);
bool pager_takes_styles(const struct pager *p); /* what is written may have bold words: false of a pager with options of its own */
/* Waits until the user leaves the pager. Returns the exit status, as output_status(). */
int pager_close(struct pager *p, int status);

#endif
