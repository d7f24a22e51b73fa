/* What the files of the index in the database share: the list of texts in a block. */
#ifndef WEIR_STORE_INDEX_INSIDE_H
#define WEIR_STORE_INDEX_INSIDE_H

#include "store/history/index.h"

#define BLOCK_SPAN_MOST ((int64_t)1 << 20) /* pieces of a block, also those without a text */

/* The number of a text is its piece less the block's first. */
struct block_text { uint32_t number; int64_t conversation; };
struct block_texts { struct block_text *at; size_t count, capacity; };

/* As bytes: for each text the distance of its number to the one before, less one (the first: to -1), and the difference of the conversations. */
void block_texts_read(struct database *db, struct str bytes, struct block_texts *texts); /* fails if the bytes are damaged */
void block_texts_write(const struct block_texts *texts, struct buf *out);
void block_texts_fini(struct block_texts *texts);

bool number_set_has(const struct number_set *set, uint32_t number);
void number_set_add(struct number_set *set, uint32_t number);
void number_set_clear(struct number_set *set, size_t span); /* empty, with room for numbers below */

#define INDEX_DAMAGED "its index is damaged"

#endif
