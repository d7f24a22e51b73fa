/*
 * Words of a text for a search: without case and accents, and with characters replaced by their compatible forms (NFKD).
 *
 * A word is a run of letters, digits and marks. Scripts that put no blanks between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese, Yi) and
 * Korean, whose words have endings, are broken into characters, so that any part of a sentence is a sequence of words.
 *
 * What counts as an accent: marks above, below and at the side of letters (canonical combining class 200 and more), Hebrew points and Arabic
 * vowel signs. Other marks distinguish words: Indic vowel signs, Japanese voicing marks. Letters with a stroke, and ligatures, are folded
 * to what is typed on a keyboard without them (Łódź: lodz). Characters that are not shown (soft hyphens, joiners, variation selectors) are
 * ignored.
 */
#ifndef WEIR_BASE_WORDS_H
#define WEIR_BASE_WORDS_H

#include "base/text.h"

#define WORD_BYTES 64

struct word {
	char folded[WORD_BYTES];
	size_t len;       /* of `folded`: a longer word is cut */
	size_t from, to;  /* offsets in the text */
	bool is_sign;     /* one character of a script without blanks */
	bool is_joined;   /* it stands directly behind another such character */
};

/* Initialise with words_of(). A copy goes on from the same place. */
struct words {
	struct str text;
	size_t at;       /* offset of what comes next */
	size_t sign_end; /* where the last sign ended; 0: there was none */
};

/* Borrows the text, which may hold any bytes: those that are not UTF-8 separate words. */
struct words words_of(struct str text);
bool words_next(struct words *w, struct word *word); /* false at the end */

static inline struct str word_str(const struct word *word)
{
	return str_of(word->folded, word->len);
}

/* Appends the whole text with its words folded, for a search of parts of words. */
void words_fold(struct str text, struct buf *out);

#endif
