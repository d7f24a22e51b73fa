/*
 * The clock of the program (net/source.h) in the runners of tests: it goes like the real one, and a test may turn it forward. Its two
 * functions are here instead of in src/net/clock.c.
 */
#ifndef WEIR_TESTS_CLOCK_H
#define WEIR_TESTS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

void clock_turn(int64_t ms); /* forward; what is not above 0 changes nothing */

/*
 * Nothing that was sent by one end of a TCP connection of this process has still to be read at the other end, which is in this process,
 * too. With a server that sends nothing before its next deadline it is then safe to turn the clock there: nothing overtakes anything.
 */
bool clock_is_safe_to_turn(void);

#endif
