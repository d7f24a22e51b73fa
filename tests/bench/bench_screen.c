/* The full-screen program: start, latency, throughput, CPU time and memory. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bench/look.h"

#define MS 1000000
#define STARTS 20
#define STARTS_BEFORE 3 /* starts that are not measured, to warm the cache */
#define LETTERS 50
#define LETTER_GAP_NS (23 * (int64_t)MS)
#define FIRST_TOKENS 9
#define BURST 20000
#define SCREENFUL 1000 /* tokens */
#define HISTORY 40000
#define IDLE_NS (10000 * (int64_t)MS)

static double between_ms(int64_t from, int64_t to)
{
	return (double)(to - from) / MS;
}

/* --- starting --- */

double bench_start_ms(struct sender *sender)
{
	struct program p;

	if (!program_start(&p, sender))
		exit(2);
	struct look *look = look_new(&p);
	int64_t at = look_for_input(look);
	double ms = at ? between_ms(p.exec_ns, at) : 1e9;
	look_free(look);
	program_stop(&p);
	return ms;
}

void bench_print_start(struct sender *sender, const char *what)
{
	double ms[STARTS];
	for (int i = 0; i < STARTS_BEFORE; i++)
		bench_start_ms(sender);
	for (int i = 0; i < STARTS; i++)
		ms[i] = bench_start_ms(sender);
	double median = bench_quantile(ms, STARTS, 0.5);
	bench_print(what, "15 ms", "%.1f ms (%.1f to %.1f)", median, ms[0], ms[STARTS - 1]);
}

static void measure_start(struct sender *sender, bool quick)
{
	(void)quick;
	bench_print_start(sender, "ready for typing, median of 20");
}

/* --- an answer at a rate --- */

struct rate_goal { unsigned rate, quick_count; const char *latency, *bytes, *cpu; };

static size_t bytes_between(const struct program *p, int64_t from, int64_t to)
{
	size_t bytes = 0;

	for (size_t i = 0; i < p->count; i++)
		if (p->reads[i].at_ns >= from && p->reads[i].at_ns <= to)
			bytes += p->reads[i].len;
	return bytes;
}

static void print_rate(const struct program *p, const struct sender *s, const struct rate_goal *goal, const int64_t *shown)
{
	char what[64];
	double *latency = mem_resize(NULL, s->count, sizeof *latency);

	for (unsigned i = 0; i < s->count; i++)
		latency[i] = between_ms(s->sent_ns[i], shown[i]);
	double thousands = s->count / 1000.0;
	double p50 = bench_quantile(latency, s->count, 0.5);
	snprintf(what, sizeof what, "%u tokens at %u/s: send to screen", s->count, goal->rate);
	bench_print(what, goal->latency, "p50 %.2f ms  p99 %.2f ms", p50, bench_quantile(latency, s->count, 0.99));
	bench_print("  bytes to the terminal per 1,000", goal->bytes, "%.1f KB",
	            (double)bytes_between(p, s->sent_ns[0], shown[s->count - 1]) / 1000 / thousands);
	bench_print("  CPU per 1,000", goal->cpu, "%.1f ms", (s->cpu_last - s->cpu_first) * 1000 / thousands);
	mem_free(latency);
}

static void measure_rate(struct sender *sender, const struct rate_goal *goal, unsigned columns, bool quick)
{
	struct program p;

	if (!program_start(&p, sender))
		exit(2);
	program_resize(&p, columns);
	program_read_for(&p, 100 * MS);
	struct look *look = look_new_wide(&p, columns);
	look_skip(look);
	program_ask(&p, sender, quick ? goal->quick_count : 10000, goal->rate);
	int64_t *shown = mem_resize(NULL, sender->count, sizeof *shown);
	unsigned seen = look_for_tokens(look, sender, shown);
	if (seen == sender->count)
		print_rate(&p, sender, goal, shown);
	else
		printf("  at %u/s only %u of %u tokens came to the screen\n", goal->rate, seen, sender->count);
	mem_free(shown);
	look_free(look);
	program_stop(&p);
}

/* --- all at once --- */

