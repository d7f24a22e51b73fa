/* Starting, the list, searching, deleting and opening beside 10,000 stored conversations. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include "bench/bench_search.h"
#include "bench/look.h"
#include "bench/stored.h"

#define MS 1000000
#define CONVERSATIONS 10000
#define GB ((size_t)1000000000)
#define QUICK_BYTES (GB / 20)
#define ROOM 4          /* the disk needs this many times the text: the index, the WAL while it is made, the long conversations */
#define TIMES 9

/* As much text as was asked for, or as the disk allows. */
static size_t corpus_bytes(bool quick)
{
	struct statvfs disk;
	size_t bytes = quick ? QUICK_BYTES : GB;

	if (statvfs(getenv("XDG_DATA_HOME"), &disk))
		return QUICK_BYTES / 10;
	size_t room = (size_t)disk.f_bavail * disk.f_frsize / ROOM;
	return room < bytes ? room : bytes;
}

static double type_until(struct program *p, struct look *look, const char *keys, const char *text)
{
	int64_t from = bench_now_ns();

	look_skip(look);
	program_type(p, keys);
	program_read_for(p, 600 * (int64_t)MS);
	int64_t at = look_for_text(look, text);
	return at ? (double)(at - from) / MS : 1e9;
}

struct case_of_list { const char *what, *goal, *open, *keys, *shows; };

struct step { double ms, cpu_ms; }; /* until it was shown, and the most CPU time between two polls */

/* `rest_ms`: how long the program works on behind what it shows. */
static struct step step_once(struct sender *sender, const struct case_of_list *of, int64_t rest_ms)
{
	struct program p;
	struct step step;

	if (!program_start_watched(&p, sender))
		exit(2);
	struct look *look = look_new(&p);
	program_read_for(&p, 50 * (int64_t)MS);
	if (*of->open)
		type_until(&p, look, of->open, "Conversations"); /* and the other pages are read */
	p.watch->longest_ns = p.watch->longest_cpu_ns = 0;
	step.ms = type_until(&p, look, of->keys, of->shows);
	program_read_for(&p, rest_ms * MS);
	step.cpu_ms = (double)p.watch->longest_cpu_ns / MS;
	look_free(look);
	program_stop(&p);
	return step;
}

static void measure(struct sender *sender, const struct case_of_list *of, int64_t rest_ms)
{
	double ms[TIMES], cpu_ms[TIMES];

	for (int i = 0; i < TIMES; i++) {
		struct step step = step_once(sender, of, rest_ms);

		ms[i] = step.ms;
		cpu_ms[i] = step.cpu_ms;
	}
	double median = bench_quantile(ms, TIMES, 0.5), cpu = bench_quantile(cpu_ms, TIMES, 0.5);
	bench_print(of->what, of->goal, "%.1f ms (%.1f to %.1f), CPU %.1f ms", median, ms[0], ms[TIMES - 1], cpu);
}

#define F6 "\x1b[17~"
#define REST_MS 4000

/* Turns: prompts and answers. */
static void measure_opening(struct sender *sender, size_t bytes)
{
	static const struct { const char *title; unsigned turns; struct case_of_list of; } all[] = {
		{ "Zebra", 20000, { "one of 10,000 answers, its end", "100 ms", F6 "Zebra", "\r", STORED_END } },
		{ "Quagga", 40, { "one of 20 answers, its end", "100 ms", F6 "Quagga", "\r", STORED_END } },
		{ "Okapi", 4, { "one of 2 answers, its end", "100 ms", F6 "Okapi", "\r", STORED_END } },
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		stored_make_long(all[i].title, all[i].turns, bytes);
	bench_print_title("opening a conversation of %.0f MB (CPU: the most between two polls, while the rest of it is read)", (double)bytes / 1e6);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		measure(sender, &all[i].of, REST_MS);
}

void bench_stored(bool quick)
{
	static const struct case_of_list cases[] = {
		{ "the list opens", "50 ms", "", F6, "1 of " },
		{ "a letter in its filter", "20 ms", F6, "t", "> t" },
		{ "a letter in all text, a frequent beginning", "200 ms", F6 "word", "1", " found" },
		{ "all text, a rare word", "200 ms", F6 "word1999", "7", " found" },
		{ "all text, two words", "200 ms", F6 "word1234 word77", "7", " found" },
		{ "all text, a second word begins", "200 ms", F6 "word1234 ", "w", " found" },
		{ "all text, the beginning of every word", "200 ms", F6 "w", "*", " found" },
	};
	size_t bytes = corpus_bytes(quick);
	struct sender *sender = sender_start();
	int64_t from = bench_now_ns();

	stored_make(CONVERSATIONS, bytes);
	bench_print_title("stored conversations: %d of them, %.0f MB of text (made in %.0f s)", CONVERSATIONS, (double)bytes / 1e6,
	                  (double)(bench_now_ns() - from) / 1e9);
	bench_print_start(sender, "ready for typing, median of 20");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		measure(sender, &cases[i], 0);
	bench_search(bytes);
	measure_opening(sender, bytes / 10);
	sender_stop(sender);
}
