/*
 * UTF-8: repair, code points, grapheme clusters, cell widths.
 *
 * All bytes from outside pass utf8_repair() once (the stream does it for every
 * frame); behind it all text is valid UTF-8. Clusters come from libunistring,
 * widths from the C library's wcwidth(), because ncurses places text by it.
 *
 * Cells are the safe choice that every terminal agrees with (terminal.md 3):
 * what terminals join differently is reduced before it is shown. Of a ZWJ
 * sequence only the first emoji is shown, skin tones and VS16 are dropped, a
 * pair of regional indicators is two cells of width 1. Where the terminal was
 * seen to do better, utf8_set_profile() has whole clusters shown.
 */
#ifndef WEIR_BASE_UTF8_H
#define WEIR_BASE_UTF8_H

#include <stdint.h>

#include "base/text.h"

#define UTF8_REPLACEMENT 0xFFFDu

/* True when `s` is valid UTF-8 (no surrogates, no overlong forms, nothing above U+10FFFF). Fast for ASCII. */
bool utf8_is_valid(struct str s);

/* Bytes of valid UTF-8 at the start of `s`. If that is not all, `*bad` is the length of the maximal invalid part behind them. */
size_t utf8_valid_length(struct str s, size_t *bad);

/* Appends `s` to `out` with each maximal invalid part replaced by U+FFFD (WHATWG "maximal subpart"). False at out's ceiling. */
bool utf8_repair(struct str s, struct buf *out);

/* Takes the first code point off `*rest`. Invalid bytes give U+FFFD, one byte each. Not for an empty `*rest`. */
uint32_t utf8_next(struct str *rest);

/* Writes a code point (surrogates too, as 3 bytes: WTF-8) and returns its length, 1 to 4. */
size_t utf8_put(char out[4], uint32_t code);

/* A byte within a character, not its first one. */
static inline bool utf8_is_inside(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

size_t utf8_count(struct str s); /* characters (code points) */

/* Bytes of the first grapheme cluster of `s` (0 only when `s` is empty). At most 64 KB are looked at. */
size_t utf8_cluster(struct str s);

/* Offset of the cluster that ends at `at` (the one before the cursor); 0 at the start. */
size_t utf8_cluster_before(struct str s, size_t at);

/* What the terminal draws as one picture, two cells wide. All false: nothing is known of it. */
struct utf8_profile {
	bool joins;      /* sequences with ZWJ */
	bool tones;      /* skin tones */
	bool variants;   /* narrow signs with VS16 */
	bool flags;      /* pairs of regional indicators */
	bool recent;     /* emoji of Unicode 15 */
	bool not_recent; /* it was asked, and has no such width for those: U+FFFD stands in */
};

/* One for the process, as it has one terminal: all widths follow. Layouts that were made before are not right any more. */
void utf8_set_profile(const struct utf8_profile *profile);
/* Another number whenever the profile has changed; for whoever keeps a layout. */
unsigned utf8_profile_number(void);

struct utf8_cell {
	char text[28];   /* UTF-8 that goes to the terminal, no NUL behind it; never a control byte */
	uint8_t len;
	uint8_t width;   /* 1 or 2 cells; 0: nothing is shown (a lone zero-width character) */
};

/*
 * What the first cluster of untrusted text `s` looks like on the screen, and its length in bytes.
 * This is the one function that makes cells from text; controls (C0, DEL, C1, bidi, tags, U+2028) and fillers become visible signs, and so
 * does a run of characters that show nothing and of which only one has a use (joiners, zero width space, variation selectors). Marks
 * are kept up to four. Scripts that go from right to left stay in the order in which they are read.
 * Tab and LF are for the caller's layout; here they are signs too (CR LF is two). The two halves of a reduced flag and a spacing
 * vowel sign are cells of their own, although they belong to one cluster.
 */
size_t utf8_cell(struct str s, struct utf8_cell *cell);

/* Sum of the cell widths of `s`. */
size_t utf8_width(struct str s);

#endif
