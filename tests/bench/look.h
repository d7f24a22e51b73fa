/*
 * Looks at what a program wrote, after the fact: the bytes go through libvterm read by read, and what is new on the screen
 * then gets the time of that read.
 */
#ifndef WEIR_TESTS_BENCH_LOOK_H
#define WEIR_TESTS_BENCH_LOOK_H

#include "bench/program.h"

struct look; /* heap: the screen as it is after some reads */

struct look *look_new(const struct program *p);
void look_free(struct look *look);
void look_skip(struct look *look); /* all reads so far are dealt with, and their time is of no interest */

/* When the cursor first stood in the input; 0: never. */
int64_t look_for_input(struct look *look);

/* When a text of one row was on the screen; 0: never. */
int64_t look_for_text(struct look *look, const char *text);

/* When each token of the sender's last answer was on the screen, 0 for those that never were. Returns how many were. */
unsigned look_for_tokens(struct look *look, const struct sender *sender, int64_t *shown_ns);

/* When the input first held 1, 2 ... `count` times the letter. Returns how many. */
unsigned look_for_letters(struct look *look, char letter, unsigned count, int64_t *shown_ns);

#endif
