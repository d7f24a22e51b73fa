/* What the open inspector costs: the CPU time of a turn with it, beside that of a turn without, in the same program. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/program.h"

#define SCREENFUL 1000 /* tokens: both turns scroll */
#define F8 "\x1B[19~"

static double turn_ms(struct program *p, struct sender *sender, unsigned count, unsigned rate)
{
	program_ask(p, sender, count, rate);
	return (sender->cpu_last - sender->cpu_first) * 1000;
}

static void measure_inspector(struct sender *sender, unsigned count, unsigned rate)
{
	struct program p;
	char what[80];

	if (!program_start(&p, sender))
		exit(2);
	program_ask(&p, sender, SCREENFUL, 0);
	double closed = turn_ms(&p, sender, count, rate);
	program_type(&p, F8);
	program_read_for(&p, 200000000);
	program_type(&p, "f\t"); /* it follows, and the input has the focus */
	program_read_for(&p, 200000000);
	double open = turn_ms(&p, sender, count, rate);
	snprintf(what, sizeof what, "%u tokens at %u/s, inspector open / closed", count, rate);
	bench_print(what, "x 2.00", "x %.2f (%.1f ms / %.1f ms CPU)", open / closed, open, closed);
	program_stop(&p);
}

void bench_inspect(bool quick)
{
	struct sender *sender = sender_start();

	if (!sender)
		exit(2);
	bench_print_title("the inspector");
	measure_inspector(sender, quick ? 500 : 2000, 100);
	measure_inspector(sender, quick ? 2000 : 10000, 1000);
	sender_stop(sender);
}
