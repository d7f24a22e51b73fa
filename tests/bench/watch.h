/*
 * How long a program is away from its poll: a library put in front of libc's (LD_PRELOAD) notes what its main thread does
 * between two polls. So "no frame takes longer" is measured where it is felt, whatever the frame consists of.
 */
#ifndef WEIR_TESTS_BENCH_WATCH_H
#define WEIR_TESTS_BENCH_WATCH_H

#include <stdint.h>

#define WATCH_FD_NAME "WEIR_BENCH_WATCH" /* environment: the descriptor of the memory below */

/* In memory that both processes have. Written by the watched one; who measures sets the longest times back to 0. */
struct watch {
	int64_t longest_ns;     /* of the real clock; others on the machine count too */
	int64_t longest_cpu_ns; /* of the main thread */
	int64_t polls;
};

#endif
