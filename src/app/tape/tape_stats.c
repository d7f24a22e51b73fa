/* `weir tape stats`: first content, gaps and rate over many tapes, by provider and model. */
#include "app/options/options.h"
#include "app/tape/tape_inside.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/system/signals.h"
#include "app/tape/tape_chart.h"
#include "base/array.h"
#include "base/mem.h"

#define FOLDER_DEPTH_MOST 16

/* --- what is summed up --- */

struct group {
	char *provider, *model; /* NULL in the sum of all */
	size_t tapes;
	struct tape_times of[TAPE_FIGURES];
};

struct stats {
	const struct options *o;
	struct group all;
	struct group *groups;
	size_t count, capacity;
	size_t skipped;         /* files that are no tapes, in folders */
	struct error err;
};

static struct group *stats_group(struct stats *s, struct str provider, const char *model)
{
	for (size_t i = 0; i < s->count; i++)
		if (str_is(provider, s->groups[i].provider) && !strcmp(model, s->groups[i].model))
			return &s->groups[i];
	mem_reserve(&s->groups, &s->capacity, s->count + 1, sizeof *s->groups);
	s->groups[s->count] = (struct group){ .provider = str_dup(provider), .model = mem_dup_z(model) };
	return &s->groups[s->count++];
}

static void group_add(struct group *g, const struct tape_reading *r)
{
	double rate = tape_reading_rate(r);

	g->tapes++;
	if (r->meter.begun)
		tape_times_add(&g->of[TAPE_FIRST], r->meter.first_ms);
	if (rate > 0)
		tape_times_add(&g->of[TAPE_RATE], rate);
	for (size_t i = 0; i < r->gaps.count; i++)
		tape_times_add(&g->of[TAPE_GAP], r->gaps.at[i]);
}

static void group_sort(struct group *g)
{
	for (size_t i = 0; i < TAPE_FIGURES; i++)
		tape_times_sort(&g->of[i]);
}

static void group_fini(struct group *g)
{
	for (size_t i = 0; i < TAPE_FIGURES; i++)
		mem_free(g->of[i].at);
	mem_free(g->provider);
	mem_free(g->model);
}

/* --- files and folders --- */

/* In a folder a file that is no tape is skipped; one that was named is an error. */
static bool stats_add_file(struct stats *s, const char *path, bool named)
{
	struct tape_reading r;

	if (!tape_read(&r, s->o, path, NULL, NULL, &s->err))
		return !named && ++s->skipped;
	bool timed = !tape_is_plain(r.tape);
	if (timed) {
		group_add(&s->all, &r);
		group_add(stats_group(s, tape_facts(r.tape)->provider, r.model), &r);
	}
	tape_reading_fini(&r);
	if (timed)
		return true;
	s->skipped++;
	return !named || error_set(&s->err, "%s is a plain body: it has no times", path);
}

static bool stats_add_folder(struct stats *s, const char *path, unsigned depth);

/* Follows no links. */
static bool stats_add_found(struct stats *s, const char *folder, const char *name, unsigned depth)
{
	struct buf path = { 0 };
	struct stat facts;
	bool good = true;

	buf_printf(&path, "%s%s%s", folder, str_ends(str_from(folder), "/") ? "" : "/", name);
	if (*name == '.' || lstat(buf_z(&path), &facts) != 0)
		good = true;
	else if (S_ISDIR(facts.st_mode))
		good = depth >= FOLDER_DEPTH_MOST || stats_add_folder(s, buf_z(&path), depth + 1);
	else if (S_ISREG(facts.st_mode))
		good = stats_add_file(s, buf_z(&path), false);
	buf_fini(&path);
	return good;
}

