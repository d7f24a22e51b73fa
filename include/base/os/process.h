/*
 * What a process can ask of the system about itself, its parent and its children.
 */
#ifndef WEIR_BASE_OS_PROCESS_H
#define WEIR_BASE_OS_PROCESS_H

#include <limits.h>
#include <sys/types.h>

#include "base/error.h"

/* Whether process_adopt() works: what a child leaves behind becomes ours, and is ended with it. */
extern const bool process_adopts;

/* Called first with main()'s argv[0]: POSIX's form finds the program by it. Without the call that form knows no program. */
void process_started_as(const char *name);
/* What to start to run this program again; "" if that cannot be found out. */
const char *process_program(void);
/* The same as a path that holds for others and later. False, with errno: it cannot be found out. */
MUST_USE bool process_program_path(char path[PATH_MAX]);

/* No core dump. On Linux no other process of the user can read the memory, either. */
void process_hide(void);

/* The kernel sends the signal when the parent ends. False: it cannot, and getppid() tells. The parent may have ended before. */
bool process_end_with_parent(int signal);

/* --- for a copy of a process with threads, too: signal-safety(7) --- */

/* Processes that a child leaves behind become our children. */
void process_adopt(void);
/* Sends a signal to all our children, of which POSIX's form knows none. The process has one thread. */
void process_signal_children(int signal);

/* A descriptor that becomes readable when a child of ours ends; -1: there is none. POSIX's form has a handler of SIGCHLD for it. */
int process_descriptor(pid_t child);
void process_descriptor_look(int fd);  /* called before one looks whether the child has ended: it may be another one */
void process_descriptor_close(int fd);

#endif
