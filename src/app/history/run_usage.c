#include "app/options/subcommand.h"

#include <string.h>
#include <time.h>

#include "app/history/history_inside.h"
#include "app/options/options.h"
#include "app/system/environment.h"
#include "app/system/signals.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/history/history.h"
#include "chat/conversation/figure.h"
#include "ui/term/capability.h"
#include "wire/delta_write.h"

#define LABEL_MOST 28u
#define BAR_LEAST 6u
#define BAR_MOST 60u
#define DAYS_MOST 100000

/* --- since when --- */

static time_t midnight(struct tm *day)
{
	day->tm_hour = day->tm_min = day->tm_sec = 0;
	day->tm_isdst = -1;
	return mktime(day);
}

/* "2026-01-31"; false also for a day that is not in the calendar. */
static bool read_day(struct str text, time_t *since)
{
	struct str year, month;
	long long y, m, d;
	struct tm day = { 0 };

	if (text.len != 10 || !str_split(&text, '-', &year) || !str_split(&text, '-', &month) || !str_to_int(year, &y) || !str_to_int(month, &m) ||
	    !str_to_int(text, &d) || y < 1970 || y > 9999 || m < 1 || m > 12 || d < 1 || d > 31)
		return false;
	day = (struct tm){ .tm_year = (int)y - 1900, .tm_mon = (int)m - 1, .tm_mday = (int)d };
	*since = midnight(&day);
	return day.tm_mday == d;
}

/* "today", or "7d": as many days, today included. */
static bool read_days(struct str text, time_t now, time_t *since)
{
	long long days = 1;
	struct tm day;

	if (!str_is(text, "today") &&
	    !(str_ends(text, "d") && str_to_int(str_head(text, text.len - 1), &days) && days > 0 && days <= DAYS_MOST))
		return false;
	if (!localtime_r(&now, &day))
		return false;
	day.tm_mday -= (int)days - 1;
	*since = midnight(&day);
	return true;
}

/* --- sums --- */

struct sums {
	struct history_sum *at; /* own their texts */
	size_t count, capacity;
};

static void sums_add(void *ctx, const struct history_sum *sum)
{
	struct sums *sums = ctx;
	struct history_sum copy = *sum;

	copy.key = mem_dup_z(sum->key);
	copy.title = mem_dup_z(sum->title);
	copy.cost.currency = mem_dup_z(sum->cost.currency);
	mem_reserve(&sums->at, &sums->capacity, sums->count + 1, sizeof *sums->at);
	sums->at[sums->count++] = copy;
}

static void sums_fini(struct sums *sums)
{
	for (size_t i = 0; i < sums->count; i++) {
		mem_free((char *)(uintptr_t)sums->at[i].key);
		mem_free((char *)(uintptr_t)sums->at[i].title);
		mem_free((char *)(uintptr_t)sums->at[i].cost.currency);
	}
	mem_free(sums->at);
}

static int64_t sum_tokens(const struct history_sum *sum)
{
	const struct count *of = sum->usage.of;

	return of[USAGE_TOTAL].sent ? of[USAGE_TOTAL].number : count_sum(of[USAGE_PROMPT], of[USAGE_COMPLETION]).number;
}

/* --- JSON --- */

static void sums_write_json(const struct sums *sums, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_array(&w);
	for (size_t i = 0; i < sums->count; i++) {
		const struct history_sum *sum = &sums->at[i];

		json_open_object(&w);
		json_member_string(&w, "key", str_from(sum->key));
		if (sum->title)
			json_member_string(&w, "title", str_from(sum->title));
		json_member_integer(&w, "turns", sum->answers);
		delta_write_usage_or_null(&w, &sum->usage);
		history_write_cost(&w, &sum->cost);
		json_member_integer(&w, "unpriced", sum->unpriced);
		json_close_object(&w);
	}
	json_close_array(&w);
	buf_add_byte(out, '\n');
}

/* --- for people --- */

static void add_money(struct buf *out, const struct history_sum *sum)
{
	const struct history_cost *cost = &sum->cost;
	bool dollars = cost->known && !strcmp(cost->currency, "USD");

	if (cost->known)
		buf_printf(out, "%s%s%.*f%s%s", cost->exact ? "" : "~", dollars ? "$" : "", cost->amount < 1 ? 4 : 2, cost->amount,
		           dollars ? "" : " ", dollars ? "" : cost->currency);
	if (sum->unpriced)
		buf_printf(out, cost->known ? " + %lld unpriced" : "%lld unpriced", (long long)sum->unpriced);
}

/* The name of a row: what it sums up. */
static struct str sum_name(const struct history_sum *sum, enum history_by by)
{
	if (by == HISTORY_BY_CONVERSATION && sum->title && *sum->title)
		return str_from(sum->title);
	return str_from(*sum->key ? sum->key : "(not known)");
}

/* Eighths of a cell with block elements, whole cells otherwise. A value above zero has at least the least bar. */
static unsigned add_bar(struct buf *out, int64_t value, int64_t most, unsigned columns, bool blocks)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	unsigned steps = blocks ? 8 : 1, length = most > 0 ? (unsigned)((double)value / (double)most * columns * steps + 0.5) : 0;

	if (!length && value > 0)
		length = 1;
	for (unsigned i = 0; i < length / steps; i++)
		buf_add_z(out, blocks ? "█" : "#");
	if (blocks)
		buf_add_z(out, eighths[length % steps]);
	return (length + steps - 1) / steps;
}

