/*
 * Errors as sentences the user can act on: what failed, where, what to try.
 *
 * A function that can fail returns a status marked MUST_USE and fills a `struct error` that the caller owns. There are no general error
 * codes: where callers must tell failures apart, the function returns an enum of its own.
 */
#ifndef WEIR_BASE_ERROR_H
#define WEIR_BASE_ERROR_H

#include <stdbool.h>

#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(format_at, first) __attribute__((format(printf, format_at, first)))

struct error {
	char text[1024]; /* one line of UTF-8 without a newline; "" means no error */
};

/* Sets the text and returns false, so that a failing function can end with `return error_set(...)`. `err` may be NULL. */
bool error_set(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
