/* Answers and conversations of many megabytes in the full-screen program. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/look.h"

#define MS 1000000
#define MB 1000000
#define KEY_GAP_NS (40 * (int64_t)MS)
#define FRAME_GOAL "50 ms"

static double ms_of(int64_t ns)
{
	return (double)ns / MS;
}

static void must_start(struct program *p, struct sender *sender)
{
	if (!program_start_watched(p, sender))
		exit(2);
}

/* --- the longest time between polls --- */

struct away { double ms, cpu_ms; };

static void begin_watch(struct program *p)
{
	p->watch->longest_ns = p->watch->longest_cpu_ns = 0;
}

static struct away end_watch(const struct program *p)
{
	return (struct away){ ms_of(p->watch->longest_ns), ms_of(p->watch->longest_cpu_ns) };
}

static struct away watch_keys(struct program *p, const char *keys, unsigned count)
{
	begin_watch(p);
	for (unsigned i = 0; i < count; i++) {
		program_type(p, keys);
		program_read_for(p, KEY_GAP_NS);
	}
	program_read_for(p, 3 * KEY_GAP_NS);
	return end_watch(p);
}

static struct away most_of(struct away a, struct away b)
{
	return (struct away){ a.ms > b.ms ? a.ms : b.ms, a.cpu_ms > b.cpu_ms ? a.cpu_ms : b.cpu_ms };
}

static struct away watch_scrolling(struct program *p)
{
	static const struct { const char *keys; unsigned count; } ways[] = {
		{ "\x1b[5~", 15 }, { "\x1b[1;5H", 1 }, { "\x1b[6~", 15 }, { "\x1b[<64;10;5M", 10 }, { "\x1b[1;5F", 1 },
	};
	struct away most = { 0 };
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		most = most_of(most, watch_keys(p, ways[i].keys, ways[i].count));
	return most;
}

/* At the end and in the middle; then restores the position. */
static struct away watch_resizing(struct program *p)
{
	static const unsigned widths[] = { 90, PROGRAM_COLUMNS, 61, PROGRAM_COLUMNS };
	struct away most = { 0 };

	for (int place = 0; place < 2; place++) {
		begin_watch(p);
		for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
			program_resize(p, widths[i]);
			program_read_for(p, 3 * KEY_GAP_NS);
		}
		most = most_of(most, end_watch(p));
		watch_keys(p, place ? "\x1b[1;5F" : "\x1b[5~", place ? 1 : 20);
	}
	return most;
}

static struct away watch_search(struct program *p)
{
	static const char *const keys[] = { "\x06", "r", "o", "w", " ", "7", "7", "\r", "N", "N" };
	struct away most = { 0 };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		most = most_of(most, watch_keys(p, keys[i], 1));
	watch_keys(p, "\x1b", 2);
	return most;
}

/* --- one giant --- */

static unsigned giants; /* number of giants sent so far */

/* The time when the end of the answer was on the screen; 0: never. */
static int64_t ask_giant(struct program *p, struct sender *sender, struct look *look, struct giant giant)
{
	char end[GIANT_END_BYTES];

	giant.number = ++giants;
	giant_end(giant.number, end);
	look_skip(look);
	program_ask_giant(p, sender, &giant, 0, 0);
	program_read_for(p, 300 * (int64_t)MS);
	return look_for_text(look, end);
}

struct construct { const char *name; struct giant giant; const char *keys, *keys_do; };

static void print_away(const char *what, struct away away)
{
	bench_print(what, FRAME_GOAL, "%.1f ms (CPU %.1f ms)", away.ms, away.cpu_ms);
}

