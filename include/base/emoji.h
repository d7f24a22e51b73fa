/*
 * Emoji: finds clusters that the terminal can draw as one picture two cells wide.
 *
 * These are ZWJ sequences, skin tones, characters made wide by VS16, flags, and emoji newer than the C library. What the terminal can draw
 * is measured (ui/term/handshake.h). utf8_cell() reduces clusters that need more.
 */
#ifndef WEIR_BASE_EMOJI_H
#define WEIR_BASE_EMOJI_H

#include "base/utf8.h"

/*
 * Bytes of the picture at the start of `s`, if `can` says that the terminal draws it; else 0. Also 0 when combining marks of the same
 * cluster follow the picture.
 */
size_t emoji_whole(struct str s, const struct utf8_profile *can);

/* True for emoji added in Unicode 15: older terminals have no width for them. */
bool emoji_is_recent(uint32_t code);

#endif
