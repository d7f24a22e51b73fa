/*
 * Random numbers that nobody can foresee.
 */
#ifndef WEIR_BASE_OS_RANDOM_H
#define WEIR_BASE_OS_RANDOM_H

#include <stddef.h>

#include "base/error.h"

/* At most 256 bytes. False, with errno: there are none. */
MUST_USE bool random_fill(void *bytes, size_t count);

#endif
