/* Six answers at once, side by side, compared with one answer on the same screen. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "bench/look.h"

#define MS ((int64_t)1000000)
#define LANES 6
#define COLUMNS 230 /* six columns that are readable */
#define RATE 100    /* tokens per second and answer */
#define BASE 5000   /* between the tokens of two answers */

struct run { struct program program; struct sender *senders[LANES]; unsigned count; };

/* One provider for each server. */
static void write_settings(const struct run *r)
{
	char path[512];

	snprintf(path, sizeof path, "%s/weir", getenv("XDG_CONFIG_HOME"));
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/weir/weir.conf", getenv("XDG_CONFIG_HOME"));
	FILE *file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(2);
	}
	for (int i = 0; i < LANES; i++)
		fprintf(file, "[provider b%d]\nbase_url = http://127.0.0.1:%u/v1\nauth = none\n", i, r->senders[i]->port);
	fclose(file);
}

static void plan(struct run *r, unsigned answer, unsigned base)
{
	struct sender *s = r->senders[answer];

	s->base = base;
	s->count = r->count;
	s->rate = RATE;
	s->watched = r->program.pid;
}

static void await(struct run *r, unsigned answers)
{
	unsigned answered = 0;

	while (answered < answers) {
		program_read_for(&r->program, 20 * MS);
		answered = 0;
		for (unsigned i = 0; i < answers; i++)
			answered += r->senders[i]->answered > 0;
	}
	program_read_for(&r->program, 300 * MS);
}

/* Adds the latencies of a answer. False: not all tokens came to the screen. */
static bool add_latencies(const struct run *r, unsigned answer, size_t skipped_reads, double *latencies, size_t *count)
{
	const struct sender *s = r->senders[answer];
	struct program part = r->program;
	int64_t *shown = mem_resize(NULL, s->count, sizeof *shown);
	struct look *look = look_new_wide(&part, COLUMNS);

	part.count = skipped_reads;
	look_skip(look);
	part.count = r->program.count;
	unsigned seen = look_for_tokens(look, s, shown);
	for (unsigned i = 0; i < seen; i++)
		latencies[(*count)++] = (double)(shown[i] - s->sent_ns[i]) / MS;
	look_free(look);
	mem_free(shown);
	if (seen < s->count)
		printf("  answer %u: only %u of %u tokens came to the screen\n", answer + 1, seen, s->count);
	return seen == s->count;
}

static double cpu_ms(const struct run *r, unsigned answers)
{
	double first = r->senders[0]->cpu_first, last = r->senders[0]->cpu_last;

	for (unsigned i = 1; i < answers; i++) {
		first = r->senders[i]->cpu_first < first ? r->senders[i]->cpu_first : first;
		last = r->senders[i]->cpu_last > last ? r->senders[i]->cpu_last : last;
	}
	return (last - first) * 1000;
}

/* Returns the CPU time in ms; 0: the measurement failed. */
static double measure(struct run *r, unsigned answers, const char *keys, const char *what)
{
	double *latencies = mem_resize(NULL, (size_t)answers * r->count, sizeof *latencies);
	size_t count = 0;
	bool good = true;

	for (unsigned i = 0; i < LANES; i++)
		r->senders[i]->answered = 0;
	for (unsigned i = 0; i < answers; i++)
		plan(r, i, (i + (answers > 1)) * BASE);
	size_t reads = r->program.count;
	program_type(&r->program, keys);
	await(r, answers);
	for (unsigned i = 0; i < answers && good; i++)
		good = add_latencies(r, i, reads, latencies, &count);
	double cpu = cpu_ms(r, answers), p50 = bench_quantile(latencies, count, 0.5);
	if (good)
		bench_print(what, answers > 1 ? "p99 10 ms" : "", "p50 %.2f ms  p99 %.2f ms", p50, bench_quantile(latencies, count, 0.99));
	mem_free(latencies);
	return good ? cpu : 0;
}

void bench_compare(bool quick)
{
	struct run r = { .count = quick ? 500 : 2000 };
	char what[64];

	for (int i = 0; i < LANES; i++)
		if (!(r.senders[i] = sender_start()))
			exit(2);
	write_settings(&r);
	bench_print_title("Six answers side by side at %u tokens/s each (a pty of %dx%d, six servers)", RATE, COLUMNS, PROGRAM_ROWS);
	if (!program_start(&r.program, r.senders[0]))
		exit(2);
	program_resize(&r.program, COLUMNS);
	program_read_for(&r.program, 300 * MS);
	snprintf(what, sizeof what, "%u tokens of one answer: send to screen", r.count);
	double one = measure(&r, 1, "go on\r", what);
	snprintf(what, sizeof what, "%u tokens of each of six: send to screen", r.count);
	double six = measure(&r, LANES, "/compare b0/m,b1/m,b2/m,b3/m,b4/m,b5/m go on\r", what);
	if (one > 0 && six > 0)
		bench_print("  CPU of six / of one", "x 6", "x %.2f (%.1f ms / %.1f ms)", six / one, six, one);
	program_stop(&r.program);
	for (int i = 0; i < LANES; i++)
		sender_stop(r.senders[i]);
}
