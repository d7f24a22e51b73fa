/*
 * Memory: the one place where the program may run out of it.
 *
 * Every allocation of the program goes through here. Out of memory is not an
 * error that callers handle: it ends the program with a sentence, after its
 * last words (base/last_words.h). Input can never cause it, because
 * growing buffers (base/text.h) have a ceiling that is checked first.
 */
#ifndef WEIR_BASE_MEM_H
#define WEIR_BASE_MEM_H

#include <stddef.h>

/* `size` bytes, all zero. Never NULL, also for 0. Free with mem_free(). */
void *mem_new(size_t size);

/* Room for `count` items of `size` bytes; the old content is kept, new bytes are not set. `ptr` may be NULL. */
void *mem_resize(void *ptr, size_t count, size_t size);

/* Makes sure that `*array` (of items of `size` bytes, `*capacity` of them allocated) holds `need` items; grows by halves. */
void mem_reserve(void *array_ptr, size_t *capacity, size_t need, size_t size);

/* A copy of `len` bytes and a NUL after them. */
char *mem_dup(const char *ptr, size_t len);

/* A copy of a C string; NULL stays NULL. */
char *mem_dup_z(const char *text);

void mem_free(void *ptr); /* NULL is legal */

/* Ends the program because `bytes` more are not to be had; also for libraries that say so. */
_Noreturn void mem_die(size_t bytes);

#endif
