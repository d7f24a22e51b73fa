/*
 * The difference of two texts by words. A word ends before a blank; the blanks behind it belong to it, but are not compared.
 *
 * The shortest edit is found (Myers, in linear space), but for texts that have little in common: from WORD_DIFF_EDITS_MOST edits on, what
 * is left is replaced as a whole.
 */
#ifndef WEIR_BASE_WORD_DIFF_H
#define WEIR_BASE_WORD_DIFF_H

#include "base/text.h"

#define WORD_DIFF_EDITS_MOST 1000
#define WORD_DIFF_WORDS_MOST 50000 /* of each text; the words behind them are left out */

enum word_kind { WORDS_SAME, WORDS_REMOVED, WORDS_ADDED };

struct word_run { enum word_kind kind; struct str text; }; /* what is the same is the text of the second */
struct word_diff { struct word_run *runs; size_t count, capacity; }; /* initialise to zero */

/* The runs borrow from the texts. What is removed stands before what is added in its place. */
void word_diff_make(struct word_diff *d, struct str before, struct str after);
void word_diff_fini(struct word_diff *d);

#endif
