/*
 * Copying: the source of parts of the conversation, for the clipboard (app/screen/services/clipboard.h), a pager or an editor
 * (app/screen/services/external.h).
 */
#ifndef WEIR_APP_COPYING_H
#define WEIR_APP_COPYING_H

#include "app/screen/services/clipboard.h"

/* The parts that can be copied, "answer" first; NULL beyond the last. */
struct copying_word { const char *name, *help; };
const struct copying_word *copying_word_at(size_t index);

/*
 * Copies to the clipboard. `what` is one of the words above; "" is the first. The answer is that of host_answer(). All turns together are
 * markdown with a heading for each turn. If there is nothing to copy, the reason is shown.
 */
void copying_run(const struct host *h, struct clipboard *clipboard, struct str what);
/* Copies an item of the conversation: a picture as such, else its line and what is heard or its address. */
void copying_item(const struct host *h, struct clipboard *clipboard, const struct part *media);

#endif
