/*
 * The benchmarks of `make bench`. They print figures beside their goals (for 2 cores, an optimized build and an idle machine). They never
 * fail because of a figure; only a failed measurement is an error.
 */
#ifndef WEIR_TESTS_BENCH_H
#define WEIR_TESTS_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Monotonic clock; comparable between processes. */
int64_t bench_now_ns(void);

/* Prints a line: what, the figure with its unit, the goal ("": none). */
void bench_print(const char *what, const char *goal, const char *format, ...) PRINTF_LIKE(3, 4);
void bench_print_title(const char *format, ...) PRINTF_LIKE(1, 2);

int bench_compare_doubles(const void *a, const void *b); /* for qsort() */
/* The quantile `share` (0 to 1). Sorts the values. NaN if there are none. */
double bench_quantile(double *values, size_t count, double share);

struct sender;
/* The time from the program's start until it takes keys, the median of several starts. */
void bench_print_start(struct sender *sender, const char *what);
double bench_start_ms(struct sender *sender); /* of one */

void bench_decode(bool quick);
void bench_lint(bool quick);
/* The full-screen program, in parts. */
void bench_start(bool quick);
void bench_hands(bool quick); /* letters, first tokens, rest */
void bench_long(bool quick);  /* many tokens at once, long conversations */
void bench_rates(bool quick); /* answers at fixed rates */
void bench_cost(bool quick);  /* what the kernel counts for an answer: CPU time, system calls */

void bench_history(bool quick); /* what keeping an answer costs */

/* The full-screen program with answers of many megabytes. */
void bench_giants(bool quick);   /* long blocks, deep lists */
void bench_firehose(bool quick); /* 50 MB at once, then scrolling and searching */
void bench_deltas(bool quick);   /* cost of a delta at the end of a long transcript */
void bench_paste(bool quick);
void bench_media(bool quick);

/* The full-screen program beside a history of 10,000 conversations. */
void bench_stored(bool quick);
void bench_player(bool quick);
void bench_inspect(bool quick); /* the open inspector */
void bench_proxy(bool quick);
void bench_compare(bool quick);
void bench_tools(bool quick);

#endif