static void measure_burst(struct sender *sender)
{
	struct program p;
	int64_t *shown = mem_resize(NULL, BURST, sizeof *shown);

	if (!program_start(&p, sender))
		exit(2);
	struct look *look = look_new(&p);
	look_skip(look);
	program_ask(&p, sender, BURST, 0);
	unsigned seen = look_for_tokens(look, sender, shown);
	if (seen == BURST)
		bench_print("20,000 tokens at once, complete on screen", "0.15 s", "%.3f s (CPU %.3f s)", between_ms(sender->sent_ns[0], shown[BURST - 1]) / 1000,
		            sender->cpu_last - sender->cpu_first);
	else
		printf("  of 20,000 tokens at once only %u came to the screen\n", seen);
	bench_print("peak memory after them (VmHWM)", "under 20 MB", "%.1f MB", (double)program_peak_kb(&p) / 1000);
	look_free(look);
	program_stop(&p);
	mem_free(shown);
}

/* --- first tokens, letters, rest --- */

static void measure_first_token(struct program *p, struct sender *sender, struct look *look)
{
	double ms[FIRST_TOKENS], asked[FIRST_TOKENS];
	int64_t shown;

	for (int i = 0; i < FIRST_TOKENS; i++) {
		look_skip(look);
		int64_t before = bench_now_ns();
		program_ask(p, sender, 1, 1000);
		asked[i] = between_ms(before, sender->asked_ns);
		ms[i] = look_for_tokens(look, sender, &shown) ? between_ms(sender->sent_ns[0], shown) : 1e9;
	}
	bench_print("Enter to the request at the server", "", "%.2f ms", bench_quantile(asked, FIRST_TOKENS, 0.5));
	double median = bench_quantile(ms, FIRST_TOKENS, 0.5);
	bench_print("first token, from the server to the screen", "1 ms", "%.2f ms (to %.2f)", median, ms[FIRST_TOKENS - 1]);
}

static void type_letters(struct program *p, int64_t *typed)
{
	for (int i = 0; i < LETTERS; i++) {
		typed[i] = program_type(p, "q");
		program_read_for(p, LETTER_GAP_NS);
	}
}

static void print_letters(struct look *look, const char *what, const int64_t *typed)
{
	int64_t shown[LETTERS];
	double ms[LETTERS];

	if (look_for_letters(look, 'q', LETTERS, shown) < LETTERS) {
		printf("  %s: not all came to the screen\n", what);
		return;
	}
	for (int i = 0; i < LETTERS; i++)
		ms[i] = between_ms(typed[i], shown[i]);
	double p50 = bench_quantile(ms, LETTERS, 0.5);
	bench_print(what, "2 ms", "p50 %.2f ms  p95 %.2f ms  most %.2f ms", p50, bench_quantile(ms, LETTERS, 0.95), ms[LETTERS - 1]);
}

static void measure_letters(struct program *p, struct look *look)
{
	int64_t typed[LETTERS];

	look_skip(look);
	type_letters(p, typed);
	print_letters(look, "a typed letter on the screen, at rest", typed);
	program_type(p, "\x15");
	program_read_for(p, 100 * MS);
}

static void measure_letters_streaming(struct program *p, struct sender *sender, struct look *look, unsigned rate)
{
	int64_t typed[LETTERS];
	char what[64];
	unsigned answered = sender->answered;

	look_skip(look);
	sender->base += sender->count;
	sender->count = 2 * rate;
	sender->rate = rate;
	program_type(p, "go on\r");
	program_read_for(p, 300 * MS);
	look_skip(look);
	type_letters(p, typed);
	snprintf(what, sizeof what, "the same while %u/s stream", rate);
	print_letters(look, what, typed);
	program_type(p, "\x15");
	while (sender->answered == answered)
		program_read_for(p, 100 * MS);
	program_read_for(p, 300 * MS);
}

