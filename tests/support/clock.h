/*
 * The program's clock (net/source.h) in test runners. It runs like the real one, and a test may advance it. Its two functions replace
 * those of src/net/clock.c.
 */
#ifndef WEIR_TESTS_CLOCK_H
#define WEIR_TESTS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

void clock_turn(int64_t ms); /* advances the clock; no effect unless `ms` is above 0 */

/*
 * Whether no data is in flight on a TCP connection that has both ends in this process. If the server sends nothing before its next
 * deadline, the clock can be advanced to it without reordering events.
 */
bool clock_is_safe_to_turn(void);

#endif
