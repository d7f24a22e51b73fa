/*
 * The lesser of two numbers.
 */
#ifndef WEIR_BASE_LEAST_H
#define WEIR_BASE_LEAST_H

#include <stddef.h>

static inline unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static inline size_t least_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

#endif
