/*
 * Counts the system calls of a running program, of all its threads, by tracing it (ptrace). Tracing makes each call slower by some
 * microseconds, so no time is measured meanwhile.
 */
#ifndef WEIR_TESTS_BENCH_CALLS_H
#define WEIR_TESTS_BENCH_CALLS_H

#include <sys/types.h>

struct calls; /* heap */

/* `pid` is a child of this process. NULL, with a message printed: it cannot be traced. */
struct calls *calls_begin(pid_t pid);
/* The number of calls that returned since calls_begin(). The program runs on, untraced. Frees `calls`. */
unsigned long calls_end(struct calls *calls);

#endif
