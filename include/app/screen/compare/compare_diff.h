/*
 * The difference of two answers by words, drawn over an area: what only the first has as [-words-], what only the second has as {+words+},
 * with the roles of a diff.
 */
#ifndef WEIR_APP_COMPARE_DIFF_H
#define WEIR_APP_COMPARE_DIFF_H

#include "render/flow.h"
#include "ui/canvas.h"
#include "ui/term/key.h"

struct turn;

/* A stretch of `text` in one role. */
struct diff_stretch { size_t end; uint8_t role; };

struct compare_diff { /* embedded; all zero: closed */
	bool open;
	bool differs;                  /* a word does */
	char *title;
	struct buf text;               /* with the marks */
	struct diff_stretch *stretches;
	size_t count, capacity;
	struct flow flow;
	size_t top;                    /* the first row that is shown */
	unsigned height;               /* rows shown in the last frame */
};

/* As the answers are now: what arrives later is not in it. */
void compare_diff_open(struct compare_diff *d, const char *title, const struct turn *first, const struct turn *second);
void compare_diff_close(struct compare_diff *d); /* legal when it is not open */
void compare_diff_draw(struct compare_diff *d, struct canvas *canvas, struct area area);
bool compare_diff_key(struct compare_diff *d, const struct key *key); /* scrolls; false: the key is not used */

#endif
