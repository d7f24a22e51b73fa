/* What it costs to keep an answer that streams: CPU time beside that of the same answer without a history, and the delay on the screen. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "bench/look.h"

#define MS 1000000
#define RATE 1000
#define TIMES 3

struct figures { double cpu_ms, p50_ms, p99_ms; };

/* --- how the program runs --- */

static void write_settings(const char *text)
{
	char path[400];
	FILE *file;

	snprintf(path, sizeof path, "%s/weir", getenv("XDG_CONFIG_HOME"));
	mkdir(path, 0700);
	strcat(path, "/weir.conf");
	file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file) || chmod(path, 0600)) {
		perror("bench: weir.conf");
		exit(2);
	}
}

/* Beside the library that watches. */
static void slow_disk(bool slow)
{
	const char *watch = getenv("WEIR_WATCH"), *slash = watch ? strrchr(watch, '/') : NULL;
	char path[400];

	unsetenv("LD_PRELOAD");
	if (!slow || !slash)
		return;
	snprintf(path, sizeof path, "%.*s/slow_sync.so", (int)(slash - watch), watch);
	setenv("LD_PRELOAD", path, 1);
	setenv("WEIR_SYNC_MS", "2000", 1);
}

/* --- measuring --- */

static struct figures ask_once(struct sender *sender, unsigned count)
{
	struct figures figures = { 0 };
	struct program p;

	if (!program_start(&p, sender))
		exit(2);
	struct look *look = look_new(&p);
	look_skip(look);
	program_ask(&p, sender, count, RATE);
	int64_t *shown = mem_resize(NULL, count, sizeof *shown);
	double *late = mem_resize(NULL, count, sizeof *late);
	unsigned seen = look_for_tokens(look, sender, shown);
	for (unsigned i = 0; i < count; i++)
		late[i] = i < seen && shown[i] ? (double)(shown[i] - sender->sent_ns[i]) / MS : 1e9;
	figures.cpu_ms = (sender->cpu_last - sender->cpu_first) * 1e6 / count;
	figures.p50_ms = bench_quantile(late, count, 0.5);
	figures.p99_ms = bench_quantile(late, count, 0.99);
	mem_free(shown);
	mem_free(late);
	look_free(look);
	program_stop(&p);
	return figures;
}

/* The run with the least CPU time: others only add to it. */
static struct figures best_of(struct figures a, struct figures b)
{
	return !a.cpu_ms || b.cpu_ms < a.cpu_ms ? b : a;
}

static void print(const char *what, const char *goal, const struct figures *figures, const struct figures *yardstick)
{
	bench_print(what, goal, "CPU x %.2f (%.1f ms per 1,000), p99 %.2f ms", figures->cpu_ms / yardstick->cpu_ms, figures->cpu_ms, figures->p99_ms);
}

void bench_history(bool quick)
{
	struct figures without = { 0 }, with = { 0 }, slow = { 0 }, taped = { 0 };
	unsigned count = quick ? 4000 : 10000;
	struct sender *sender = sender_start();

	if (!sender)
		exit(2);
	bench_print_title("Keeping an answer that streams at %u/s (the best of %d runs in turn)", RATE, TIMES);
	for (int i = 0; i < TIMES; i++) {
		write_settings("history = no\n"); /* and no tape */
		without = best_of(without, ask_once(sender, count));
		write_settings("tapes = 0\n");
		with = best_of(with, ask_once(sender, count));
		slow_disk(true);
		slow = best_of(slow, ask_once(sender, count));
		slow_disk(false);
		write_settings("");
		taped = best_of(taped, ask_once(sender, count));
	}
	write_settings("");
	print("without a history", "", &without, &without);
	print("with it", "CPU x 1.10, p99 as without", &with, &without);
	print("with it, each sync takes 2 s", "the same", &slow, &without);
	print("with it and its tape", "", &taped, &without);
	sender_stop(sender);
}
