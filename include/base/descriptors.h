/*
 * Descriptors: the number of files a process may open is limited, and libraries that hit the limit fail with errors that do not mention
 * it. Callers check for free descriptors first.
 */
#ifndef WEIR_BASE_DESCRIPTORS_H
#define WEIR_BASE_DESCRIPTORS_H

#include "base/error.h"

#define DESCRIPTORS_MOST 32u

/* Checks that `count` descriptors (at most DESCRIPTORS_MOST) can be opened now; sets `err` otherwise. Standard error must be open. */
MUST_USE bool descriptors_ensure(unsigned count, struct error *err);

#endif
