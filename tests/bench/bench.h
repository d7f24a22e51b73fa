/*
 * The measurements of `make bench`. They print figures beside their goals (which are for 2 cores, an optimised build and a
 * quiet machine) and never fail because of one; only what cannot be measured is an error.
 */
#ifndef WEIR_TESTS_BENCH_H
#define WEIR_TESTS_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Monotonic, the same in all processes. */
int64_t bench_now_ns(void);

/* One line: what, the figure with its unit, and its goal ("" when it is for information). */
void bench_print(const char *what, const char *goal, const char *format, ...) PRINTF_LIKE(3, 4);
void bench_print_title(const char *format, ...) PRINTF_LIKE(1, 2);

int bench_compare_doubles(const void *a, const void *b); /* for qsort() */
/* The value below which `share` (0 to 1) of them are; sorts. NaN for none. */
double bench_quantile(double *values, size_t count, double share);

void bench_decode(bool quick);
/* The full-screen program, in parts. */
void bench_start(bool quick);
void bench_hands(bool quick); /* letters, first tokens, rest */
void bench_long(bool quick);  /* many tokens at once, long conversations */
void bench_rates(bool quick); /* answers at fixed rates */

/* The same of many megabytes. */
void bench_giants(bool quick);   /* long blocks, deep lists */
void bench_firehose(bool quick); /* 50 MB at once, and a look around in them */
void bench_deltas(bool quick);   /* what a delta costs behind a long transcript */
void bench_paste(bool quick);

#endif
