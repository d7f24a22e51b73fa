/* Decodes a tape and counts what it holds. */
#include "app/options/options.h"
#include "app/tape/tape_inside.h"

#include <math.h>
#include <stdlib.h>

#include "app/setup/saved_stream.h"
#include "base/mem.h"
#include "chat/conversation/figure.h"

/* --- times --- */

void tape_times_add(struct tape_times *times, double ms)
{
	mem_reserve(&times->at, &times->capacity, times->count + 1, sizeof *times->at);
	times->at[times->count++] = ms;
}

static int times_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void tape_times_sort(struct tape_times *times)
{
	if (times->count)
		qsort(times->at, times->count, sizeof *times->at, times_compare);
}

double tape_times_at(const struct tape_times *sorted, double share)
{
	double rank = ceil(share * (double)sorted->count);

	return sorted->count ? sorted->at[rank < 1 ? 0 : (size_t)rank - 1] : NAN;
}

/* --- deltas --- */

struct tape_counting {
	struct tape_reading *r;
	delta_sink *also;
	void *ctx;
};

static bool is_content(const struct delta *delta)
{
	return delta->text.len && (delta->kind == DELTA_TEXT || delta->kind == DELTA_REASONING || delta->kind == DELTA_REFUSAL ||
	                           delta->kind == DELTA_TOOL_ARGUMENTS);
}

static void tape_count_delta(void *counting, const struct delta *delta)
{
	struct tape_counting *c = counting;
	struct tape_reading *r = c->r;

	r->deltas[delta->kind]++;
	if (is_content(delta) && delta->at_ms >= 0 && r->meter.begun && delta->at_ms > r->meter.last_ms)
		tape_times_add(&r->gaps, delta->at_ms - r->meter.last_ms);
	meter_delta(&r->meter, delta);
	if (is_content(delta) && delta->at_ms >= 0) {
		mem_reserve(&r->course.at, &r->course.capacity, r->course.count + 1, sizeof *r->course.at);
		r->course.at[r->course.count++] = (struct tape_moment){ delta->at_ms, (double)meter_tokens(&r->meter) };
	}
	summary_delta(r->summary, delta);
	if (delta->kind == DELTA_USAGE)
		r->usage = delta->usage;
	if ((delta->kind == DELTA_BEGIN || delta->kind == DELTA_META) && delta->meta.model.len)
		str_replace(&r->model, delta->meta.model);
	if (c->also)
		c->also(c->ctx, delta);
}

/* --- reads --- */

struct str tape_whole_body(const struct tape *tape, struct buf *bytes)
{
	if (tape_is_plain(tape))
		return tape_plain_body(tape);
	buf_clear(bytes);
	for (size_t i = 0; i < tape_length(tape); i++)
		buf_add(bytes, tape_at(tape, i).bytes);
	return buf_str(bytes);
}

static void tape_count_reads(struct tape_reading *r)
{
	for (size_t i = 0; i < tape_length(r->tape); i++) {
		struct tape_step step = tape_at(r->tape, i);

		r->reads += step.kind == TAPE_BODY;
		r->bytes += step.bytes.len;
		if (step.kind == TAPE_HEAD) {
			r->status = step.head.status;
			r->head = step.head;
		}
		r->total_ms = step.at_ms;
	}
}

bool tape_read_open(struct tape_reading *r, const struct options *o, struct tape *tape, delta_sink *also, void *ctx, struct error *err)
{
	struct tape_counting counting = { .r = r, .also = also, .ctx = ctx };
	struct stream_options options;
	struct stream *stream;

	*r = (struct tape_reading){ .tape = tape };
	if (!saved_stream_choose(o, r->tape, &options, err)) {
		tape_reading_fini(r);
		return false;
	}
	r->summary = summary_new();
	r->model = str_dup(tape_facts(r->tape)->model);
	r->dialect = options.dialect;
	tape_count_reads(r);
	stream = stream_new(&options, tape_count_delta, &counting);
	(void)tape_feed(r->tape, stream, o->status, NULL, NULL);
	r->protocol = stream_protocol(stream);
	r->frames = stream_frames(stream);
	stream_free(stream);
	return true;
}

bool tape_read(struct tape_reading *r, const struct options *o, const char *path, delta_sink *also, void *ctx, struct error *err)
{
	struct tape *tape;

	*r = (struct tape_reading){ 0 };
	if (!saved_stream_open(&tape, o, path, err))
		return false;
	saved_stream_tell_others(tape, o, path);
	return tape_read_open(r, o, tape, also, ctx, err);
}

void tape_reading_fini(struct tape_reading *r)
{
	summary_free(r->summary);
	tape_free(r->tape);
	mem_free(r->model);
	mem_free(r->gaps.at);
	mem_free(r->course.at);
	*r = (struct tape_reading){ 0 };
}

double tape_reading_rate(const struct tape_reading *r)
{
	return meter_rate(&r->meter, r->deltas[DELTA_USAGE] ? &r->usage : NULL);
}

void tape_say_ms(struct buf *out, double ms)
{
	char seconds[FIGURE_SIZE];

	if (!isfinite(ms) || ms < 0)
		buf_add_byte(out, '-');
	else if (ms < 1000)
		buf_printf(out, ms < 10 ? "%.1f ms" : "%.0f ms", ms);
	else
		buf_add_z(out, figure_seconds(seconds, ms));
}

void tape_write_times(struct json_writer *w, const struct tape_reading *r)
{
	bool timed = !tape_is_plain(r->tape);

	json_member_milliseconds_or_null(w, "first_ms", timed && r->meter.begun ? r->meter.first_ms : -1);
	json_member_milliseconds_or_null(w, "total_ms", timed ? r->total_ms : -1);
	json_member_milliseconds_or_null(w, "rate", tape_reading_rate(r));
}
