/*
 * A leaf of the index: words in the order of their bytes, each with the ascending numbers of the texts that have it. Written as bytes:
 *
 *	a word    a byte of two halves: how many bytes it shares with the word before, and how many of its own follow; 15: the next byte is
 *	          added to it; then its own bytes
 *	a number  its distance to the number before, less one (the first: to -1), times two, plus one if another number follows; in groups of
 *	          seven bits, the lowest first, each in a byte whose highest bit is set if another byte follows
 *
 * The bytes come from a file that may be damaged: whatever they are, reading stays within them.
 */
#ifndef WEIR_STORE_INDEX_LEAF_H
#define WEIR_STORE_INDEX_LEAF_H

#include <stdint.h>

#include "base/text.h"

#define INDEX_WORD_BYTES ((size_t)24) /* a longer word is indexed by its beginning */
#define LEAF_BYTES ((size_t)4000)     /* a row with it fills a page of SQLite */

/* Initialise with the bytes of a leaf as `rest`. */
struct leaf_reader {
	struct str rest;
	char word[INDEX_WORD_BYTES];
	size_t word_len;
	struct str numbers;  /* borrowed from the leaf */
	bool is_damaged;
};
bool leaf_next(struct leaf_reader *r);  /* false at the end, and where the bytes are no word */

static inline struct str leaf_word(const struct leaf_reader *r)
{
	return str_of(r->word, r->word_len);
}

/* Takes the next number. `*number` is UINT32_MAX before the first. False at the end. */
bool numbers_next(struct str *numbers, uint32_t *number);
void numbers_write(const uint32_t *numbers, size_t count, struct buf *out); /* at least one */

/* Is given the bytes of a leaf and its first word. */
typedef void leaf_visit(void *ctx, struct str first, struct str bytes);

/* Makes leaves of words in order. Initialise to zero but for the visitor. */
struct leaf_writer {
	leaf_visit *visit;
	void *ctx;
	struct buf bytes;
	char first[INDEX_WORD_BYTES], last[INDEX_WORD_BYTES];
	size_t first_len, last_len;
};
void leaf_add(struct leaf_writer *w, struct str word, struct str numbers);
void leaf_end(struct leaf_writer *w);   /* visits what is left; another leaf may follow */
void leaf_writer_fini(struct leaf_writer *w);

#endif
