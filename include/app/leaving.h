/*
 * Leaving: what stays in the terminal when the full screen has gone - the last exchange, all, or nothing (the setting `leave`).
 */
#ifndef WEIR_APP_LEAVING_H
#define WEIR_APP_LEAVING_H

#include "app/chat.h"

/*
 * To be called while the session is there and the terminal is as it was found. Nothing is printed before anything was said, and when a
 * signal ended the program.
 */
void leaving_print(struct chat *c);

#endif
