/*
 * Searching in bytes.
 */
#ifndef WEIR_BASE_OS_BYTES_H
#define WEIR_BASE_OS_BYTES_H

#include <stddef.h>

/* The first occurrence of a part that is not empty; NULL: there is none. In POSIX's form its time grows with the product of both lengths. */
const char *bytes_find(const char *bytes, size_t len, const char *part, size_t part_len);

#endif