static void measure_construct(struct sender *sender, const struct construct *construct, bool quick)
{
	struct program p;
	struct giant giant = construct->giant;
	char what[80];

	if (quick)
		giant.rate *= 3;
	must_start(&p, sender);
	struct look *look = look_new(&p);
	begin_watch(&p);
	int64_t shown = ask_giant(&p, sender, look, giant);
	snprintf(what, sizeof what, "%s%s", construct->name, shown ? "" : " (its end never came)");
	print_away(what, end_watch(&p));
	giant.rate = 0;
	begin_watch(&p);
	shown = ask_giant(&p, sender, look, giant);
	print_away(shown ? "  the same at once" : "  the same at once (its end never came)", end_watch(&p));
	print_away(construct->keys_do, watch_keys(&p, construct->keys, 2));
	if (giant.place)
		watch_keys(&p, construct->keys, 1);
	print_away("  scrolling through it", watch_scrolling(&p));
	print_away("  other widths", watch_resizing(&p));
	look_free(look);
	program_stop(&p);
}

static void measure_constructs(struct sender *sender, bool quick)
{
#define RAW "\x1bm", "  its source, and back"
#define UNFOLDED "\x14", "  unfolding it, folding"
	static const struct construct constructs[] = {
		{ "5 MB of code in one block, coming", { GIANT_CODE, GIANT_ANSWER, 5 * MB, 2500, 1000, 0 }, RAW },
		{ "a table of 10,000 rows", { GIANT_TABLE, GIANT_ANSWER, 420000, 210, 1000, 0 }, RAW },
		{ "a line of 1 MB without blanks", { GIANT_LINE, GIANT_ANSWER, MB, 500, 1000, 0 }, RAW },
		{ "200,000 `**` that nobody closes", { GIANT_STARS, GIANT_ANSWER, 1400000, 700, 1000, 0 }, RAW },
		{ "lists 1,000 deep", { GIANT_LISTS, GIANT_ANSWER, 1010000, 500, 1000, 0 }, RAW },
		{ "quotes 1,000 deep", { GIANT_QUOTES, GIANT_ANSWER, 1010000, 500, 1000, 0 }, RAW },
		{ "5 MB of reasoning", { GIANT_PROSE, GIANT_REASONING, 5 * MB, 2500, 1000, 0 }, UNFOLDED },
		{ "a reasoning of 1 MB in one line", { GIANT_LINE, GIANT_REASONING, MB, 500, 1000, 0 }, UNFOLDED },
		{ "a call with 5 MB of arguments", { GIANT_JSON, GIANT_ARGUMENTS, 5 * MB, 2500, 1000, 0 }, UNFOLDED },
		{ "a call with a string of 1 MB", { GIANT_STRING, GIANT_ARGUMENTS, MB, 500, 1000, 0 }, UNFOLDED },
	};
	bench_print_title("Giants: the longest time between two polls, a frame included (others on the machine add to it, not to CPU)");
	for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++)
		measure_construct(sender, &constructs[i], quick);
}

/* --- a firehose --- */

static void print_firehose(struct program *p, struct sender *sender, struct look *look, const char *what, struct giant giant)
{
	begin_watch(p);
	double cpu = sender_cpu_s(p->pid);
	int64_t shown = ask_giant(p, sender, look, giant);
	struct away away = end_watch(p);
	double seconds = (double)(shown - sender->giant_ns) / 1e9;
	if (!shown) {
		printf("  %s: its end never came\n", what);
		return;
	}
	bench_print(what, "30 MB/s", "%.1f MB/s in %.2f s, text %.1f MB/s", (double)sender->wire_bytes / seconds / MB, seconds,
	            (double)giant.bytes / seconds / MB);
	bench_print("  CPU, longest between two polls", FRAME_GOAL, "%.2f s, %.1f ms (CPU %.1f ms)", sender_cpu_s(p->pid) - cpu, away.ms, away.cpu_ms);
}

static void measure_rest(struct program *p, bool quick)
{
	int64_t span = (quick ? 2000 : 10000) * (int64_t)MS;

	program_read_for(p, 4000 * (int64_t)MS);
	long before = program_wake_ups(p);
	size_t bytes = p->bytes.len;
	program_read_for(p, span);
	bench_print("  at rest behind it", "0 wake-ups", "%ld wake-ups, %zu bytes in %d s", program_wake_ups(p) - before, p->bytes.len - bytes, (int)(span / 1000 / MS));
}

