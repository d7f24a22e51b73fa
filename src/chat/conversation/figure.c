#include "chat/conversation/figure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *figure_count(char out[FIGURE_SIZE], int64_t count)
{
	char digits[24];
	int len = snprintf(digits, sizeof digits, "%" PRId64, count), at = 0;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0 && digits[i - 1] != '-')
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = 0;
	return out;
}

const char *figure_of(char out[FIGURE_SIZE], int64_t count, const char *noun)
{
	size_t digits = strlen(figure_count(out, count));

	snprintf(out + digits, FIGURE_SIZE - digits, " %s%s", noun, count == 1 ? "" : "s");
	return out;
}

const char *figure_short(char out[FIGURE_SIZE], int64_t count, int64_t exact_below, int64_t tenths_below)
{
	double n = (double)count;

	if (count < exact_below)
		return figure_count(out, count);
	if (count < 999500)
		snprintf(out, FIGURE_SIZE, count < tenths_below ? "%.1fk" : "%.0fk", n / 1e3);
	else
		snprintf(out, FIGURE_SIZE, n < 99.95e6 ? "%.1fM" : "%.0fM", n / 1e6);
	return out;
}

const char *figure_bytes(char out[FIGURE_SIZE], size_t bytes)
{
	if (bytes < 1000)
		snprintf(out, FIGURE_SIZE, "%zu B", bytes);
	else if (bytes < 1000000)
		snprintf(out, FIGURE_SIZE, "%.1f KB", (double)bytes / 1000);
	else
		snprintf(out, FIGURE_SIZE, "%.1f MB", (double)bytes / 1000000);
	return out;
}

const char *figure_seconds(char out[FIGURE_SIZE], double ms)
{
	double seconds = ms < 0 ? 0 : ms / 1000;

	if (seconds < 10)
		snprintf(out, FIGURE_SIZE, "%.1f s", seconds);
	else if (seconds < 120)
		snprintf(out, FIGURE_SIZE, "%.0f s", seconds);
	else
		snprintf(out, FIGURE_SIZE, "%d min %d s", (int)(seconds / 60), (int)seconds % 60);
	return out;
}

#define COST_LEAST 0.0001 /* less is not written out */

const char *figure_cost(char out[FIGURE_SIZE], struct cost cost)
{
	const char *sign = cost.is_unknown ? ">" : cost.is_estimated ? "~" : "";
	double usd = cost.usd;

	*out = 0;
	if (usd >= COST_LEAST)
		snprintf(out, FIGURE_SIZE, "%s$%.*f", sign, usd >= 0.1 ? 2 : usd >= 0.01 ? 3 : 4, usd);
	else if (usd > 0 && !cost.is_unknown)
		snprintf(out, FIGURE_SIZE, "<$%g", COST_LEAST);
	return out;
}

#define MINUTES_FROM_MS 100000.0

const char *figure_clock(char out[FIGURE_SIZE], double ms)
{
	ms = ms < 0 ? 0 : ms;
	if (ms >= MINUTES_FROM_MS)
		snprintf(out, FIGURE_SIZE, "%3lld:%02d", (long long)(ms / 60000), (int)((long long)(ms / 1000) % 60));
	else
		snprintf(out, FIGURE_SIZE, "%4.1f s", ms / 1000);
	return out;
}
