/*
 * The finder: searches the transcript while one types, in the input's place.
 *
 * Enter keeps the place and the marks; the transcript has the focus then, and n and N go on. Esc goes back to where one was.
 */
#ifndef WEIR_APP_FINDER_H
#define WEIR_APP_FINDER_H

#include "app/chat/host.h"
#include "app/chat/mode.h"
#include "ui/edit/edit.h"

struct finder {
	const struct host *host;
	struct edit needle;
	unsigned searched;               /* version of the needle that hits are shown of */
	bool open;                       /* it stands in the input's place */
};

void finder_init(struct finder *f, const struct host *host);
void finder_fini(struct finder *f);
void finder_open(struct finder *f, struct str needle);
bool finder_leave(struct finder *f);                          /* as Esc; false: it was not open, and nothing is marked */
extern const struct mode finder_mode, finder_marks_mode;      /* typing in it; hits that stay marked */
void finder_step(struct finder *f, int step);                 /* -1: the next older hit, 1: the next newer one */

/* What the hairline says about the hits: "3 of 17"; "" while nothing is searched. */
void finder_figures(const struct finder *f, char *words, size_t size);
/* Hairline and needle, while it is open; `focused`: nothing lies over it. */
void finder_draw(const struct finder *f, struct canvas *canvas, struct area area, bool focused);

#endif
