/*
 * Measures the time between a program's polls: a preloaded library (LD_PRELOAD) records the time its main thread spends between two
 * calls of poll(). This is the delay that a user notices, whatever causes it.
 */
#ifndef WEIR_TESTS_BENCH_WATCH_H
#define WEIR_TESTS_BENCH_WATCH_H

#include <stdint.h>

#define WATCH_FD_NAME "WEIR_BENCH_WATCH" /* environment variable: descriptor of the shared memory */

/* In shared memory. Written by the watched process. The measuring process resets the longest times to 0. */
struct watch {
	int64_t longest_ns;     /* real time; includes the time of other processes */
	int64_t longest_cpu_ns; /* CPU time of the main thread */
	int64_t polls;
};

#endif
