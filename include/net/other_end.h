/*
 * Whether a program still has the other end of a loopback connection. A client that has closed its socket and one that has only closed its
 * sending half (and waits for the answer) look alike on the connection; the kernel's table of sockets tells them apart.
 */
#ifndef WEIR_NET_OTHER_END_H
#define WEIR_NET_OTHER_END_H

#include <stdbool.h>

/* False also where it cannot be found out: another system than Linux, a table that is hidden, an end in another network namespace. */
bool other_end_is_left(int fd);

#endif
