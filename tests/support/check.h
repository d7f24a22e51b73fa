/*
 * Tests: each tests/<layer>/test_<module>.c defines a `suite_<module>`. The Makefile lists them, and check_run() runs them with CUnit.
 *
 *   static void splits_lines(void) { CU_ASSERT_EQUAL(...); }
 *   const struct suite suite_framer = { "framer", (const struct test[]){ TEST(splits_lines), { 0 } } };
 *
 * Suites that are no C are found when the runner starts: check_more().
 *
 * Arguments of the runner select tests by name ("framer" or "framer/splits_lines"); a name with a leading "-" excludes; "--list" lists all
 * tests. Suites run in parallel, each in its own process: WEIR_JOBS at a time, by default four times the number of processors. Their output is
 * printed in order. Tests do not see the user's environment (support/environment.h).
 *
 * No test result depends on the real clock. It is used only to give up when something hangs, which fails the test. To reach a limit of the
 * program, a test advances the clock (support/clock.h), or the limit is so far from other events that load does not matter.
 */
#ifndef WEIR_TESTS_CHECK_H
#define WEIR_TESTS_CHECK_H

#include <CUnit/CUnit.h>
#include <stdint.h>

#include "base/text.h"

struct test {
	const char *name;
	void (*run)(void);
};
#define TEST(function) { #function, function }

struct suite {
	const char *name;
	const struct test *tests; /* ends with a zeroed one */
};

#ifndef CHECK_PATIENCE_MS
#define CHECK_PATIENCE_MS 120000 /* when a test gives up waiting */
#endif
int64_t check_now_ms(void);      /* the real clock, for that purpose only */

/* Finds the suites that are no C, when the runner starts: NULL-terminated and static. A runner need not define it. */
const struct suite *const *check_more(void) __attribute__((weak));

int check_run(const char *layer, const struct suite *const *suites, int argc, char **argv);

/* Reports the running test as skipped, with the reason. The caller must return then. */
void check_skip(const char *reason);

/* Asserts that two texts are equal, and prints both otherwise. */
#define CHECK_STR(actual, expected) check_str((actual), (expected), __FILE__, __LINE__)
void check_str(struct str actual, const char *expected, const char *file, int line);

/* Asserts with a message, such as the failed case of a table. The message's arguments are evaluated on failure only. */
#define CHECK(condition, ...) \
	((condition) ? check_that(true, #condition, __FILE__, __LINE__, "%s", "") : check_that(false, #condition, __FILE__, __LINE__, __VA_ARGS__))
void check_that(bool condition, const char *text, const char *file, int line, const char *format, ...) PRINTF_LIKE(5, 6);

/*
 * How many cases a sweep takes: some by default (`make check`), more with WEIR_SWEEP=more (`make check-asan`, and `make sweep-smoke`, which
 * `make fuzz-smoke` begins with), all with WEIR_SWEEP=full.
 */
enum check_depth { CHECK_SOME, CHECK_MORE, CHECK_ALL };
enum check_depth check_depth(void);

/* The number to try after `n`: larger by one and a `steps`th, with CHECK_MORE by one and a `more`th, with CHECK_ALL by one. */
long check_next(long n, long steps, long more);

/* A small random generator for seeded tests, the same on all systems. */
unsigned check_random(unsigned *seed);

#endif
