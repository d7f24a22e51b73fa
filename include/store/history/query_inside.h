/* What the files of a query share: its words, and where a text has them. */
#ifndef WEIR_STORE_QUERY_INSIDE_H
#define WEIR_STORE_QUERY_INSIDE_H

#include "base/words.h"
#include "store/history/query.h"

#define TERMS_MOST 32u

struct term {
	struct buf folded;     /* its text */
	size_t from, count;    /* its words */
	bool is_beginning;     /* ... the last of which is the beginning of one */
};

struct query {
	struct term terms[TERMS_MOST];
	size_t term_count;
	struct word *words;    /* of all terms */
	size_t word_count, word_capacity;
	struct index_key *keys;
	size_t key_count;
	bool keys_are_enough;
	struct buf key_bytes;
};

/* Whether the text has a term where `first` stands, and `behind` goes on. If so `*last` is the last of its words there. */
bool query_term_is_at(const struct query *q, const struct term *term, const struct word *first, struct words behind, struct word *last);

#endif
