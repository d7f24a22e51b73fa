/* `weir tape diff`: two tapes by their deltas, and their times side by side. */
#include "app/options/options.h"
#include "app/tape/tape_chart.h"

#include <math.h>
#include <string.h>

#include "base/json_scan.h"
#include "base/mem.h"
#include "wire/event.h"

/* --- what is compared --- */

/*
 * The deltas of a tape as lines of JSON without times. Text of one part is one line, however it was cut into pieces, and a call is one
 * line with its arguments.
 */
struct delta_lines {
	struct buf text;
	size_t *ends;            /* of each line in `text` */
	size_t count, capacity;
	struct delta open;       /* the text being collected, if `open.text.len`; its text is `collected` */
	struct buf collected;
	const struct options *o; /* for --ignore */
};

/* `names` is a list separated by commas and blanks. */
static bool name_is_among(struct str names, struct str wanted)
{
	struct str name;

	while (str_split(&names, ',', &name))
		if (str_equal(str_trim(name), wanted))
			return true;
	return false;
}

static bool is_ignored(const struct options *o, struct str wanted)
{
	for (size_t i = 0; i < o->ignored_count; i++)
		if (name_is_among(str_from(o->ignored[i]), wanted))
			return true;
	return false;
}

/* Removes ignored members from the line that begins at `begin`, or the line itself if its type is ignored: then it returns false. */
static bool lines_reduce(struct delta_lines *l, size_t begin)
{
	struct str line = str_of(l->text.ptr + begin, l->text.len - begin), key, value;
	struct json_spans spans = json_spans_of(str_trim(line));
	struct buf kept = { 0 };
	bool whole = true;

	while (whole && json_spans_next(&spans, &key, &value)) {
		whole = !str_is(key, "type") || !is_ignored(l->o, str_of(value.ptr + 1, value.len - 2));
		if (!is_ignored(l->o, key) || str_is(key, "type"))
			buf_printf(&kept, "%c\"%.*s\":%.*s", kept.len ? ',' : '{', STR_ARG(key), STR_ARG(value));
	}
	l->text.len = begin;
	if (whole)
		buf_printf(&l->text, "%s}\n", buf_z(&kept));
	buf_fini(&kept);
	return whole;
}

static void lines_end(struct delta_lines *l)
{
	if (l->o->ignored_count && !lines_reduce(l, l->count ? l->ends[l->count - 1] : 0))
		return;
	mem_reserve(&l->ends, &l->capacity, l->count + 1, sizeof *l->ends);
	l->ends[l->count++] = l->text.len;
}

static struct str lines_at(const struct delta_lines *l, size_t index)
{
	size_t begin = index ? l->ends[index - 1] : 0;

	return str_trim(str_of(l->text.ptr + begin, l->ends[index] - begin));
}

static void lines_close_text(struct delta_lines *l)
{
	if (!l->collected.len)
		return;
	l->open.text = buf_str(&l->collected);
	event_write(&l->open, &l->text);
	lines_end(l);
	buf_clear(&l->collected);
}

static void lines_add_call(struct delta_lines *l, const struct delta *d)
{
	struct json_writer w;

	json_writer_init(&w, &l->text);
	json_open_object(&w);
	json_member_string(&w, "type", STR("tool"));
	json_member_integer(&w, "index", d->tool.index);
	json_member_string_or_null(&w, "id", d->tool.id);
	json_member_string(&w, "name", d->tool.name);
	json_member_string(&w, "arguments", d->text);
	json_member_boolean(&w, "valid", d->tool.valid);
	json_close_object(&w);
	lines_end(l);
}

