/*
 * Whether the other end of a loopback connection is closed. A client that has closed its socket and one that has only closed its sending half
 * (and waits for the answer) look alike on the connection; the kernel's table of sockets tells them apart.
 */
#ifndef WEIR_BASE_OS_OTHER_END_H
#define WEIR_BASE_OS_OTHER_END_H

#include <stdbool.h>

/* Whether it can be found out here at all. */
extern const bool other_end_is_known;

/*
 * True: no program has the other socket any more. False: one has it, or it cannot be found out: another system than Linux, a hidden table, a
 * socket in another network namespace.
 */
bool other_end_is_closed(int fd);

#endif
