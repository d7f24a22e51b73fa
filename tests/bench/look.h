/*
 * Analyzes the output of a program after the run: libvterm processes the bytes read by read, and new content of the screen gets the
 * time of its read.
 */
#ifndef WEIR_TESTS_BENCH_LOOK_H
#define WEIR_TESTS_BENCH_LOOK_H

#include "bench/program.h"

struct look; /* heap; the screen after a number of reads */

struct look *look_new(const struct program *p);
#define LOOK_COLUMNS_MOST 240
struct look *look_new_wide(const struct program *p, unsigned columns); /* on a screen that program_resize() made */
void look_free(struct look *look);
void look_skip(struct look *look); /* processes all reads so far without recording times */

/* The time when the cursor was first in the input; 0: never. */
int64_t look_for_input(struct look *look);

/* The time when a text, within one row, was first on the screen; 0: never. */
int64_t look_for_text(struct look *look, const char *text);

/* The times when the tokens of the sender's last answer were on the screen; 0: never. Returns the number of tokens seen. */
unsigned look_for_tokens(struct look *look, const struct sender *sender, int64_t *shown_ns);

/* The times when the input first contained the letter 1, 2 ... `count` times. Returns the number of times found. */
unsigned look_for_letters(struct look *look, char letter, unsigned count, int64_t *shown_ns);

#endif