static void measure_resize(struct program *p)
{
	double most = 0;

	for (unsigned i = 0; i < 6; i++) {
		int64_t at = bench_now_ns();

		program_resize(p, i % 2 ? PROGRAM_COLUMNS : 100 - 7 * i);
		program_read_for(p, 400 * (int64_t)MS);
		double ms = ms_of(p->reads[p->count - 1].at_ns - at);
		most = ms > most ? ms : most;
	}
	bench_print("  to its last byte on another width, most of 6", "50 ms", "%.1f ms", most);
}

static void measure_firehose(struct sender *sender, bool quick)
{
	struct program p;
	size_t bytes = (quick ? 10 : 50) * (size_t)MB;

	bench_print_title("Firehose: %zu MB through HTTP, from the first byte sent to its end on the screen", bytes / MB);
	must_start(&p, sender);
	struct look *look = look_new(&p);
	print_firehose(&p, sender, look, "tokens of 5 bytes: bytes on the wire", (struct giant){ GIANT_PROSE, GIANT_ANSWER, bytes / 48, 5, 0, 0 });
	bench_print("  peak memory (VmHWM)", "", "%.1f MB for %.1f MB of text", (double)program_peak_kb(&p) / 1000, (double)bytes / 48 / MB);
	look_free(look);
	program_stop(&p);
	must_start(&p, sender);
	look = look_new(&p);
	print_firehose(&p, sender, look, "text in deltas of 4 KB: bytes on the wire", (struct giant){ GIANT_PROSE, GIANT_ANSWER, bytes, 4000, 0, 0 });
	bench_print("  peak memory (VmHWM)", "", "%.1f MB for %zu MB of text", (double)program_peak_kb(&p) / 1000, bytes / MB);
	print_away("  scrolling through it (1,000,000 lines)", watch_scrolling(&p));
	print_away("  other widths", watch_resizing(&p));
	measure_resize(&p);
	print_away("  searching it, letter by letter", watch_search(&p));
	measure_rest(&p, quick);
	begin_watch(&p);
	program_ask(&p, sender, 1, 1000);
	print_away("  the next question, all of it sent along", end_watch(&p));
	look_free(look);
	program_stop(&p);
}

/* --- deltas at the end of a long transcript --- */

#define DELTAS 2000
#define DELTA_RATE 1000
#define ROUNDS 5

static double deltas_ms(struct program *p, struct sender *sender, const struct giant *giant)
{
	program_ask_giant(p, sender, giant, DELTAS, DELTA_RATE);
	return (sender->cpu_last - sender->cpu_first) * 1000;
}

static void print_deltas(const char *what, double *small, double *large, size_t rounds)
{
	double a = bench_quantile(small, rounds, 0.5), b = bench_quantile(large, rounds, 0.5);

	bench_print(what, "x 1.20", "x %.2f (%.1f ms / %.1f ms CPU)", b / a, b, a);
}

/* Measures two programs alternately, so that other load affects both. */
static void measure_deltas(struct sender *sender, bool quick)
{
	static const struct giant none = { 0 };
	size_t sizes[2] = { 100000, 10 * MB }, rounds = quick ? 2 : ROUNDS;
	double before[2][ROUNDS], inside[2][ROUNDS];
	struct program p[2];

	bench_print_title("%d deltas at %d/s behind 10 MB, beside those behind 100 KB", DELTAS, DELTA_RATE);
	for (int i = 0; i < 2; i++) {
		must_start(&p[i], sender);
		program_ask_giant(&p[i], sender, &(struct giant){ GIANT_PROSE, GIANT_ANSWER, sizes[i], 4000, 0, 0 }, 0, 0);
		program_ask(&p[i], sender, 1000, 0);
	}
	for (size_t round = 0; round < rounds; round++)
		for (int i = 0; i < 2; i++)
			before[i][round] = deltas_ms(&p[i], sender, &none);
	print_deltas("in answers before", before[0], before[1], rounds);
	for (int i = 0; i < 2; i++)
		program_stop(&p[i]);
	for (size_t round = 0; round < rounds; round++)
		for (int i = 0; i < 2; i++) {
			must_start(&p[i], sender);
			inside[i][round] = deltas_ms(&p[i], sender, &(struct giant){ GIANT_PROSE, GIANT_ANSWER, sizes[i], 4000, 0, 0 });
			program_stop(&p[i]);
		}
	print_deltas("in the same answer", inside[0], inside[1], rounds);
}

