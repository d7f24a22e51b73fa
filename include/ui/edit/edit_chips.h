/*
 * Chips: short marks in a text that represent large pastes.
 *
 * A mark is U+FFF9, a variation selector that numbers the paste, "[pasted 1,024 KB, 20,000 lines]" and U+FFFB. It is drawn like any
 * text; only the part in brackets occupies cells. Text from outside never contains U+FFF9 or U+FFFB (chips_refuse_marks()), so a
 * mark can be copied within the editor like any text and is still recognized.
 */
#ifndef WEIR_UI_EDIT_CHIPS_H
#define WEIR_UI_EDIT_CHIPS_H

#include <stdint.h>

#include "base/text.h"

#define CHIPS_MOST 64
#define CHIPS_LIMIT ((size_t)64 << 20)
#define CHIP_MARK_BYTES 96             /* maximum length of a mark */

struct chips {
	struct buf pastes[CHIPS_MOST]; /* len 0: free */
	size_t bytes;
};

void chips_init(struct chips *chips);
void chips_fini(struct chips *chips);

/* Copies a paste and appends its mark to `mark`. False when the limits leave no room for it. */
bool chips_add(struct chips *chips, struct str paste, struct buf *mark);
/* The pasted text of the mark at the start of `mark`; STR_NONE if the paste is unknown or was dropped. Borrowed. */
struct str chips_find(const struct chips *chips, struct str mark);
/* Appends `text` with every mark replaced by its pasted text. */
void chips_expand(const struct chips *chips, struct str text, struct buf *out);

uint64_t chips_in(struct str text);                      /* the pastes that a text has marks of, one bit each */
void chips_keep(struct chips *chips, uint64_t used);     /* frees all pastes whose bit is not set */

size_t chip_length(struct str text);             /* length of the mark at the start of `text`; 0: none */
size_t chip_before(struct str text, size_t at);  /* start of the mark that ends at `at`; `at`: none */
size_t chip_around(struct str text, size_t at);  /* start of the mark that contains `at`; `at`: none */
size_t chip_next(struct str text, size_t at);    /* start of the first mark at or after `at`; text.len: none */

/* Replaces U+FFF9 and U+FFFB with U+FFFD in a text from outside, in place. */
void chips_refuse_marks(char *text, size_t len);

#endif
