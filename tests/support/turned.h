/*
 * The clock of a program that runs beside the test, which the test may advance: tests/sweep/turned.c is preloaded into the program. The runner's own
 * clock is clock.h.
 *
 * Where no library can be preloaded, turned_by() waits that long in place of it, so that tests need no other path.
 */
#ifndef WEIR_TESTS_TURNED_H
#define WEIR_TESTS_TURNED_H

#include <stdint.h>

struct turned; /* heap; one for each program */

struct turned *turned_new(void);
void turned_free(struct turned *t); /* NULL is allowed */
/* Variables for the program's environment, NULL-terminated, valid while `t` lives; none where no library can be preloaded. */
const char *const *turned_variables(const struct turned *t);
void turned_by(struct turned *t, int64_t ms); /* advances the clock */

/* The same for a program that waits for nobody else, as one that asks the demo: it skips whatever it would wait. */
const char *const *turned_skipping(void);

#endif