static void lines_take_delta(void *lines, const struct delta *delta)
{
	struct delta_lines *l = lines;
	bool text = delta->kind == DELTA_TEXT || delta->kind == DELTA_REASONING || delta->kind == DELTA_REFUSAL;
	struct delta untimed = *delta;

	if (delta->kind == DELTA_TOOL_ARGUMENTS)
		return;
	if (!text || delta->kind != l->open.kind || delta->part != l->open.part)
		lines_close_text(l);
	untimed.at_ms = -1;
	if (text) {
		l->open = untimed;
		buf_add(&l->collected, delta->text);
	} else if (delta->kind == DELTA_TOOL_END) {
		lines_add_call(l, delta);
	} else if (delta->kind != DELTA_TOOL_BEGIN && delta->kind != DELTA_TOOL_NAME) {
		event_write(&untimed, &l->text);
		lines_end(l);
	}
}

static void lines_fini(struct delta_lines *l)
{
	buf_fini(&l->text);
	buf_fini(&l->collected);
	mem_free(l->ends);
}

/* --- what may be ignored --- */

/* Appends the members that deltas have, each once. */
static void names_of_members(struct buf *names)
{
	struct delta_lines all = { .o = &(const struct options){ .ignored_count = 0 } };
	struct str lines, line, key, value;

	for (unsigned kind = 0; kind < DELTA_KIND_COUNT; kind++)
		event_write(&(struct delta){ .kind = (enum delta_kind)kind, .at_ms = -1 }, &all.text);
	lines_add_call(&all, &(struct delta){ .kind = DELTA_TOOL_END });
	lines = buf_str(&all.text);
	while (str_split(&lines, '\n', &line)) {
		struct json_spans spans = json_spans_of(line);

		while (json_spans_next(&spans, &key, &value))
			if (!str_is(key, "type") && !name_is_among(buf_str(names), key))
				buf_printf(names, "%s%.*s", names->len ? ", " : "", STR_ARG(key));
	}
	lines_fini(&all);
}

static bool ignored_are_known(const struct options *o, struct error *err)
{
	struct buf deltas = { 0 }, members = { 0 };
	struct str name;
	bool good = true;

	buf_add_z(&deltas, "tool");
	for (unsigned kind = 0; kind < DELTA_KIND_COUNT; kind++)
		buf_printf(&deltas, ", %s", delta_kind_name((enum delta_kind)kind));
	names_of_members(&members);
	for (size_t i = 0; good && i < o->ignored_count; i++) {
		struct str rest = str_from(o->ignored[i]);

		while (good && str_split(&rest, ',', &name))
			good = name_is_among(buf_str(&deltas), str_trim(name)) || name_is_among(buf_str(&members), str_trim(name));
	}
	if (!good)
		error_set(err, "--ignore takes names of deltas (%s) and of their members (%s), not '%.*s'", buf_z(&deltas), buf_z(&members),
		          STR_ARG(name));
	buf_fini(&deltas);
	buf_fini(&members);
	return good;
}

/* --- differences --- */

/* A line of either tape that the other one lacks, in order. */
struct difference { bool second; size_t line; };
struct differences { struct difference *at; size_t count, capacity; };

#define TABLE_MOST ((size_t)4 << 20) /* cells; beyond, the lines from the first difference to the last are told whole */

static void differ(struct differences *d, bool second, size_t line)
{
	mem_reserve(&d->at, &d->capacity, d->count + 1, sizeof *d->at);
	d->at[d->count++] = (struct difference){ second, line };
}

/* The lines in between, from `begin`, `count[]` of them, by their longest common subsequence. */
static void compare_between(struct differences *d, const struct delta_lines *a, const struct delta_lines *b, size_t begin, const size_t count[2])
{
	size_t width = count[1] + 1, i = 0, j = 0;
	bool fits = count[0] < TABLE_MOST / width;
	unsigned *common = fits ? mem_new((count[0] + 1) * width * sizeof *common) : NULL; /* [i][j]: of the lines from i and j on */

	for (size_t x = count[0]; fits && x-- > 0;)
		for (size_t y = count[1]; y-- > 0;) {
			unsigned *cell = &common[x * width + y];

			if (str_equal(lines_at(a, begin + x), lines_at(b, begin + y)))
				*cell = cell[width + 1] + 1;
			else
				*cell = cell[width] > cell[1] ? cell[width] : cell[1];
		}
	while (i < count[0] || j < count[1]) {
		if (fits && i < count[0] && j < count[1] && str_equal(lines_at(a, begin + i), lines_at(b, begin + j)))
			i++, j++;
		else if (j == count[1] || (i < count[0] && (!fits || common[(i + 1) * width + j] >= common[i * width + j + 1])))
			differ(d, false, begin + i++);
		else
			differ(d, true, begin + j++);
	}
	mem_free(common);
}

