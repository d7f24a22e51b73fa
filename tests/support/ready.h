/*
 * The program of a test, without its loading: most of what a start costs is the work of the dynamic linker, and the tests of app start it
 * thousands of times. tests/sweep/ready.c is preloaded into one program of each suite, which is loaded and waits before its main(). A copy of it
 * becomes what a test wants, as a child of the runner: with its arguments, variables and descriptors, and nothing that another test did.
 *
 * A program is loaded as usual where nothing can be preloaded, and where a variable is for the loading (LD_PRELOAD and its like). Of what tests
 * preload, only the clock (turned.h) is in every waiting program: it is the kernel's until a program has a variable for it.
 */
#ifndef WEIR_TESTS_READY_H
#define WEIR_TESTS_READY_H

#include <stdint.h>
#include <sys/types.h>

/*
 * `arguments` with the program's name, NULL-terminated. `home` and `more` as for environment_of_child(). `descriptors` are the three standard
 * ones, or one terminal, which becomes the controlling one. Returns the child; 0: none was started, load the program.
 */
pid_t ready_start(const char *program, const char *const *arguments, const char *home, const char *const *more, const int *descriptors, unsigned count);
/* From now on all programs of the suite are loaded: for tests that look at processes from outside (/proc/PID/environ, cmdline, children). */
void ready_load_all(void);

/* --- what the waiting program knows, too --- */

#define READY_VARIABLE "WEIR_READY"    /* is set: wait */
#define READY_SOCKET 3                 /* of packets: a request with descriptors comes, the child's id or -1 goes */
#define READY_BYTES_MOST 65536
#define READY_LISTED_MOST 256          /* arguments and variables, each */

struct ready_request { uint32_t arguments, variables; }; /* how many strings follow, each with its NUL */

#endif
