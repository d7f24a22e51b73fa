/*
 * What posix_spawn() of POSIX 2008 lacks. A program that is started gets none of our descriptors but those that are given to it.
 */
#ifndef WEIR_BASE_OS_SPAWN_H
#define WEIR_BASE_OS_SPAWN_H

#include <spawn.h>

/* The new program leads a session of its own; where the system lacks that, a process group, and it could open the terminal. */
#ifdef POSIX_SPAWN_SETSID
#define SPAWN_SESSION POSIX_SPAWN_SETSID
#else
#define SPAWN_SESSION POSIX_SPAWN_SETPGROUP
#endif

/* The last action on files: from `first` on, nothing is open in the new program. */
void spawn_close_from(posix_spawn_file_actions_t *files, int first);

#endif
