/*
 * The server of the measurement, in a process of its own: answers every POST with the tokens of the plan, at its rate, each
 * token one write(2), and notes when it sent them. Plan and notes are in memory that both processes share.
 */
#ifndef WEIR_TESTS_BENCH_SENDER_H
#define WEIR_TESTS_BENCH_SENDER_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/giants.h"

#define SENDER_TOKENS_MOST 50000
#define TOKEN_NUMBERS 33696  /* so many tokens differ: 26 * 36 * 36 */
#define TOKEN_BYTES_MOST 8

struct sender {
	/* The plan: set before the request is made. */
	unsigned count;
	unsigned base;               /* number of the first one: no two answers on one screen have tokens in common */
	unsigned rate;               /* tokens a second; 0: as fast as they go out, many in one write */
	pid_t watched;               /* whose CPU is read before the first token and after the last */
	struct giant giant;          /* comes before the tokens, which wait until the program rests; of GIANT_NONE: none */

	/* The notes. */
	atomic_uint answered;        /* answers that are whole */
	atomic_uint asked;           /* requests that came */
	int64_t asked_ns;
	int64_t giant_ns;            /* when the first piece of a giant was sent */
	size_t wire_bytes;           /* of a giant, without HTTP's own */
	double cpu_first, cpu_last;  /* seconds */
	int64_t sent_ns[SENDER_TOKENS_MOST];

	int64_t exec_ns;             /* for pty.c: when the program was started */
	unsigned port;
	pid_t pid;
};

/* Starts the process; NULL with a message when it cannot. */
struct sender *sender_start(void);
void sender_stop(struct sender *sender);

/* The text of a token: three capitals or digits that number it, none to two small letters, a blank: 4 to 6 bytes. Returns its length. */
unsigned sender_token(unsigned number, char text[TOKEN_BYTES_MOST]);

double sender_cpu_s(pid_t pid); /* user and system time of all threads of a process; NaN when it is gone */

#endif
