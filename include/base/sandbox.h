/*
 * The process gives up all that it does not need to compute: from then on it reads standard input, writes standard output, asks for memory
 * and ends. It opens, changes and removes no file, reaches no network, signals no process, starts none and traces none. Every other system
 * call fails with EPERM, so that a library that tries one takes its own way out; one by the numbers of another architecture ends the process.
 *
 * For Linux. What the kernel does not have is left out, and the rest holds: Landlock (before Linux 5.13), the filter of system calls (on an
 * architecture that sandbox.c does not list, and in qemu-user). Under valgrind only the descriptors are closed: limits and a filter would
 * be valgrind's too.
 */
#ifndef WEIR_BASE_SANDBOX_H
#define WEIR_BASE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct sandbox_limits {
	size_t memory_bytes; /* of addresses; not limited under AddressSanitizer, whose shadow takes terabytes of them */
	unsigned seconds;    /* of processor time; then a signal ends the process */
};

/* For good, and for what the process starts. Closes all descriptors but the standard ones. False: something that the kernel has failed. */
MUST_USE bool sandbox_enter(struct sandbox_limits limits);

#endif
