/*
 * Copying: what was said, as its source. It goes to the clipboard (app/clipboard.h), or to a pager or an editor (app/lending.h).
 */
#ifndef WEIR_APP_COPYING_H
#define WEIR_APP_COPYING_H

#include "base/text.h"

struct chat;

/*
 * Takes "answer" (or ""): all text of the last answer; "code": the newest code block in view; "turn": question and answer;
 * "all": the conversation as markdown, a heading a turn; "id". False: it is said why there is nothing.
 */
bool copying_take(struct chat *c, struct str what, struct buf *out);
void copying_run(struct chat *c, struct str what); /* to the clipboard */

#endif
