/*
 * The find bar: incremental search in the transcript. It takes the place of the input.
 *
 * Enter keeps position and marks: n and N in a pane, and their keys anywhere, then go to other hits. Esc restores the position before the
 * search. The focus stays where it was. Opened by a slash in a pane, the bar takes a command (command_line()), and searches for other words.
 */
#ifndef WEIR_APP_FIND_BAR_H
#define WEIR_APP_FIND_BAR_H

#include "app/screen/services/host.h"
#include "app/screen/services/mode.h"
#include "ui/edit/edit.h"

struct find_bar {
	const struct host *host;
	struct edit needle;
	unsigned searched;               /* version of the needle that the shown hits belong to */
	bool open;                       /* the bar is shown in place of the input */
	bool slashed;                    /* a slash opened it */
};

void find_bar_init(struct find_bar *f, const struct host *host);
void find_bar_fini(struct find_bar *f);
void find_bar_open(struct find_bar *f, struct str needle, bool slashed);
extern const struct mode find_bar_mode;                           /* while the bar is open */
extern const struct mode find_bar_marks_mode;                     /* while hits stay marked after it */
void find_bar_step(struct find_bar *f, int step);                 /* -1: the next older hit, 1: the next newer one */

/* The hits in words, for the hairline: "3 of 17"; "" without a search. */
void find_bar_figures(const struct find_bar *f, char *words, size_t size);
/* Draws hairline and needle of the open bar. `focused`: no menu or sheet covers it. */
void find_bar_draw(const struct find_bar *f, struct canvas *canvas, struct area area, bool focused);

#endif
