/*
 * Copying: what was said, as its source. It goes to the clipboard (app/chat/clipboard.h), or to a pager or an editor (app/chat/external.h).
 */
#ifndef WEIR_APP_COPYING_H
#define WEIR_APP_COPYING_H

#include "app/chat/clipboard.h"

/* What can be taken, "answer" first; NULL beyond. */
struct copying_word { const char *name, *help; };
const struct copying_word *copying_word_at(size_t index);

/* `what`: one of the words, or "" for the first. All turns come as markdown, with a heading each. False: it is said why not. */
bool copying_take(const struct host *h, struct str what, struct buf *out);
void copying_run(const struct host *h, struct clipboard *clipboard, struct str what); /* to the clipboard */

#endif
