/*
 * UTF-8: repair, code points, grapheme clusters, cell widths.
 *
 * All bytes from outside pass utf8_repair() once (the stream calls it for every frame); after that, all text is valid UTF-8. Clusters come
 * from libunistring. Widths come from the C library's wcwidth(), because ncurses places text by it.
 *
 * Cells use what all terminals agree on; sequences that terminals draw differently are reduced. Of a ZWJ sequence only the
 * first emoji is shown, skin tones and VS16 are dropped, and a pair of regional indicators takes two cells of width 1. If the terminal is
 * known to do better, utf8_set_profile() enables whole clusters.
 */
#ifndef WEIR_BASE_UTF8_H
#define WEIR_BASE_UTF8_H

#include <stdint.h>

#include "base/text.h"

#define UTF8_REPLACEMENT 0xFFFDu

/* True when `s` is valid UTF-8: no surrogates, no overlong forms, nothing above U+10FFFF. Fast for ASCII. */
bool utf8_is_valid(struct str s);

/* Bytes of valid UTF-8 at the start of `s`. If less than all, `*bad` is the length of the maximal invalid part that follows. */
size_t utf8_valid_length(struct str s, size_t *bad);

/* Appends `s` to `out`, with each maximal invalid part replaced by U+FFFD (WHATWG "maximal subpart"). False at the limit of `out`. */
bool utf8_repair(struct str s, struct buf *out);

/* Removes the first code point from `*rest`, which must not be empty. Invalid bytes give U+FFFD, one byte each. */
uint32_t utf8_next(struct str *rest);

/* Writes a code point and returns its length, 1 to 4. Surrogates are written as 3 bytes (WTF-8). */
size_t utf8_put(char out[4], uint32_t code);

/* True for a continuation byte. */
static inline bool utf8_is_inside(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

size_t utf8_count(struct str s); /* number of code points */

/* The beginning of `s`, at most `most` bytes, that does not split a character. */
struct str utf8_head(struct str s, size_t most);

/* The beginning of `s` without a character at its end of which bytes are still to come. */
struct str utf8_arrived(struct str s);

/* Bytes of the first grapheme cluster of `s`; 0 only when `s` is empty. Examines at most 64 KB. */
size_t utf8_cluster(struct str s);

/* Offset of the cluster that ends at `at` (the one before the cursor); 0 at the start. */
size_t utf8_cluster_before(struct str s, size_t at);

/* The sequences that the terminal draws as one picture, two cells wide. All false: unknown. */
struct utf8_profile {
	bool joins;      /* ZWJ sequences */
	bool tones;      /* skin tones */
	bool variants;   /* narrow characters with VS16 */
	bool flags;      /* pairs of regional indicators */
	bool recent;     /* emoji of Unicode 15 */
	bool not_recent; /* the terminal was asked and does not draw those: U+FFFD is shown */
};

/* Sets the profile of the process, which has one terminal. All widths follow it, so layouts made before become invalid. */
void utf8_set_profile(const struct utf8_profile *profile);
/* Changes with every change of the profile. For code that caches a layout. */
unsigned utf8_profile_number(void);

struct utf8_cell {
	char text[28];   /* UTF-8 for the terminal, not NUL-terminated; never a control byte */
	uint8_t len;
	uint8_t width;   /* 1 or 2 cells; 0: nothing is shown (a lone zero-width character) */
};

/*
 * Converts the first cluster of untrusted text `s` into its cell on the screen; returns its length in bytes. No other function makes cells
 * from text.
 *
 * Controls (C0, DEL, C1, bidi, tags, U+2028) and fillers become visible characters. So does a run of invisible characters that are
 * legitimate only one at a time (joiners, zero width space, variation selectors). At most four combining marks are kept. Right-to-left
 * text is shown in logical order.
 *
 * The caller's layout handles tab and LF; here they become visible characters too (CR LF gives two). The halves of a reduced flag and a
 * spacing vowel sign are cells of their own, although they belong to one cluster.
 */
size_t utf8_cell(struct str s, struct utf8_cell *cell);

/*
 * Appends any bytes as text in which controls, and what hides or reorders text, are visible, but for LF and tab, and invalid bytes are U+FFFD.
 * False at the limit of `out`.
 */
bool utf8_show(struct str text, struct buf *out);

/* Sum of the cell widths of `s`. */
size_t utf8_width(struct str s);

#endif
