#include "bench/bench_search.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/child.h"
#include "base/mem.h"
#include "bench/bench.h"
#include "bench/stored.h"
#include "store/history/history.h"

#define MS 1e6
#define AT_REST 9        /* runs of a search while nothing else runs */
#define TIMES_MOST 1000  /* and during an import */
#define IMPORTED 2000    /* conversations */
#define HITS "20"

static const struct searched { const char *what, *words; } searches[] = {
	{ "the most frequent word", "word1" }, { "two frequent words", "word2 word3" }, { "the beginning of every word", "w*" },
	{ "a rare word", "word9973" }, { "a frequent word and a rare one", "word1 word9973" },
};

struct times { double ms[TIMES_MOST]; size_t count; };

static void begin(struct child *child, const char *const *arguments)
{
	const char *words[8] = { getenv("WEIR"), "history" };

	for (size_t i = 0; arguments[i]; i++)
		words[2 + i] = arguments[i];
	if (!words[0] || child_start(child, words, &(struct child_options){ .place = CHILD_APART })) {
		fprintf(stderr, "bench: cannot start $WEIR\n");
		exit(2);
	}
}

static double run_ms(const char *const *arguments)
{
	int64_t from = bench_now_ns();
	struct child child;
	struct child_end end;
	struct pollfd fd;

	begin(&child, arguments);
	while (!child_has_ended(&child, &end))
		poll(&fd, child_fds(&child, &fd), 1);
	if (end.signal || end.status) {
		fprintf(stderr, "bench: weir history %s %s ended with %d\n", arguments[0], arguments[1], end.status);
		exit(2);
	}
	return (double)(bench_now_ns() - from) / MS;
}

#define RUN_MS(...) run_ms((const char *const[]){ __VA_ARGS__, NULL })

static void search_once(struct times *times, const struct searched *of)
{
	if (times->count < TIMES_MOST)
		times->ms[times->count++] = RUN_MS("search", "--limit", HITS, of->words);
}

static void print_times(struct times *times, const char *what)
{
	double median = bench_quantile(times->ms, times->count, 0.5);

	bench_print(what, "200 ms", "%.1f ms (%.1f to %.1f)", median, times->ms[0], times->ms[times->count - 1]);
}

static void measure_at_rest(void)
{
	for (size_t i = 0; i < ARRAY_LEN(searches); i++) {
		struct times times = { .count = 0 };

		while (times.count < AT_REST)
			search_once(&times, &searches[i]);
		print_times(&times, searches[i].what);
	}
}

static void measure_during_import(size_t bytes)
{
	struct times times[ARRAY_LEN(searches)] = { { .count = 0 } };
	char *file = stored_make_import(IMPORTED, bytes);
	struct child importing;
	struct child_end end;
	int64_t from = bench_now_ns();

	begin(&importing, (const char *const[]){ "import", file, NULL });
	do
		for (size_t i = 0; i < ARRAY_LEN(searches); i++)
			search_once(&times[i], &searches[i]);
	while (!child_has_ended(&importing, &end));
	bench_print_title("the same while %.0f MB are imported and indexed (%.0f s)", (double)bytes / 1e6, (double)(bench_now_ns() - from) / 1e9);
	for (size_t i = 0; i < ARRAY_LEN(searches); i++)
		print_times(&times[i], searches[i].what);
	remove(file);
	mem_free(file);
}

static double file_bytes(const char *end)
{
	struct buf path = { 0 };
	char *file = history_path();
	struct stat facts = { .st_size = 0 };

	buf_printf(&path, "%s%s", file, end);
	(void)stat(buf_z(&path), &facts);
	buf_fini(&path);
	mem_free(file);
	return (double)facts.st_size;
}

void bench_search(size_t bytes)
{
	double file = file_bytes(""), wal = file_bytes("-wal");

	bench_print("the file", "2 times the text", "%.2f times, with its WAL %.2f", file / (double)bytes, (file + wal) / (double)bytes);
	bench_print_title("weir history search --limit " HITS ", from its start to its end");
	measure_at_rest();
	measure_during_import(bytes / 5);
	bench_print_title("weir history delete, of one conversation for good");
	bench_print("the newest", "1 s", "%.0f ms", RUN_MS("delete", "--force", "1"));
	bench_print("one in the middle", "1 s", "%.0f ms", RUN_MS("delete", "--force", "5000"));
}
