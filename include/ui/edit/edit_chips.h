/*
 * Chips: short marks in a text that stand for large pastes.
 *
 * A mark is text that is drawn as it stands: U+FFF9, a variation selector that says which paste it is, "[pasted 1,024 KB,
 * 20,000 lines]", U+FFFB; all but the words in brackets take no cells. Text from outside never holds U+FFF9 or U+FFFB
 * (chips_refuse_marks()), so a mark can be copied about like any text and still be known for what it is.
 */
#ifndef WEIR_UI_EDIT_CHIPS_H
#define WEIR_UI_EDIT_CHIPS_H

#include <stdint.h>

#include "base/text.h"

#define CHIPS_MOST 64
#define CHIPS_LIMIT ((size_t)64 << 20)
#define CHIP_MARK_BYTES 96             /* no mark is longer */

struct chips {
	struct buf pastes[CHIPS_MOST]; /* len 0: free */
	size_t bytes;
};

void chips_init(struct chips *chips);
void chips_fini(struct chips *chips);

/* Keeps a paste and appends its mark to `mark`. False when there is no room for it. */
bool chips_add(struct chips *chips, struct str paste, struct buf *mark);
/* What a mark stands for; STR_NONE for one that is not known (any more). */
struct str chips_find(const struct chips *chips, struct str mark);
/* Appends `text` with marks replaced by what they stand for. */
void chips_expand(const struct chips *chips, struct str text, struct buf *out);

/* Which pastes a text has marks of, a bit each; and dropping all others. */
uint64_t chips_in(struct str text);
void chips_keep(struct chips *chips, uint64_t used);

size_t chip_length(struct str text);             /* of the mark that `text` begins with; 0: none */
size_t chip_before(struct str text, size_t at);  /* where the mark that ends at `at` begins; `at`: there is none */
size_t chip_around(struct str text, size_t at);  /* where the mark that `at` is inside of begins; `at`: it is in none */
/* Where the next mark at or behind `at` begins; the text's length: there is none. */
size_t chip_next(struct str text, size_t at);

/* The code points of marks in a text from outside become U+FFFD, in place. */
void chips_refuse_marks(char *text, size_t len);

#endif
