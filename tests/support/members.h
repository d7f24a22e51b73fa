/*
 * Compares JSON by members: expected members must be present with their value, at any depth; further members are ignored. So a new figure
 * only breaks the test that lists all members (wire/test_summary.c). Arrays must have the expected length.
 */
#ifndef WEIR_TESTS_MEMBERS_H
#define WEIR_TESTS_MEMBERS_H

#include "base/json.h"
#include "support/check.h"

/* False if there is a difference; `difference` names the first: "usage.total_tokens is 3, not 4". */
bool members_match(const struct json *actual, const struct json *expected, struct buf *difference);

/* Asserts that a value matches, with a message for the case; the second does the same for JSON lines. */
#define CHECK_MEMBERS(actual, expected, ...) check_members((actual), (expected), __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_LINES(actual, expected, ...) check_lines((actual), (expected), __FILE__, __LINE__, __VA_ARGS__)
void check_members(struct str actual, struct str expected, const char *file, int line, const char *format, ...) PRINTF_LIKE(5, 6);
void check_lines(struct str actual, struct str expected, const char *file, int line, const char *format, ...) PRINTF_LIKE(5, 6);

#endif
