/*
 * The finder: searches the transcript while one types, in the input's place.
 *
 * Enter keeps the place and the marks; the transcript has the focus then, and n and N go on. Esc goes back to where one was.
 */
#ifndef WEIR_APP_FINDER_H
#define WEIR_APP_FINDER_H

#include "app/chat.h"

void finder_init(struct finder *f);
void finder_fini(struct finder *f);
void finder_open(struct chat *c, struct str needle);
bool finder_leave(struct chat *c);                          /* as Esc; false: it was not open, or nothing is marked */
bool finder_takes(struct chat *c, const struct key *key);   /* while it is open all; else Esc while hits are marked */
void finder_step(struct chat *c, int step);                 /* -1: the next older hit, 1: the next newer one */

/* What the hairline says about the hits: "3 of 17"; "" while nothing is searched. */
void finder_figures(const struct chat *c, char *words, size_t size);
void finder_draw(const struct chat *c, struct area area);   /* hairline and needle, while it is open */

#endif
