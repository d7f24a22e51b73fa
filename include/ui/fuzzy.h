/*
 * Fuzzy matching: the letters of a needle occur in the text in order, with anything between them.
 */
#ifndef WEIR_UI_FUZZY_H
#define WEIR_UI_FUZZY_H

#include "base/text.h"

#define FUZZY_TEXT_BYTES 255 /* bytes of a text that are compared; the rest is ignored */

/*
 * Returns the score of `needle` in `text`, or -1 without a match. ASCII case and blanks in the needle are ignored.
 * Consecutive letters and word starts score higher, then earlier letters, whole words, shorter texts. An empty needle scores 0.
 */
int fuzzy_score(struct str needle, struct str text);

/* Like fuzzy_score(). Also sets `matched` to true for each byte that matched and to false for all others. */
int fuzzy_match(struct str needle, struct str text, bool matched[FUZZY_TEXT_BYTES]);

#endif
