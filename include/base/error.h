/*
 * Errors as sentences a user can act on: what failed, where, what to try.
 *
 * A function that can fail returns a status marked MUST_USE and fills a
 * `struct error` that the caller owns. There are no error codes: whoever needs
 * to tell failures apart gets an enum of its own.
 */
#ifndef WEIR_BASE_ERROR_H
#define WEIR_BASE_ERROR_H

#include <stdbool.h>

#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(format_at, first) __attribute__((format(printf, format_at, first)))

struct error {
	char text[1024]; /* one line of UTF-8, no newline; "" while there is none */
};

/* Sets the sentence and returns false, so that a failing function ends with `return error_set(...)`. `err` may be NULL. */
bool error_set(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
