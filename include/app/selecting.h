/*
 * Selecting: a range of lines of the transcript, by keys as in vi's V, or by dragging the mouse as in tmux.
 *
 * While it is open its keys go before all others. What the mouse selects is copied when the button is released, and stays marked until
 * the next key, which does what it always does.
 */
#ifndef WEIR_APP_SELECTING_H
#define WEIR_APP_SELECTING_H

#include "app/chat.h"

void selecting_open(struct chat *c);                         /* the transcript gets the focus for the time */
bool selecting_takes(struct chat *c, const struct key *key); /* nothing while it is not open */
void selecting_mouse(struct chat *c, const struct key *key); /* KEY_MOUSE_... over the transcript */

/* What the hairline says: how much is selected, and the keys; "" while nothing is. */
void selecting_words(const struct chat *c, char *words, size_t size);

#endif
