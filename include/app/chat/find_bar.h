/*
 * The find bar: searches the transcript while one types, in the input's place.
 *
 * Enter keeps the place and the marks; the transcript has the focus then, and n and N go on. Esc goes back to where one was.
 */
#ifndef WEIR_APP_FIND_BAR_H
#define WEIR_APP_FIND_BAR_H

#include "app/chat/host.h"
#include "app/chat/mode.h"
#include "ui/edit/edit.h"

struct find_bar {
	const struct host *host;
	struct edit needle;
	unsigned searched;               /* version of the needle that hits are shown of */
	bool open;                       /* it stands in the input's place */
};

void find_bar_init(struct find_bar *f, const struct host *host);
void find_bar_fini(struct find_bar *f);
void find_bar_open(struct find_bar *f, struct str needle);
bool find_bar_leave(struct find_bar *f);                          /* as Esc; false: it was not open, and nothing is marked */
extern const struct mode find_bar_mode, find_bar_marks_mode;      /* typing in it; hits that stay marked */
void find_bar_step(struct find_bar *f, int step);                 /* -1: the next older hit, 1: the next newer one */

/* What the hairline says about the hits: "3 of 17"; "" while nothing is searched. */
void find_bar_figures(const struct find_bar *f, char *words, size_t size);
/* Hairline and needle, while it is open; `focused`: nothing lies over it. */
void find_bar_draw(const struct find_bar *f, struct canvas *canvas, struct area area, bool focused);

#endif
