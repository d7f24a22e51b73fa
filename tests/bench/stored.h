/*
 * A history to measure with: many conversations of pseudo-random words, the same at each run. Uses XDG_DATA_HOME. The texts hold "word1"
 * to "word20000", the titles "topic1" to "topic20000", so that no title is found in place of a text. Words are frequent and rare as in a
 * language, but all of them begin alike, which is the worst case for what is typed letter by letter.
 */
#ifndef WEIR_TESTS_BENCH_STORED_H
#define WEIR_TESTS_BENCH_STORED_H

#include <stddef.h>

/* `bytes` of text in all. Exits with a sentence on failure. */
void stored_make(size_t conversations, size_t bytes);
/* Adds one conversation to it. Its last answer ends with STORED_END in a line of its own. */
void stored_make_long(const char *title, unsigned turns, size_t bytes);
/* A file to import, of the same words (Claude's form): its path, on the heap. */
char *stored_make_import(size_t conversations, size_t bytes);
#define STORED_END "Here it ends."

#endif
