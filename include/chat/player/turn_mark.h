/*
 * A mark of an answer: what its deltas made of it up to a moment, without the texts of most parts. Texts only grow, so their lengths are
 * enough: whoever takes an answer back to a mark has the longer texts. Pictures replace one another, so a mark has its own copy of media.
 */
#ifndef WEIR_CHAT_TURN_MARK_H
#define WEIR_CHAT_TURN_MARK_H

#include "base/text.h"

struct turn;

struct turn_mark; /* heap */

struct turn_mark *turn_mark_new(const struct turn *t);
void turn_mark_free(struct turn_mark *mark);
size_t turn_mark_bytes(const struct turn_mark *mark); /* memory that it takes */

/* The text of a part, of which the text at the mark is the beginning; borrowed for the call. `open`: the part could still grow. */
typedef struct str turn_mark_text(void *ctx, size_t part, bool open);

/*
 * Makes all that deltas change in a turn what it was at the mark, and forgets what was added at its end (details, prices). `t` received the
 * same deltas as the marked turn, more or fewer of them. Its texts are cut or completed in place, so the cost is that of what changes. Its
 * revision increases, and its number of rewinds.
 */
void turn_mark_return(const struct turn_mark *mark, struct turn *t, turn_mark_text *text, void *ctx);

#endif