static void compare(struct differences *d, const struct delta_lines *a, const struct delta_lines *b)
{
	size_t begin = 0, end = 0, least = a->count < b->count ? a->count : b->count;

	while (begin < least && str_equal(lines_at(a, begin), lines_at(b, begin)))
		begin++;
	while (end < least - begin && str_equal(lines_at(a, a->count - 1 - end), lines_at(b, b->count - 1 - end)))
		end++;
	compare_between(d, a, b, begin, (const size_t[]){ a->count - begin - end, b->count - begin - end });
}

/* --- output --- */

#define SHOWN_BYTES ((size_t)400) /* of a line that people read */

struct diff {
	struct tape_reading reading[2];
	struct delta_lines lines[2];
	struct differences differences;
};

static void write_json(struct diff *d, char **paths, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_boolean(&w, "same", !d->differences.count);
	for (int i = 0; i < 2; i++) {
		json_key(&w, i ? "b" : "a");
		json_open_object(&w);
		json_member_string(&w, "file", str_from(paths[i]));
		tape_write_times(&w, &d->reading[i]);
		json_member_milliseconds_or_null(&w, "gap_p50_ms", tape_times_at(&d->reading[i].gaps, 0.5));
		json_member_milliseconds_or_null(&w, "gap_p99_ms", tape_times_at(&d->reading[i].gaps, 0.99));
		json_close_object(&w);
	}
	json_key(&w, "differences");
	json_open_array(&w);
	for (size_t i = 0; i < d->differences.count; i++) {
		struct difference difference = d->differences.at[i];

		json_open_object(&w);
		json_member_verbatim(&w, difference.second ? "b" : "a", lines_at(&d->lines[difference.second], difference.line));
		json_close_object(&w);
	}
	json_close_array(&w);
	json_close_object(&w);
	buf_add_byte(out, '\n');
}

/* The first byte in which two lines differ. */
static size_t common_bytes(struct str a, struct str b)
{
	size_t at = 0;

	while (at < a.len && at < b.len && a.ptr[at] == b.ptr[at])
		at++;
	return at;
}

/* A long line is shown around the place where it differs from the line of the other tape that stands beside it in the list. */
static void add_line(const struct diff *d, size_t index, struct buf *out)
{
	struct difference own = d->differences.at[index];
	struct str line = lines_at(&d->lines[own.second], own.line);
	size_t beside = own.second ? index - 1 : index + 1, skip = 0;

	if (line.len > SHOWN_BYTES && beside < d->differences.count && d->differences.at[beside].second != own.second)
		skip = common_bytes(line, lines_at(&d->lines[!own.second], d->differences.at[beside].line));
	skip = skip > SHOWN_BYTES / 2 ? skip - SHOWN_BYTES / 2 : 0;
	while (skip && skip < line.len && (line.ptr[skip] & 0xC0) == 0x80)
		skip--;
	buf_printf(out, "%c %s", own.second ? '+' : '-', skip ? "..." : "");
	output_field(out, str_head(str_skip(line, skip), SHOWN_BYTES));
	buf_add_z(out, line.len - skip > SHOWN_BYTES ? "...\n" : "\n");
}

static void add_time(const char *label, double a, double b, struct buf *out)
{
	struct buf cell = { 0 };

	tape_say_ms(&cell, a);
	buf_printf(out, "  %-22s %-12s ", label, buf_z(&cell));
	buf_clear(&cell);
	tape_say_ms(&cell, b);
	buf_printf(out, "%s\n", buf_z(&cell));
	buf_fini(&cell);
}

