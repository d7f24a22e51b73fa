/* Raw connections to a server on loopback. */
#ifndef WEIR_TESTS_CONNECT_H
#define WEIR_TESTS_CONNECT_H

/* Returns a socket, which the caller closes; a failure ends the running test. */
int connect_to(unsigned port);
int connect_to_url(const char *url); /* to the port behind its last colon */

#endif
