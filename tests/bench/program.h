/*
 * The full-screen program on a pty of 120x40, with every read of the master kept with its time: the bytes are only looked
 * at afterwards (bench/look.h), so that looking costs no time while it is measured.
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
	size_t at, len; /* in bytes */
};

struct program {
	int fd;
	pid_t pid;
	int64_t exec_ns;
	struct buf bytes;
	struct program_read *reads;
	size_t count, capacity;
	struct watch *watch; /* NULL: not watched */
};

/* Starts $WEIR with the sender as its provider. False with a message when it cannot. */
bool program_start(struct program *p, struct sender *sender);
bool program_start_watched(struct program *p, struct sender *sender); /* with $WEIR_WATCH in front */
void program_stop(struct program *p); /* asks it to leave, and waits */

void program_read_for(struct program *p, int64_t ns);
/* Until nothing came for `quiet_ns`; at most 10 s. */
void program_read_until_quiet(struct program *p, int64_t quiet_ns);
/* Sends a prompt and reads until its answer is whole and the screen at rest. */
void program_ask(struct program *p, struct sender *sender, unsigned count, unsigned rate);
/* The same with a giant before the tokens, of which there may be none. */
void program_ask_giant(struct program *p, struct sender *sender, const struct giant *giant, unsigned count, unsigned rate);
void program_resize(struct program *p, unsigned columns);
/* Sends much at once, while what the program writes is read. */
int64_t program_paste(struct program *p, struct str bytes);
int64_t program_type(struct program *p, const char *keys); /* when */

long program_peak_kb(const struct program *p);     /* VmHWM */
long program_wake_ups(const struct program *p);    /* of all threads so far */

#endif
