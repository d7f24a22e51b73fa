/* What scripts ask of the history of stored_make(): hits, at rest and during an import; a deletion; and how large the file is. Changes it. */
#ifndef WEIR_TESTS_BENCH_SEARCH_H
#define WEIR_TESTS_BENCH_SEARCH_H

#include <stddef.h>

void bench_search(size_t bytes); /* of text that are stored */

#endif
