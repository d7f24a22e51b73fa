/*
 * Copying: what was said goes to the terminal's clipboard as its source, and the status bar says exactly what was done.
 */
#ifndef WEIR_APP_COPYING_H
#define WEIR_APP_COPYING_H

#include "base/text.h"

struct chat;

/* "answer" (or ""): all text of the last answer; "code": the newest code block in view; "turn": question and answer; "id". */
void copying_run(struct chat *c, struct str what);

#endif
