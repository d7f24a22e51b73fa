/*
 * Runs the full-screen program on a pty of 120x40 and records every read of the master with its time. The bytes are analyzed afterwards
 * (bench/look.h), so the analysis does not affect the measurement.
 */
#ifndef WEIR_TESTS_BENCH_PROGRAM_H
#define WEIR_TESTS_BENCH_PROGRAM_H

#include "base/text.h"
#include "bench/sender.h"
#include "bench/watch.h"

#define PROGRAM_ROWS 40
#define PROGRAM_COLUMNS 120

struct program_read {
	int64_t at_ns;
	size_t at, len; /* range in program.bytes */
};

struct program {
	int fd;
	pid_t pid;
	int64_t exec_ns;
	struct buf bytes;
	struct program_read *reads;
	size_t count, capacity;
	struct watch *watch; /* shared memory; NULL: not watched */
};

/* Starts $WEIR with the sender as its provider. Prints a message and returns false on failure. */
bool program_start(struct program *p, struct sender *sender);
bool program_start_watched(struct program *p, struct sender *sender); /* with $WEIR_WATCH preloaded */
/* Asks it to quit, and waits. Returns the user and system time, in seconds, of all its threads and of the children that it waited for. */
double program_stop(struct program *p);

void program_read_for(struct program *p, int64_t ns);
/* Reads until there was no output for `quiet_ns`; at most 10 s. */
void program_read_until_quiet(struct program *p, int64_t quiet_ns);
/* Sends a prompt, and reads until its answer is complete and the screen no longer changes. */
void program_ask(struct program *p, struct sender *sender, unsigned count, unsigned rate);
/* The same with a giant before the tokens. `count` may be 0. */
void program_ask_giant(struct program *p, struct sender *sender, const struct giant *giant, unsigned count, unsigned rate);
void program_resize(struct program *p, unsigned columns);
/* Writes a large input while reading the program's output. */
int64_t program_paste(struct program *p, struct str bytes);
int64_t program_type(struct program *p, const char *keys); /* returns the time of the write */

long program_peak_kb(const struct program *p);     /* VmHWM */
long program_wake_ups(const struct program *p);    /* wake-ups of all threads so far */

#endif
