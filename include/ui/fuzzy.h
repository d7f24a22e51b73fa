/*
 * Fuzzy matching: the letters of a needle in their order, with anything between them.
 */
#ifndef WEIR_UI_FUZZY_H
#define WEIR_UI_FUZZY_H

#include "base/text.h"

#define FUZZY_TEXT_BYTES 255 /* of a text that are looked at */

/*
 * The score of `needle` in `text`: letters in order, ignoring the case of ASCII and blanks in the needle; -1 no match.
 * Consecutive letters and word starts score higher, then earlier letters, whole words, shorter texts. An empty needle scores 0.
 */
int fuzzy_score(struct str needle, struct str text);

/* The same, and marks the bytes that matched; the others are set to false. */
int fuzzy_match(struct str needle, struct str text, bool matched[FUZZY_TEXT_BYTES]);

#endif
