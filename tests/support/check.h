/*
 * Tests: each tests/<layer>/test_<module>.c defines one `suite_<module>`; the Makefile lists them, check_run() runs them with CUnit.
 *
 *   static void splits_lines(void) { CU_ASSERT_EQUAL(...); }
 *   const struct suite suite_framer = { "framer", (const struct test[]){ TEST(splits_lines), { 0 } } };
 *
 * The runner takes names as arguments ("framer" or "framer/splits_lines") to run only those; one behind "-" is left out; "--list" lists
 * all. Several suites run side by side, each in a process of its own, WEIR_JOBS at once (else twice as many as there are processors);
 * what they print comes in order. Tests are not told the user's environment (support/environment.h).
 *
 * Nothing that a test waits for goes by the real clock, except for giving up: then something hangs, and the test fails. A limit of the
 * program is met by turning a clock (support/clock.h), or is so far from what else may happen that no load confuses them.
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

#define CHECK_PATIENCE_MS 120000 /* a test gives up waiting */
int64_t check_now_ms(void);      /* the real clock, for that */

int check_run(const char *layer, const struct suite *const *suites, int argc, char **argv);

/* Reports the running test as skipped, with the reason; the caller returns then. */
void check_skip(const char *reason);

/* Asserts that two texts are equal and prints both when they are not. */
#define CHECK_STR(actual, expected) check_str((actual), (expected), __FILE__, __LINE__)
void check_str(struct str actual, const char *expected, const char *file, int line);

/* Asserts with a message of its own: which case of a table failed. What the message names is evaluated by a failure only. */
#define CHECK(condition, ...) \
	((condition) ? check_that(true, #condition, __FILE__, __LINE__, "%s", "") : check_that(false, #condition, __FILE__, __LINE__, __VA_ARGS__))
void check_that(bool condition, const char *text, const char *file, int line, const char *format, ...) PRINTF_LIKE(5, 6);

/* A small generator for seeded tests: the same numbers everywhere. */
unsigned check_random(unsigned *seed);

#endif