struct bars {
	unsigned name, tokens, bar; /* columns */
	int64_t most;
	bool blocks;
	enum history_by by;
};

static struct history_sum sums_total(const struct sums *sums)
{
	struct history_sum total = { .key = "total", .cost.exact = true };

	for (size_t i = 0; i < sums->count; i++) {
		const struct history_sum *sum = &sums->at[i];
		bool same = sum->cost.known && (!total.cost.known || !strcmp(total.cost.currency, sum->cost.currency));

		total.answers += sum->answers;
		for (int figure = 0; figure < USAGE_FIGURE_COUNT; figure++)
			total.usage.of[figure] = count_sum(total.usage.of[figure], sum->usage.of[figure]);
		total.unpriced += same || !sum->cost.known ? sum->unpriced : sum->answers;
		if (!same)
			continue;
		total.cost.known = true;
		total.cost.currency = sum->cost.currency;
		total.cost.amount += sum->cost.amount;
		total.cost.exact &= sum->cost.exact;
	}
	return total;
}

static void bars_measure(struct bars *bars, const struct sums *sums, const struct history_sum *total)
{
	unsigned money = 0, columns = output_columns(), taken;
	const char *terminal = process_environment("TERM");
	char figure[FIGURE_SIZE];

	bars->blocks = capability_blocks(terminal ? terminal : "dumb");
	bars->tokens = (unsigned)strlen(figure_count(figure, sum_tokens(total)));
	bars->name = 5;
	for (size_t i = 0; i <= sums->count; i++) {
		const struct history_sum *sum = i < sums->count ? &sums->at[i] : total;
		struct buf text = { 0 };
		unsigned name = (unsigned)utf8_width(sum_name(sum, bars->by));

		bars->name = name > bars->name ? name : bars->name;
		add_money(&text, sum);
		money = text.len > money ? (unsigned)text.len : money;
		buf_fini(&text);
		if (sum != total && sum_tokens(sum) > bars->most)
			bars->most = sum_tokens(sum);
	}
	if (bars->name > LABEL_MOST)
		bars->name = LABEL_MOST;
	taken = bars->name + bars->tokens + money + 6;
	bars->bar = columns > taken + BAR_LEAST ? columns - taken : 0;
	if (bars->bar > BAR_MOST)
		bars->bar = BAR_MOST;
}

static void bars_add_row(const struct bars *bars, const struct history_sum *sum, bool is_total, struct buf *out)
{
	char figure[FIGURE_SIZE];
	unsigned used = history_add_cells(out, sum_name(sum, bars->by), bars->name);

	buf_printf(out, "%*s", (int)(bars->name - used + 2), "");
	used = is_total ? 0 : add_bar(out, sum_tokens(sum), bars->most, bars->bar, bars->blocks);
	buf_printf(out, "%*s%*s  ", bars->bar ? (int)(bars->bar - used + 2) : 0, "", (int)bars->tokens,
	           usage_is_known(&sum->usage) ? figure_count(figure, sum_tokens(sum)) : "-");
	add_money(out, sum);
	buf_add_byte(out, '\n');
}

static void sums_write_bars(const struct sums *sums, enum history_by by, struct buf *out)
{
	struct history_sum total = sums_total(sums);
	struct bars bars = { .by = by };

	bars_measure(&bars, sums, &total);
	for (size_t i = 0; i < sums->count; i++)
		bars_add_row(&bars, &sums->at[i], false, out);
	if (sums->count > 1)
		bars_add_row(&bars, &total, true, out);
}

/* --- for other programs --- */

static void sums_write_fields(const struct sums *sums, struct buf *out)
{
	for (size_t i = 0; i < sums->count; i++) {
		const struct history_sum *sum = &sums->at[i];

		output_field(out, str_from(sum->key));
		buf_printf(out, "\t%lld\t", (long long)sum->answers);
		if (usage_is_known(&sum->usage))
			buf_printf(out, "%lld", (long long)sum_tokens(sum));
		buf_add_byte(out, '\t');
		add_money(out, sum);
		buf_add_byte(out, '\n');
	}
}

static int sums_print(const struct sums *sums, const struct options *o)
{
	struct pager pager;
	struct buf text = { 0 };

	pager_open(&pager);
	if (o->json)
		sums_write_json(sums, &text);
	else if (pager.out.terminal)
		sums_write_bars(sums, o->by, &text);
	else
		sums_write_fields(sums, &text);
	output_text(&pager.out, buf_str(&text));
	buf_fini(&text);
	return pager_close(&pager, EXIT_DONE);
}

static int usage_run(const struct options *o)
{
	enum history_status status = HISTORY_OK;
	enum exit_status failed = EXIT_DONE;
	struct sums sums = { .count = 0 };
	struct history *h;
	struct error err;
	time_t since = 0;
	int result;

	if (o->since && !read_day(str_from(o->since), &since) && !read_days(str_from(o->since), time(NULL), &since))
		return usage_error("--since %s: it must be a day such as 2026-01-31, today, or a number of days such as 7d", o->since);
	if (!history_call_open(&h, &failed))
		return (int)failed;
	if (h)
		status = history_usage(h, o->by, since, sums_add, &sums, &err);
	result = status == HISTORY_OK ? sums_print(&sums, o) : history_call_failed(&err);
	sums_fini(&sums);
	history_call_close(h);
	return result;
}

int run_usage(const struct options *o)
{
	int status;

	if (o->argument_count)
		return usage_error("usage takes no argument '%s'", o->arguments[0]);
	signals_open();
	status = usage_run(o);
	signals_close();
	return status;
}
