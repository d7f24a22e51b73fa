/*
 * The bare view: only the source of the conversation on the whole screen, without margins and lines of weir, and with the mouse left to
 * the terminal, so that the terminal's selection is clean. Scrolling and jumps work; other text goes to the input. Leaving it restores
 * the previous position.
 */
#ifndef WEIR_APP_BARE_H
#define WEIR_APP_BARE_H

#include "app/screen/services/host.h"
#include "app/screen/services/mode.h"

struct bare {
	const struct host *host;
	struct transcript *transcript; /* a transcript of its own; NULL: the view is closed */
	bool mouse;              /* mouse reporting was on before the view was opened */
};

void bare_init(struct bare *b, const struct host *host);
void bare_fini(struct bare *b);
void bare_open(struct bare *b, unsigned columns);
extern const struct mode bare_mode;       /* takes all keys */
void bare_draw(struct bare *b, const struct view *view, struct canvas *canvas);

#endif
