/*
 * A process that can only compute: after sandbox_enter() it can read standard input, write standard output, allocate memory and exit. It
 * cannot open, change or remove files, reach a network, or signal, start or trace a process. Every other system call fails with EPERM, which
 * a library handles as an error; a call with the numbers of another architecture ends the process.
 *
 * On Linux, what the kernel lacks is left out, and the rest applies: Landlock (before Linux 5.13), the filter of system calls (on an
 * architecture that linux_sandbox.c does not list, and in qemu-user). Under valgrind only the descriptors are closed: limits and a filter would
 * be valgrind's too.
 *
 * POSIX's form has no filter. It limits what the process may use and lets it open nothing, but it can still remove, rename and signal.
 */
#ifndef WEIR_BASE_OS_SANDBOX_H
#define WEIR_BASE_OS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct sandbox_limits {
	size_t memory_bytes; /* of addresses; not limited under AddressSanitizer, whose shadow takes terabytes of them */
	unsigned seconds;    /* of processor time; then a signal ends the process */
};

/* False in POSIX's form. */
extern const bool sandbox_is_whole;

/* Cannot be undone. Closes all descriptors but the standard ones. False: a step that the kernel supports has failed; others may be in effect. */
MUST_USE bool sandbox_enter(struct sandbox_limits limits);

#endif
