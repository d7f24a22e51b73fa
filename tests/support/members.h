/*
 * JSON compared member by member: what is expected must be there with that value, at any depth, and what else is there is no
 * difference. So a figure that is new breaks only the test that fixes all members (wire/test_summary.c). Arrays are as long as expected.
 */
#ifndef WEIR_TESTS_MEMBERS_H
#define WEIR_TESTS_MEMBERS_H

#include "base/json.h"
#include "support/check.h"

/* False when there is a difference; the first one is named in `difference`: "usage.total_tokens is 3, not 4". */
bool members_match(const struct json *actual, const struct json *expected, struct buf *difference);

/* Asserts that one value is as another, of which the case is named in words; and the same for values on lines of their own. */
#define CHECK_MEMBERS(actual, expected, ...) check_members((actual), (expected), __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_LINES(actual, expected, ...) check_lines((actual), (expected), __FILE__, __LINE__, __VA_ARGS__)
void check_members(struct str actual, struct str expected, const char *file, int line, const char *format, ...) PRINTF_LIKE(5, 6);
void check_lines(struct str actual, struct str expected, const char *file, int line, const char *format, ...) PRINTF_LIKE(5, 6);

#endif
