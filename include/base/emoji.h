/*
 * Emoji: which clusters are one picture, two cells wide, on a terminal that can draw it.
 *
 * That is pictures joined by ZWJ, with a skin tone, made wide by VS16, flags, and those that are newer than the C library. What a
 * terminal can draw is measured (ui/term/handshake.h); a cluster that asks for more is for utf8_cell() to reduce.
 */
#ifndef WEIR_BASE_EMOJI_H
#define WEIR_BASE_EMOJI_H

#include "base/utf8.h"

/*
 * Bytes of such a picture at the start of `s`, when `can` says that it can be drawn; else 0. Marks may follow that belong to the same
 * cluster: then it is none.
 */
size_t emoji_whole(struct str s, const struct utf8_profile *can);

/* One that came with Unicode 15: older terminals know no width for it. */
bool emoji_is_recent(uint32_t code);

#endif
