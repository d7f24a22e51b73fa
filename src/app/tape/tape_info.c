/* `weir tape info`: what a tape holds. */
#include "app/options/options.h"
#include "app/setup/saved_stream.h"
#include "app/tape/tape_chart.h"
#include "net/head.h"
#include "net/tape_lines.h"
#include "chat/conversation/figure.h"

/* --- JSON --- */

static void write_facts(struct json_writer *w, const struct tape_reading *r, const char *path)
{
	const struct tape_info *facts = tape_facts(r->tape);

	json_member_string(w, "file", str_from(path));
	json_member_string(w, "kind", tape_archive(r->tape) ? STR("har") : tape_is_plain(r->tape) ? STR("body") : STR("tape"));
	json_member_string_or_null(w, "protocol", str_from(r->protocol ? r->protocol->name : NULL));
	json_member_string(w, "dialect", r->dialect ? str_from(r->dialect->name) : STR("generic"));
	json_member_string_or_null(w, "provider", facts->provider);
	json_member_string_or_null(w, "model", *r->model ? str_from(r->model) : STR_NONE);
	json_member_string_or_null(w, "url", facts->url);
	json_member_string_or_null(w, "started", facts->started);
}

static void write_deltas(struct json_writer *w, const struct tape_reading *r)
{
	json_key(w, "deltas");
	json_open_object(w);
	for (unsigned kind = 0; kind < DELTA_KIND_COUNT; kind++)
		if (r->deltas[kind])
			json_member_integer(w, delta_kind_name((enum delta_kind)kind), (int64_t)r->deltas[kind]);
	json_close_object(w);
}

static void write_connection(struct json_writer *w, const struct response_head *head)
{
	json_member_string_or_null(w, "http", head->http);
	if (head->is_timed)
		tape_line_add_timings(w, head);
	else
		json_member_verbatim(w, "timings", STR("null"));
}

/* Runs of tools behind the end, or messages of MCP servers. */
static size_t count_behind(const struct tape *tape, bool runs)
{
	size_t count = 0;

	for (size_t i = 0; i < tape_behind(tape); i++) {
		struct tape_step step = tape_at(tape, tape_length(tape) + i);

		count += runs ? step.kind == TAPE_RUN && step.run->kind == TAPE_RUN_BEGUN : step.kind != TAPE_RUN;
	}
	return count;
}

static void write_json(const struct tape_reading *r, const char *path, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	write_facts(&w, r, path);
	json_member_count_or_null(&w, "status", r->status ? r->status : -1);
	write_connection(&w, &r->head);
	json_member_integer(&w, "reads", (int64_t)r->reads);
	json_member_integer(&w, "frames", (int64_t)r->frames);
	json_member_integer(&w, "bytes", (int64_t)r->bytes);
	write_deltas(&w, r);
	tape_write_times(&w, r);
	json_member_string(&w, "outcome", str_from(outcome_name(summary_outcome(r->summary))));
	json_member_string_or_null(&w, "finish_reason", summary_finish(r->summary));
	json_member_integer(&w, "runs", (int64_t)count_behind(r->tape, true));
	json_member_integer(&w, "mcp_messages", (int64_t)count_behind(r->tape, false));
	json_close_object(&w);
	buf_add_byte(out, '\n');
}

/* --- for people --- */

#define LABEL "%-10s"

static void add_row(struct buf *out, const char *label, struct str value)
{
	if (!value.len)
		return;
	buf_printf(out, LABEL, label);
	output_field(out, value);
	buf_add_byte(out, '\n');
}

static void add_what(struct buf *out, const struct tape_reading *r)
{
	const struct tape_info *facts = tape_facts(r->tape);
	const struct tape_archive *archive = tape_archive(r->tape);

	buf_printf(out, LABEL "%s", "what", tape_is_plain(r->tape) ? "a body without times" : "a tape");
	if (archive)
		buf_printf(out, " in a HAR, entry %zu of %zu", archive->entry, archive->entries);
	buf_printf(out, ", %s, dialect %s\n", r->protocol ? r->protocol->name : "no protocol detected", r->dialect ? r->dialect->name : "generic");
	add_row(out, "started", facts->started);
	add_row(out, "provider", facts->provider);
	add_row(out, "model", str_from(r->model));
	add_row(out, "url", facts->url);
}

