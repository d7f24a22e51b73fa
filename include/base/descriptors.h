/*
 * Descriptors: a process may have only so many files open, and libraries that get none fail in ways that tell nobody why. So what
 * they need is made sure of before, like memory (base/mem.h).
 */
#ifndef WEIR_BASE_DESCRIPTORS_H
#define WEIR_BASE_DESCRIPTORS_H

#include "base/error.h"

#define DESCRIPTORS_MOST 32u

/* So many (DESCRIPTORS_MOST at most) can be opened now; else a sentence. Needs an open standard error. */
MUST_USE bool descriptors_ensure(unsigned count, struct error *err);

#endif
