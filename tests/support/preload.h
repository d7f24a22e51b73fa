/* The libraries of tests/sweep, which are preloaded into programs. */
#ifndef WEIR_TESTS_PRELOAD_H
#define WEIR_TESTS_PRELOAD_H

#include <stdbool.h>

/* "LD_PRELOAD=..." for a library, `name` without ".so"; NULL if a sanitizer or a missing file prevents it. Static. */
const char *preload_variable(const char *name);

/* AddressSanitizer has calls of its own, and keeps what is freed for a while: then the program's memory says nothing. */
bool preload_is_sanitized(void);

#endif
