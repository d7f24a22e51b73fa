/*
 * What a user looks for: terms, each a word, `pre*` for the beginning of one, or a `"phrase"`, words in a row. A text has the query if it
 * has all terms, as words (base/words.h). Nothing else has a meaning.
 */
#ifndef WEIR_STORE_QUERY_H
#define WEIR_STORE_QUERY_H

#include "base/text.h"
#include "store/history/index.h"

struct query; /* heap */

struct query *query_new(struct str words);
void query_free(struct query *q);          /* NULL is allowed */

bool query_is_empty(const struct query *q);    /* no terms */
struct str query_term(const struct query *q, size_t index); /* as words_fold() makes it; borrowed, empty behind the last */
bool query_has_words(const struct query *q);   /* else no text has it, but a title may */

bool query_is_in(const struct query *q, struct str text);
bool query_is_in_title(const struct query *q, struct str title); /* where terms may also be parts of words */
bool query_is_in_folded(const struct query *q, struct str title); /* the same for words_fold() of it */
/* Some words around the first place that has as many terms as possible, each in HISTORY_HIT_BEGIN and _END. Heap; NULL if the text has it not. */
char *query_snippet(const struct query *q, struct str text);
/* The first of these terms, as bytes of the text. False: the text has it not. */
bool query_place(const struct query *q, struct str text, size_t *from, size_t *to);

/* What a text of the index must have, borrowed from the query. `*is_enough`: a text with all of it has the query, else it may. */
const struct index_key *query_keys(const struct query *q, size_t *count, bool *is_enough);

#endif
