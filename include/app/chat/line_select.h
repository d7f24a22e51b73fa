/*
 * Line selection: a range of lines of the transcript, by keys as in vi's V, or by dragging the mouse as in tmux.
 *
 * While it is open its keys go before all others. What the mouse selects is copied when the button is released, and stays marked until
 * the next key, which does what it always does.
 */
#ifndef WEIR_APP_LINE_SELECT_H
#define WEIR_APP_LINE_SELECT_H

#include "app/chat/clipboard.h"
#include "app/chat/host.h"
#include "app/chat/mode.h"

struct line_select {
	const struct host *host;
	struct clipboard *clipboard;     /* borrowed: where it goes */
	bool open;                       /* its keys go before all others */
	bool by_mouse;                   /* any key ends it */
	bool pressed;                    /* the button is held, */
	unsigned pressed_row;            /* since it was pressed over this row of the screen */
	struct pane *before;             /* had the focus */
	size_t lines, characters;        /* of the source */
};

void line_select_init(struct line_select *s, const struct host *host, struct clipboard *clipboard);
void line_select_open(struct line_select *s);                         /* the transcript gets the focus for the time */
extern const struct mode line_select_mode;
void line_select_mouse(struct line_select *s, const struct key *key); /* KEY_MOUSE_... over the transcript */

/* What the hairline of so many columns says: how much is selected, and the keys; "" while nothing is. */
void line_select_words(const struct line_select *s, unsigned columns, char *words, size_t size);

#endif