static bool stats_add_folder(struct stats *s, const char *path, unsigned depth)
{
	struct dirent **names;
	int count = scandir(path, &names, NULL, alphasort);
	bool good = count >= 0 || error_set(&s->err, "cannot read the folder %s: %s", path, strerror(errno));

	for (int i = 0; i < count; i++) {
		good = good && !signals_want_stop() && stats_add_found(s, path, names[i]->d_name, depth);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
	return good;
}

/* --- output --- */

static const struct { const char *member, *label; } figures[TAPE_FIGURES] = {
	[TAPE_FIRST] = { "first_ms", "first content" },
	[TAPE_GAP] = { "gap_ms", "gap" },
	[TAPE_RATE] = { "rate", "tokens a second" },
};
static const struct { const char *member; double share; } shares[] = { { "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 } };

static void write_group(struct json_writer *w, const struct group *g)
{
	json_member_integer(w, "tapes", (int64_t)g->tapes);
	for (size_t i = 0; i < TAPE_FIGURES; i++) {
		json_key(w, figures[i].member);
		json_open_object(w);
		for (size_t n = 0; n < ARRAY_LEN(shares); n++)
			json_member_milliseconds_or_null(w, shares[n].member, tape_times_at(&g->of[i], shares[n].share));
		json_close_object(w);
	}
}

static void write_json(const struct stats *s, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	write_group(&w, &s->all);
	json_member_integer(&w, "skipped", (int64_t)s->skipped);
	json_key(&w, "models");
	json_open_array(&w);
	for (size_t i = 0; i < s->count; i++) {
		json_open_object(&w);
		json_member_string_or_null(&w, "provider", *s->groups[i].provider ? str_from(s->groups[i].provider) : STR_NONE);
		json_member_string_or_null(&w, "model", *s->groups[i].model ? str_from(s->groups[i].model) : STR_NONE);
		write_group(&w, &s->groups[i]);
		json_close_object(&w);
	}
	json_close_array(&w);
	json_close_object(&w);
	buf_add_byte(out, '\n');
}

static void say_figure(struct buf *out, enum tape_figure figure, double number)
{
	if (figure != TAPE_RATE)
		tape_say_ms(out, number);
	else if (isfinite(number))
		buf_printf(out, "%.1f", number);
	else
		buf_add_byte(out, '-');
}

static void write_table(const struct group *g, bool blocks, struct buf *out)
{
	struct buf cell = { 0 };

	buf_printf(out, "  %-17s %10s %10s %10s\n", "", "p50", "p90", "p99");
	for (enum tape_figure i = 0; i < TAPE_FIGURES; i++) {
		buf_printf(out, "  %-17s", figures[i].label);
		for (size_t n = 0; n < ARRAY_LEN(shares); n++) {
			buf_clear(&cell);
			say_figure(&cell, i, tape_times_at(&g->of[i], shares[n].share));
			buf_printf(out, " %10s", buf_z(&cell));
		}
		buf_clear(&cell);
		tape_chart_line(&g->of[i], blocks, &cell);
		buf_printf(out, "%s%s", cell.len ? "  " : "", buf_z(&cell));
		buf_add_byte(out, '\n');
	}
	buf_fini(&cell);
}

static void write_people(const struct stats *s, bool blocks, struct buf *out)
{
	buf_printf(out, "%zu %s", s->all.tapes, s->all.tapes == 1 ? "tape" : "tapes");
	if (s->skipped)
		buf_printf(out, ", %zu other %s skipped", s->skipped, s->skipped == 1 ? "file" : "files");
	buf_add_byte(out, '\n');
	if (s->all.tapes)
		write_table(&s->all, blocks, out);
	for (size_t i = 0; s->count > 1 && i < s->count; i++) {
		const struct group *g = &s->groups[i];

		buf_add_byte(out, '\n');
		output_field(out, str_from(*g->provider ? g->provider : "provider not known"));
		buf_add_byte(out, ' ');
		output_field(out, str_from(*g->model ? g->model : "model not known"));
		buf_printf(out, ", %zu %s\n", g->tapes, g->tapes == 1 ? "tape" : "tapes");
		write_table(g, blocks, out);
	}
}

/* --- charts --- */

#define GAP_ROWS 5

/* The figures of all groups as bars, and the lengths of all gaps. */
struct stats_charts {
	struct chart of[TAPE_FIGURES + 1];
	struct chart_bar *bars;   /* TAPE_FIGURES rows of groups */
	struct buf *names;        /* one a group */
	struct tape_points gaps;
};

static void charts_make(struct stats_charts *charts, const struct stats *s)
{
	static const struct { const char *title; enum chart_unit unit; } heads[TAPE_FIGURES] = {
		[TAPE_FIRST] = { "first content", CHART_MS },
		[TAPE_GAP] = { "gap between pieces of content", CHART_MS },
		[TAPE_RATE] = { "tokens a second", CHART_NUMBER },
	};

	*charts = (struct stats_charts){ .bars = mem_new((s->count + 1) * TAPE_FIGURES * sizeof *charts->bars),
	                                 .names = mem_new((s->count + 1) * sizeof *charts->names) };
	for (size_t i = 0; i < s->count; i++) {
		const struct group *g = &s->groups[i];

		buf_printf(&charts->names[i], "%s%s%s", g->provider, *g->provider ? " " : "", *g->model ? g->model : "model not known");
	}
	for (enum tape_figure figure = 0; figure < TAPE_FIGURES; figure++) {
		struct chart_bar *bars = &charts->bars[figure * s->count];

		for (size_t i = 0; i < s->count; i++) {
			const struct tape_times *times = &s->groups[i].of[figure];

			bars[i] = (struct chart_bar){ buf_str(&charts->names[i]), tape_times_at(times, 0.5), tape_times_at(times, 0.99) };
		}
		charts->of[figure] = (struct chart){ .title = str_from(heads[figure].title), .shape = CHART_BARS, .y_unit = heads[figure].unit,
		                                     .bars = bars, .bar_count = s->count, .inner = "p50", .outer = "p99" };
	}
	charts->of[TAPE_FIGURES] = tape_chart_gaps(&s->all.of[TAPE_GAP], &charts->gaps);
}

static void charts_fini(struct stats_charts *charts, const struct stats *s)
{
	for (size_t i = 0; i < s->count; i++)
		buf_fini(&charts->names[i]);
	mem_free(charts->names);
	mem_free(charts->bars);
	tape_points_fini(&charts->gaps);
}

static int write_document(const struct stats *s, const struct stats_charts *charts)
{
	struct tape_document doc;
	int status;

	if (!tape_document_open(&doc, s->o, &status))
		return status;
	if (s->o->json)
		write_json(s, &doc.text);
	else
		write_people(s, tape_chart_blocks(s->o), &doc.text);
	if (tape_chart_wanted(&doc, s->o)) {
		if (s->count > 1)
			tape_chart_draw(&charts->of[TAPE_FIRST], 0, s->o, &doc.text);
		tape_chart_draw(&charts->of[TAPE_FIGURES], GAP_ROWS, s->o, &doc.text);
	}
	return tape_document_close(&doc);
}

static int write_stats(struct stats *s)
{
	struct stats_charts charts;
	char title[60];
	int status;

	group_sort(&s->all);
	for (size_t i = 0; i < s->count; i++)
		group_sort(&s->groups[i]);
	charts_make(&charts, s);
	snprintf(title, sizeof title, "%zu %s", s->all.tapes, s->all.tapes == 1 ? "tape" : "tapes");
	status = tape_chart_save(charts.of, ARRAY_LEN(charts.of), title, s->o);
	if (status == EXIT_DONE)
		status = write_document(s, &charts);
	charts_fini(&charts, s);
	return status;
}

int tape_stats_run(struct tape_call *call)
{
	struct stats s = { .o = call->o };
	bool good = true;

	signals_open();
	for (size_t i = 0; good && i < call->count; i++) {
		const char *path = call->arguments[i];
		struct stat facts;

		good = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode) ? stats_add_folder(&s, path, 0) : stats_add_file(&s, path, true);
	}
	int status = signals_want_stop() ? EXIT_CANCELLED : good ? write_stats(&s) : usage_error("%s", s.err.text);
	signals_close();
	group_fini(&s.all);
	for (size_t i = 0; i < s.count; i++)
		group_fini(&s.groups[i]);
	mem_free(s.groups);
	return status;
}
