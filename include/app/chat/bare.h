/*
 * The bare view: the source of what was said over the whole screen and nothing else - no margin, no lines of weir's own, the mouse left
 * to the terminal - so that what the terminal selects is clean. Scrolling and jumps work; any way back leads to the very place.
 */
#ifndef WEIR_APP_BARE_H
#define WEIR_APP_BARE_H

#include "app/chat/host.h"
#include "app/chat/mode.h"

struct bare {
	const struct host *host;
	struct transcript *transcript; /* a second one; NULL: it is not open */
	bool mouse;              /* weir had it before */
};

void bare_init(struct bare *b, const struct host *host);
void bare_fini(struct bare *b);
void bare_open(struct bare *b, unsigned columns);
extern const struct mode bare_mode;       /* takes all keys */
void bare_draw(struct bare *b, const struct view *view, struct canvas *canvas);

#endif
