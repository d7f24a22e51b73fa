/*
 * The welcome page, shown while the conversation has no turn: the most important keys and what to try.
 */
#ifndef WEIR_APP_WELCOME_H
#define WEIR_APP_WELCOME_H

#include "app/screen/latest_conversation.h"

void welcome_draw(struct canvas *canvas, struct area area, const struct view *view, const struct latest_conversation *newest);

#endif