static void add_sizes(struct buf *out, const struct tape_reading *r)
{
	char frames[FIGURE_SIZE], reads[FIGURE_SIZE], bytes[FIGURE_SIZE];
	struct buf connection = { 0 };

	if (r->status)
		buf_printf(out, LABEL "%d\n", "status", r->status);
	head_write_timings(&r->head, &connection);
	add_row(out, "network", buf_str(&connection));
	buf_fini(&connection);
	buf_printf(out, LABEL "%s in %s", "body", figure_bytes(bytes, r->bytes), figure_of(frames, (int64_t)r->frames, "frame"));
	if (!tape_is_plain(r->tape))
		buf_printf(out, ", %s", figure_of(reads, (int64_t)r->reads, "read"));
	buf_add_byte(out, '\n');
}

static void add_deltas(struct buf *out, const struct tape_reading *r)
{
	char count[FIGURE_SIZE];
	const char *between = "";

	buf_printf(out, LABEL, "deltas");
	for (unsigned kind = 0; kind < DELTA_KIND_COUNT; kind++)
		if (r->deltas[kind]) {
			buf_printf(out, "%s%s %s", between, delta_kind_name((enum delta_kind)kind), figure_count(count, (int64_t)r->deltas[kind]));
			between = ", ";
		}
	buf_add_byte(out, '\n');
}

static void add_times(struct buf *out, const struct tape_reading *r)
{
	double rate = tape_reading_rate(r);

	if (tape_is_plain(r->tape))
		return;
	buf_printf(out, LABEL, "time");
	if (r->meter.begun) {
		buf_add_z(out, "first content after ");
		tape_say_ms(out, r->meter.first_ms);
		buf_add_z(out, ", ");
	}
	buf_add_z(out, "ended after ");
	tape_say_ms(out, r->total_ms);
	if (rate > 0)
		buf_printf(out, ", %s%.1f tokens a second", r->usage.of[USAGE_COMPLETION].number ? "" : "~", rate);
	buf_add_byte(out, '\n');
}

static void add_end(struct buf *out, const struct tape_reading *r)
{
	struct str finish = summary_finish(r->summary);

	buf_printf(out, LABEL "%s", "outcome", outcome_name(summary_outcome(r->summary)));
	if (finish.len) {
		buf_add_z(out, " (");
		output_field(out, finish);
		buf_add_byte(out, ')');
	}
	buf_add_byte(out, '\n');
}

static void add_runs(struct buf *out, const struct tape *tape)
{
	size_t runs = count_behind(tape, true), messages = count_behind(tape, false);

	if (!tape_behind(tape))
		return;
	buf_printf(out, LABEL "%zu", "runs", runs);
	if (messages)
		buf_printf(out, ", %zu message%s of MCP servers", messages, messages == 1 ? "" : "s");
	buf_add_byte(out, '\n');
}

static void write_lines(const struct tape_reading *r, struct buf *out)
{
	add_what(out, r);
	add_sizes(out, r);
	add_deltas(out, r);
	add_times(out, r);
	add_end(out, r);
	add_runs(out, r->tape);
}

#define RATE_ROWS 6
#define GAP_ROWS 4

static int write_info(const struct tape_reading *r, const struct tape_call *call, const struct chart charts[2])
{
	struct tape_document doc;
	int status = tape_chart_save(charts, 2, call->arguments[0], call->o);

	if (status != EXIT_DONE || !tape_document_open(&doc, call->o, &status))
		return status;
	if (call->o->json)
		write_json(r, call->arguments[0], &doc.text);
	else
		write_lines(r, &doc.text);
	if (tape_chart_wanted(&doc, call->o)) {
		tape_chart_draw(&charts[0], RATE_ROWS, call->o, &doc.text);
		tape_chart_draw(&charts[1], GAP_ROWS, call->o, &doc.text);
	}
	return tape_document_close(&doc);
}

int tape_info_run(struct tape_call *call)
{
	struct tape_points rate = { 0 }, gaps = { 0 };
	struct tape_reading r;
	struct tape *tape;
	struct error err;

	if (!saved_any_open(&tape, call->o, call->arguments[0], &err))
		return usage_error("%s", err.text);
	if (saved_is_session(tape)) {
		int told = tape_info_session(tape, call);

		tape_free(tape);
		return told;
	}
	saved_stream_tell_others(tape, call->o, call->arguments[0]);
	if (!tape_read_open(&r, call->o, tape, NULL, NULL, &err))
		return usage_error("%s", err.text);
	tape_times_sort(&r.gaps);
	int status = write_info(&r, call, (const struct chart[]){ tape_chart_rate(&r, &rate), tape_chart_gaps(&r.gaps, &gaps) });
	tape_points_fini(&rate);
	tape_points_fini(&gaps);
	tape_reading_fini(&r);
	return status;
}
