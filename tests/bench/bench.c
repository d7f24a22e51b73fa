#include "bench/bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/home.h"

int64_t bench_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void bench_print_title(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	putchar('\n');
	vprintf(format, args);
	putchar('\n');
	va_end(args);
	fflush(stdout);
}

void bench_print(const char *what, const char *goal, const char *format, ...)
{
	char figure[128];
	va_list args;

	va_start(args, format);
	vsnprintf(figure, sizeof figure, format, args);
	va_end(args);
	printf("  %-46s %-34s %s%s\n", what, figure, *goal ? "goal " : "", goal);
	fflush(stdout);
}

int bench_compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double bench_quantile(double *values, size_t count, double share)
{
	if (!count)
		return NAN;
	qsort(values, count, sizeof *values, bench_compare_doubles);
	size_t at = (size_t)(share * (double)count);
	return values[at < count ? at : count - 1];
}

static const struct { const char *name; void (*run)(bool quick); } parts[] = {
	{ "history", bench_history },
	{ "decode", bench_decode }, { "lint", bench_lint }, { "start", bench_start }, { "hands", bench_hands }, { "long", bench_long }, { "rates", bench_rates },
	{ "cost", bench_cost },
	{ "giants", bench_giants }, { "firehose", bench_firehose }, { "deltas", bench_deltas }, { "paste", bench_paste },
	{ "media", bench_media }, { "stored", bench_stored }, { "player", bench_player }, { "inspect", bench_inspect }, { "proxy", bench_proxy }, { "compare", bench_compare },
	{ "tools", bench_tools },
};

/* Uses no settings of the user. Tapes are written as usual, but to a folder that is removed. */
static char *move_into(void)
{
	static const char *const folders[] = { "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME" };
	char *home = home_new();

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		setenv(folders[i], home, 1);
	return home;
}

/* Arguments: "quick" or "full", then the parts to run; none: all. */
int main(int argc, char **argv)
{
	bool quick = argc > 1 && !strcmp(argv[1], "quick");
	char *home = move_into();

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		bool wanted = argc < 3;

		for (int n = 2; n < argc; n++)
			wanted |= !strcmp(argv[n], parts[i].name);
		if (wanted)
			parts[i].run(quick);
	}
	home_free(home);
	return 0;
}
