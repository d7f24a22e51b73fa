/*
 * The words of some texts, before they are written into the index. Each text has a number; those of a word ascend.
 *
 * A sign (base/words.h) is indexed together with the sign that is joined to it, else alone. So a text has two joined signs if it has a
 * word of the index, and one sign if it has one that begins with it.
 */
#ifndef WEIR_STORE_INDEX_BATCH_H
#define WEIR_STORE_INDEX_BATCH_H

#include <stdint.h>

#include "base/text.h"

struct batch_word { struct str word; const uint32_t *numbers; size_t count; };

struct index_batch; /* heap */

struct index_batch *index_batch_new(void);
void index_batch_free(struct index_batch *b); /* NULL is allowed */
/* `number` is larger than those before. */
void index_batch_add(struct index_batch *b, uint32_t number, struct str text);
/* Ends adding: the words in the order of their bytes, borrowed from the batch. */
const struct batch_word *index_batch_words(struct index_batch *b, size_t *count);

#endif
