/* The rows of a trace as JSON (trace.h). */
#include "chat/player/trace.h"

#include "base/json_write.h"
#include "base/utf8.h"
#include "wire/event.h"

static void trace_write_place(const struct trace *t, size_t delta, struct json_writer *w)
{
	size_t start = delta_log_start(trace_log(t), delta), length = delta_log_text(trace_log(t), delta);

	if (!length)
		return;
	json_member_integer(w, "part", (int64_t)delta_log_part(trace_log(t), delta));
	json_member_integer(w, "from", (int64_t)start);
	json_member_integer(w, "to", (int64_t)(start + length));
}

void trace_write_delta(const struct trace *t, size_t delta, struct buf *out)
{
	struct delta d = delta_log_at(trace_log(t), delta);
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	event_write_own(&w, &d);
	trace_write_place(t, delta, &w);
	json_close_object(&w);
}

static void trace_write_deltas(const struct trace *t, size_t row, struct json_writer *w)
{
	json_key(w, "became");
	json_open_array(w);
	for (size_t i = trace_first_delta(t, row); i < trace_at(t, row)->deltas_end; i++) {
		struct delta d = delta_log_at(trace_log(t), i);

		if (!event_is_of(&d))
			continue;
		json_open_object(w);
		event_write_members(w, &d);
		trace_write_place(t, i, w);
		json_close_object(w);
	}
	json_close_array(w);
}

static void trace_write_marks(const struct trace_row *row, struct json_writer *w)
{
	json_key(w, "marks");
	json_open_array(w);
	for (unsigned mark = 0; mark < TRACE_MARKS; mark++)
		if (row->marks & 1u << mark)
			json_string(w, str_from(trace_mark_id(mark)));
	json_close_array(w);
}

static void trace_write_bytes(const struct trace *t, size_t row, struct json_writer *w)
{
	struct buf bytes;

	buf_init(&bytes, TAPE_LIMIT);
	trace_bytes(t, row, 0, SIZE_MAX, &bytes);
	if (utf8_is_valid(buf_str(&bytes))) {
		json_member_string(w, "data", buf_str(&bytes));
	} else {
		json_key(w, "b64");
		json_open_string(w);
		json_add_base64(w, buf_str(&bytes));
		json_close_string(w);
	}
	buf_fini(&bytes);
}

void trace_write(const struct trace *t, size_t at, struct buf *out)
{
	const struct trace_row *row = trace_at(t, at);
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_count_or_null(&w, "frame", trace_frame(t, at) ? (int64_t)trace_frame(t, at) : -1);
	if (row->at_ms >= 0) {
		json_member_milliseconds_or_null(&w, "t", row->at_ms);
		json_key(&w, "gap");
		json_milliseconds(&w, at ? row->at_ms - trace_at(t, at - 1)->at_ms : row->at_ms);
	}
	json_member_integer(&w, "offset", (int64_t)row->offset);
	json_member_integer(&w, "length", (int64_t)trace_length(t, at));
	json_member_string(&w, "kind", str_from(trace_kind_name((enum trace_kind)row->kind)));
	trace_write_marks(row, &w);
	trace_write_deltas(t, at, &w);
	trace_write_bytes(t, at, &w);
	json_close_object(&w);
	buf_add_byte(out, '\n');
}