static void measure_rest(struct program *p, bool quick)
{
	int64_t span = quick ? IDLE_NS / 5 : IDLE_NS;
	double cpu = sender_cpu_s(p->pid);

	program_read_for(p, 4000 * (int64_t)MS);
	long before = program_wake_ups(p);
	size_t bytes = p->bytes.len;
	cpu = sender_cpu_s(p->pid);
	program_read_for(p, span);
	bench_print("at rest", "0 wake-ups", "%ld wake-ups, %.1f ms CPU, %zu bytes in %d s", program_wake_ups(p) - before,
	            (sender_cpu_s(p->pid) - cpu) * 1000, p->bytes.len - bytes, (int)(span / 1000 / MS));
}

static void measure_hands(struct sender *sender, bool quick)
{
	struct program p;

	if (!program_start(&p, sender))
		exit(2);
	struct look *look = look_new(&p);
	measure_letters(&p, look);
	measure_letters_streaming(&p, sender, look, 100);
	measure_letters_streaming(&p, sender, look, 1000);
	measure_first_token(&p, sender, look);
	measure_rest(&p, quick);
	look_free(look);
	program_stop(&p);
}

/* --- long conversations --- */

static void measure_history(struct sender *sender, bool quick)
{
	struct program p;
	double cpu[3];
	unsigned count = quick ? 1000 : 3000;

	if (!program_start(&p, sender))
		exit(2);
	program_ask(&p, sender, SCREENFUL, 0); /* fill the screen, so that both measured turns scroll: scrolling costs more */
	for (int turn = 0; turn < 3; turn++) {
		program_ask(&p, sender, turn == 1 ? HISTORY - count - SCREENFUL : count, turn == 1 ? 0 : 1000);
		cpu[turn] = (sender->cpu_last - sender->cpu_first) * 1000;
	}
	bench_print("third turn on 40,000 tokens / the first", "x 1.20", "x %.2f (%.1f ms / %.1f ms CPU)", cpu[2] / cpu[0], cpu[2], cpu[0]);
	program_stop(&p);
}

static void measure_long(struct sender *sender, bool quick)
{
	measure_burst(sender);
	measure_history(sender, quick);
}

#define TABLE_WINDOW 200
#define CELL_TOKENS 2
#define TABLE_TOKENS (SENDER_TABLE_ROWS * SENDER_TABLE_COLUMNS * CELL_TOKENS)

/* A table grows: its widths depend on all of its cells. */
static void measure_table(struct sender *sender, bool quick)
{
	static const struct rate_goal goal = { 1000, 2 * TABLE_TOKENS, "p99 10 ms", "", "" };

	sender->cell_tokens = CELL_TOKENS;
	printf("  in the cells of tables of %d rows and %d columns, on %d columns:\n", SENDER_TABLE_ROWS, SENDER_TABLE_COLUMNS, TABLE_WINDOW);
	measure_rate(sender, &goal, TABLE_WINDOW, quick);
	sender->cell_tokens = 0;
}

static void measure_rates(struct sender *sender, bool quick)
{
	static const struct rate_goal goals[] = {
		{ 100, 1000, "p50 1 ms, p99 10 ms", "25 KB", "200 ms" },
		{ 1000, 4000, "", "15 KB", "20 ms" },
		{ 3000, 6000, "", "", "" },
	};

	for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
		measure_rate(sender, &goals[i], PROGRAM_COLUMNS, quick);
	measure_table(sender, quick);
}

static void on_screen(const char *title, void (*measure)(struct sender *sender, bool quick), bool quick)
{
	struct sender *sender = sender_start();

	if (!sender)
		exit(2);
	bench_print_title("%s (a pty of %dx%d, the server in another process)", title, PROGRAM_COLUMNS, PROGRAM_ROWS);
	measure(sender, quick);
	sender_stop(sender);
}

void bench_start(bool quick)
{
	on_screen("Starting", measure_start, quick);
}

void bench_hands(bool quick)
{
	on_screen("Letters, first tokens, rest", measure_hands, quick);
}

void bench_long(bool quick)
{
	on_screen("Many tokens", measure_long, quick);
}

void bench_rates(bool quick)
{
	on_screen("Tokens of 4 to 6 bytes at a rate", measure_rates, quick);
}
