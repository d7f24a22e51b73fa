/*
 * Descriptors that no other program inherits (FD_CLOEXEC), and files by descriptor. POSIX's form sets the flag a moment after the descriptor is
 * there: a program that another thread starts in between would inherit it.
 */
#ifndef WEIR_BASE_OS_DESCRIPTOR_H
#define WEIR_BASE_OS_DESCRIPTOR_H

#include <fcntl.h>
#include <stdio.h>

#include "base/error.h"

/* A folder that is only passed through: where the system can, without the right to list it. */
#ifdef O_PATH
#define OPEN_TO_PASS (O_PATH | O_DIRECTORY | O_CLOEXEC)
#elif defined(O_SEARCH)
#define OPEN_TO_PASS (O_SEARCH | O_DIRECTORY | O_CLOEXEC)
#else
#define OPEN_TO_PASS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif

/* Like pipe(), socket() for a stream, and accept(). The last two do not block. */
MUST_USE bool descriptor_pipe(int ends[2]);
int descriptor_socket(int family);
int descriptor_accept(int listener);

/* A file without a name, in memory if the system can; NULL with errno. */
FILE *descriptor_memory_file(void);

#define DESCRIPTOR_PATH_BYTES 32
void descriptor_path(int fd, char path[DESCRIPTOR_PATH_BYTES]); /* a path that opens the descriptor's file */

/* The offset of the first byte at or after `at` that is not in a hole; `at` where holes are not known; -1 with errno ENXIO: there is none. */
off_t descriptor_data(int fd, off_t at);

/* Closes all from `first` on. It may be called in a copy of a process with threads (signal-safety(7)). */
void descriptors_close(int first);

#endif