static double first_of(const struct tape_reading *r)
{
	return r->meter.begun ? r->meter.first_ms : NAN;
}

static void write_lines(const struct diff *d, char **paths, struct buf *out)
{
	const struct tape_reading *a = &d->reading[0], *b = &d->reading[1];

	buf_printf(out, "- %s\n+ %s\n", paths[0], paths[1]);
	for (size_t i = 0; i < d->differences.count; i++)
		add_line(d, i, out);
	if (!d->differences.count)
		buf_add_z(out, "the same deltas\n");
	if (tape_is_plain(a->tape) || tape_is_plain(b->tape))
		return;
	buf_printf(out, "\n  %-22s %-12s %s\n", "", "-", "+");
	add_time("first content", first_of(a), first_of(b), out);
	add_time("end", a->total_ms, b->total_ms, out);
	add_time("gap, median", tape_times_at(&a->gaps, 0.5), tape_times_at(&b->gaps, 0.5), out);
	add_time("gap, 99 %", tape_times_at(&a->gaps, 0.99), tape_times_at(&b->gaps, 0.99), out);
}

#define TEXT_ROWS 8

/* The last component of a path, unless those of both are the same. */
static struct str name_of(char **paths, int which)
{
	const char *ends[2];

	for (int i = 0; i < 2; i++) {
		const char *slash = strrchr(paths[i], '/');

		ends[i] = slash && slash[1] ? slash + 1 : paths[i];
	}
	return str_from(strcmp(ends[0], ends[1]) ? ends[which] : paths[which]);
}

/* The text of both over time. */
static struct chart chart_both(const struct diff *d, char **paths, struct tape_points points[2])
{
	struct chart both = tape_chart_text(&d->reading[0], &points[0]), second = tape_chart_text(&d->reading[1], &points[1]);

	both.series[0].name = name_of(paths, 0);
	both.series[1] = second.series[0];
	both.series[1].name = name_of(paths, 1);
	both.series_count = 2;
	return both;
}

static int write_diff(struct diff *d, const struct tape_call *call)
{
	struct tape_points points[2] = { { 0 }, { 0 } };
	struct chart chart = chart_both(d, call->arguments, points);
	struct tape_document doc;
	int status = tape_chart_save(&chart, 1, "two tapes over each other", call->o);

	if (status == EXIT_DONE && tape_document_open(&doc, call->o, &status)) {
		if (call->o->json)
			write_json(d, call->arguments, &doc.text);
		else
			write_lines(d, call->arguments, &doc.text);
		if (tape_chart_wanted(&doc, call->o))
			tape_chart_draw(&chart, TEXT_ROWS, call->o, &doc.text);
		status = tape_document_close(&doc);
	}
	tape_points_fini(&points[0]);
	tape_points_fini(&points[1]);
	return status == EXIT_DONE && d->differences.count ? EXIT_LOCAL : status;
}

int tape_diff_run(struct tape_call *call)
{
	struct diff d = { .lines = { { .o = call->o }, { .o = call->o } } };
	struct error err;
	bool good = ignored_are_known(call->o, &err);
	int status;

	for (int i = 0; good && i < 2; i++) {
		good = tape_read(&d.reading[i], call->o, call->arguments[i], lines_take_delta, &d.lines[i], &err);
		lines_close_text(&d.lines[i]);
		tape_times_sort(&d.reading[i].gaps);
	}
	if (good)
		compare(&d.differences, &d.lines[0], &d.lines[1]);
	status = good ? write_diff(&d, call) : usage_error("%s", err.text);
	for (int i = 0; i < 2; i++) {
		tape_reading_fini(&d.reading[i]);
		lines_fini(&d.lines[i]);
	}
	mem_free(d.differences.at);
	return status;
}
