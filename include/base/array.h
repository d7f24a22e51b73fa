/*
 * Arrays of a fixed length.
 */
#ifndef WEIR_BASE_ARRAY_H
#define WEIR_BASE_ARRAY_H

#include <stddef.h>

/* The number of elements of an array. Do not use it on a pointer. */
#define ARRAY_LEN(array) (sizeof(array) / sizeof *(array))

#endif
