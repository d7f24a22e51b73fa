/*
 * Memory allocation. All allocations of the program go through here.
 *
 * Running out of memory is not an error that callers handle: it ends the program with a message after the crash handlers
 * (base/crash_handler.h) have run. Input cannot cause it, because growing buffers (base/text.h) check their limit first.
 */
#ifndef WEIR_BASE_MEM_H
#define WEIR_BASE_MEM_H

#include <stddef.h>

/* Returns `size` zeroed bytes. Never NULL, even for size 0. Free with mem_free(). */
void *mem_new(size_t size);

/* Resizes `ptr` to `count` items of `size` bytes. The old content is kept; new bytes are not initialised. `ptr` may be NULL. */
void *mem_resize(void *ptr, size_t count, size_t size);

/* Grows `*array` (items of `size` bytes, `*capacity` of them allocated) by halves until it can hold `need` items. */
void mem_reserve(void *array_ptr, size_t *capacity, size_t need, size_t size);

/* The address of one more item, not initialised, at the end of such an array. A value that is assigned to it must not depend on `count`. */
#define ARRAY_ADD(items, count, capacity) (mem_reserve(&(items), &(capacity), (count) + 1, sizeof *(items)), &(items)[(count)++])

/* Returns a copy of `len` bytes with a NUL appended. */
char *mem_dup(const char *ptr, size_t len);

/* Returns a copy of a C string, or NULL for NULL. */
char *mem_dup_z(const char *text);

void mem_free(void *ptr); /* NULL is allowed */

/* Overwrites bytes that held a secret, also where nobody reads them again. */
void mem_wipe(void *ptr, size_t len);

/* Ends the program because `bytes` bytes cannot be allocated. Also called for libraries that report a failed allocation. */
_Noreturn void mem_die(size_t bytes);

#endif
