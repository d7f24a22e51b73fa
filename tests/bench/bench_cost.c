/* What an answer of the full-screen program costs, as the kernel counts it: from its start to its end, on a pty, with history and tape. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/calls.h"
#include "bench/program.h"

#define TOKENS 2000
#define QUICK_TOKENS 1000
#define COUNTED_TOKENS 1000 /* in the run whose system calls are counted */
#define RATE 100

static void measure_time(struct sender *sender, unsigned tokens)
{
	struct program p;
	char what[64];

	if (!program_start(&p, sender))
		exit(2);
	program_ask(&p, sender, tokens, RATE);
	double s = program_stop(&p);
	snprintf(what, sizeof what, "%u tokens at %u/s: user and system time", tokens, RATE);
	bench_print(what, tokens == TOKENS ? "0.42 s" : "", "%.3f s (%.0f us a token)", s, s * 1e6 / tokens);
}

static void measure_calls(struct sender *sender)
{
	struct program p;

	if (!program_start(&p, sender))
		exit(2);
	struct calls *calls = calls_begin(p.pid);
	program_ask(&p, sender, COUNTED_TOKENS, RATE);
	if (calls)
		bench_print("system calls of a token", "8", "%.1f", (double)calls_end(calls) / COUNTED_TOKENS);
	program_stop(&p);
}

void bench_cost(bool quick)
{
	struct sender *sender = sender_start();

	if (!sender)
		exit(2);
	bench_print_title("The whole program for one answer (a pty of %dx%d, the server in another process)", PROGRAM_COLUMNS, PROGRAM_ROWS);
	measure_time(sender, quick ? QUICK_TOKENS : TOKENS);
	measure_calls(sender);
	sender_stop(sender);
}