/* --- turns --- */

static void measure_turns(struct sender *sender, bool quick)
{
	static const struct giant none = { 0 };
	static const struct giant small = { GIANT_PROSE, GIANT_ANSWER, 1000, 4000, 0, 0 };
	unsigned turns = quick ? 100 : 1000;
	size_t rounds = quick ? 2 : ROUNDS;
	double few[ROUNDS], many[ROUNDS];
	struct program p[2];

	bench_print_title("%d deltas at %d/s at turn %u, beside those of the first turns", DELTAS, DELTA_RATE, turns);
	for (int i = 0; i < 2; i++)
		must_start(&p[i], sender);
	for (unsigned turn = 0; turn < turns; turn++)
		program_ask_giant(&p[1], sender, &small, 0, 0);
	for (size_t round = 0; round < rounds; round++) {
		few[round] = deltas_ms(&p[0], sender, &none);
		many[round] = deltas_ms(&p[1], sender, &none);
	}
	print_deltas("at the last turn", few, many, rounds);
	print_away("  scrolling", watch_scrolling(&p[1]));
	print_away("  other widths", watch_resizing(&p[1]));
	print_away("  searching, letter by letter", watch_search(&p[1]));
	for (int i = 0; i < 2; i++)
		program_stop(&p[i]);
}

/* --- a paste --- */

#define PASTE_BEGIN "\x1b[200~"
#define PASTE_END "\x1b[201~"

static void measure_paste(struct sender *sender, bool quick)
{
	struct program p;
	struct buf bytes;
	double ms[5], away = 0;
	size_t rounds = quick ? 2 : 5;

	bench_print_title("A paste of 1 MB");
	must_start(&p, sender);
	buf_init(&bytes, 2 * MB);
	buf_add_z(&bytes, PASTE_BEGIN);
	for (unsigned i = 0; bytes.len < MB; i++)
		buf_printf(&bytes, "line %u of what was pasted, Caf\xC3\xA9\n", i);
	buf_add_z(&bytes, PASTE_END);
	for (size_t i = 0; i < rounds; i++) {
		begin_watch(&p);
		int64_t at = program_paste(&p, buf_str(&bytes));
		program_read_until_quiet(&p, 300 * (int64_t)MS);
		ms[i] = ms_of(p.reads[p.count - 1].at_ns - at);
		away = end_watch(&p).ms > away ? end_watch(&p).ms : away;
		program_type(&p, "\x03");
		program_read_for(&p, 1200 * (int64_t)MS);
	}
	double median = bench_quantile(ms, rounds, 0.5);
	bench_print("from its first byte to its chip on the screen", "100 ms", "%.1f ms (to %.1f)", median, ms[rounds - 1]);
	bench_print("  longest between two polls", FRAME_GOAL, "%.1f ms", away);
	program_paste(&p, buf_str(&bytes));
	program_read_for(&p, 300 * (int64_t)MS);
	begin_watch(&p);
	program_ask(&p, sender, 1, 1000);
	print_away("  sent as a prompt", end_watch(&p));
	print_away("  scrolling through it", watch_scrolling(&p));
	print_away("  other widths", watch_resizing(&p));
	buf_fini(&bytes);
	program_stop(&p);
}

static void with_sender(void (*measure)(struct sender *sender, bool quick), bool quick)
{
	struct sender *sender = sender_start();

	if (!sender)
		exit(2);
	measure(sender, quick);
	sender_stop(sender);
}

void bench_giants(bool quick)
{
	with_sender(measure_constructs, quick);
}

void bench_firehose(bool quick)
{
	with_sender(measure_firehose, quick);
}

void bench_deltas(bool quick)
{
	with_sender(measure_deltas, quick);
	with_sender(measure_turns, quick);
}

void bench_paste(bool quick)
{
	with_sender(measure_paste, quick);
}
