/*
 * Arrays of a fixed length.
 */
#ifndef WEIR_BASE_ARRAY_H
#define WEIR_BASE_ARRAY_H

#include <stddef.h>

/* How many members an array has; of a pointer it says nothing. */
#define ARRAY_LEN(array) (sizeof(array) / sizeof *(array))

#endif
