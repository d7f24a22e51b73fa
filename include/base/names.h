/*
 * Lists of names: whether a word is in one, and the sentences that list what is known.
 */
#ifndef WEIR_BASE_NAMES_H
#define WEIR_BASE_NAMES_H

#include "base/text.h"

bool str_is_among(struct str s, const char *const *words, size_t count);
bool str_is_among_nocase(struct str s, const char *const *words, size_t count); /* ignores the case of ASCII letters */

/* Whether a name fits one of the patterns of a list, as fnmatch() has them, parted by commas. */
bool names_fit(struct str patterns, const char *name);

/*
 * The search for the name that a word was meant to be: the one with the fewest slips, below a limit. A slip is an insertion, a deletion, a
 * substitution or a swap of neighbours; a name that begins with the word has none.
 */
struct nearest { struct str word; const char *name; size_t slips; }; /* name: borrowed, the nearest so far; NULL: none is near */
struct nearest nearest_below(struct str word, size_t limit);
struct nearest nearest_to(struct str word);                          /* below as many slips as a word of its length may have */
void nearest_try(struct nearest *n, const char *name);

int names_compare(const void *a, const void *b); /* for qsort() of an array of them */

/* The name at an index of a list; NULL after the last. */
typedef const char *name_at(const void *list, size_t index);
const char *name_in_words(const void *words, size_t index); /* of an array of words that ends with NULL */

void names_write(name_at *at, const void *list, struct buf *out);        /* appends "a, b, c" */
void names_write_choice(name_at *at, const void *list, struct buf *out); /* appends "a, b or c" */

/* Both return false. "there is no KIND 'NAME'; known are a, b, c", where a long name is cut. */
bool names_refuse(const char *kind, struct str name, name_at *at, const void *list, struct error *err);
/* "SETTING = VALUE: it must be a, b or c" */
bool names_refuse_value(struct str setting, struct str value, name_at *at, const void *list, struct error *err);

#endif
