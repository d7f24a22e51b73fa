/*
 * The benchmark's server, in a process of its own. It answers every POST with the tokens of the plan at the plan's rate, each token with
 * one write(2), and records when it sent them. Plan and records are in shared memory.
 */
#ifndef WEIR_TESTS_BENCH_SENDER_H
#define WEIR_TESTS_BENCH_SENDER_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/giants.h"

#define SENDER_TOKENS_MOST 50000
#define SENDER_TABLE_ROWS 40
#define SENDER_TABLE_COLUMNS 8
#define TOKEN_NUMBERS 33696  /* number of different tokens: 26 * 36 * 36 */
#define TOKEN_BYTES_MOST 8

struct sender {
	/* The plan, set before the request. */
	unsigned count;
	unsigned base;               /* number of the first token, so that answers on one screen have no tokens in common */
	unsigned rate;               /* tokens per second; 0: as fast as possible, many in one write */
	pid_t watched;               /* process whose CPU time is read before the first token and after the last */
	struct giant giant;          /* sent first; the tokens wait until the program is idle. GIANT_NONE: none */

	unsigned cell_tokens;        /* paced tokens are so many in each cell of a table of SENDER_TABLE_ROWS x SENDER_TABLE_COLUMNS; 0: no table */
	struct partials { unsigned rate; size_t bytes; } partials; /* of one picture, beside paced tokens, a second; then it speaks Responses */

	/* The records. */
	atomic_uint answered;        /* number of complete answers */
	atomic_uint asked;           /* number of requests received */
	int64_t asked_ns;
	int64_t giant_ns;            /* time when the first piece of a giant was sent */
	size_t wire_bytes;           /* bytes sent for a giant, without HTTP's overhead */
	double cpu_first, cpu_last;  /* CPU time in seconds before the first and after the last token */
	int64_t sent_ns[SENDER_TOKENS_MOST];

	int64_t exec_ns;             /* for program.c: time when the program was started */
	unsigned port;
	pid_t pid;
};

/* Starts the process. Prints a message and returns NULL on failure. */
struct sender *sender_start(void);
void sender_stop(struct sender *sender);

/* Writes a token: three capitals or digits for its number, up to two small letters, a blank. Returns its length, 4 to 6 bytes. */
unsigned sender_token(unsigned number, char text[TOKEN_BYTES_MOST]);

double sender_cpu_s(pid_t pid); /* user and system time of all threads of a process; NaN if it does not exist */

#endif
