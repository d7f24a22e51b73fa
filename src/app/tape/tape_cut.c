/* `weir tape cut` and `join`: a part of a tape, and several tapes as one. */
#include "app/options/options.h"
#include "app/tape/tape_inside.h"

#include <math.h>

#include "app/setup/saved_stream.h"
#include "base/mem.h"
#include "net/tape_lines.h"
#include "net/tape_pieces.h"

/* --- cut --- */

/* Finds the bytes of a body whose pieces are complete within a range of time. */
struct cut { size_t begin, end; };

/* Whether the read that completes a piece lies in the range. Pieces are found in order, so the reads are walked once. */
struct reads { const struct tape *tape; size_t at, bytes; }; /* `bytes`: of all reads up to `at` inclusive */

static double time_of_byte(struct reads *reads, size_t offset)
{
	size_t last = tape_length(reads->tape) - 1;

	while (reads->bytes <= offset && reads->at < last)
		reads->bytes += tape_at(reads->tape, ++reads->at).bytes.len;
	return tape_at(reads->tape, reads->at).at_ms;
}

static struct cut find_cut(const struct tape *tape, double from_ms, double to_ms)
{
	struct reads reads = { tape, 0, tape_at(tape, 0).bytes.len };
	struct cut cut = { 0 };
	struct buf bytes;
	struct tape_pieces pieces;
	struct str piece;
	size_t end = 0;
	bool found = false;

	buf_init(&bytes, TAPE_LIMIT);
	pieces = tape_pieces_of(tape_whole_body(tape, &bytes));
	while (tape_pieces_next(&pieces, &piece)) {
		double at_ms = time_of_byte(&reads, end + piece.len - 1);

		if (at_ms >= from_ms && at_ms <= to_ms) {
			cut.begin = found ? cut.begin : end;
			cut.end = end + piece.len;
			found = true;
		}
		end += piece.len;
	}
	buf_fini(&bytes);
	return cut;
}

static struct tape_step step_behind(const struct tape *tape, size_t index)
{
	return tape_at(tape, tape_length(tape) + index);
}

/* Whether something behind the end lies in the range: then the end stands before it. */
static bool keeps_behind(const struct tape *tape, double from_ms, double to_ms)
{
	for (size_t i = 0; i < tape_behind(tape); i++)
		if (step_behind(tape, i).at_ms >= from_ms && step_behind(tape, i).at_ms <= to_ms)
			return true;
	return false;
}

/* With it the beginnings of runs, which say what the others are of. */
static void write_cut_behind(const struct tape *tape, double from_ms, double to_ms, struct tape_document *doc)
{
	bool keeps = keeps_behind(tape, from_ms, to_ms);

	for (size_t i = 0; keeps && i < tape_behind(tape); i++) {
		struct tape_step step = step_behind(tape, i);
		bool begins = step.kind == TAPE_RUN && step.run->kind == TAPE_RUN_BEGUN;

		if (step.at_ms <= to_ms && (begins || step.at_ms >= from_ms))
			tape_line_behind(&doc->text, &step);
		tape_document_add(doc);
	}
}

/* Writes the first line, the head, the pieces, and the end if it lies in the range; a tape without an end counts as cut. */
static void write_cut(const struct tape *tape, double from_ms, double to_ms, struct tape_document *doc)
{
	struct cut cut = find_cut(tape, from_ms, to_ms);
	size_t at = 0;

	tape_line_facts(&doc->text, tape_facts(tape));
	for (size_t i = 0; i < tape_length(tape); i++) {
		struct tape_step step = tape_at(tape, i);
		size_t begin = cut.begin > at ? cut.begin - at : 0, end = cut.end > at ? cut.end - at : 0;
		struct str kept = str_skip(str_head(step.bytes, end), begin);

		at += step.bytes.len;
		if (step.kind == TAPE_HEAD)
			tape_line_head(&doc->text, &step.head, step.at_ms);
		else if (step.kind == TAPE_BODY && kept.len)
			tape_line_body(&doc->text, kept, step.at_ms);
		else if (step.kind == TAPE_END && ((step.at_ms >= from_ms && step.at_ms <= to_ms) || keeps_behind(tape, from_ms, to_ms)))
			tape_line_end(&doc->text, step.how, step.at_ms);
		tape_document_add(doc);
	}
	write_cut_behind(tape, from_ms, to_ms, doc);
}

/* Milliseconds of an option; false if it is none. Without the option `*ms` is unchanged. */
static bool read_ms(const char *text, double *ms)
{
	long long millionths;

	if (text && !str_to_millionths(str_from(text), &millionths))
		return false;
	*ms = text ? (double)millionths / 1e6 : *ms;
	return true;
}

int tape_cut_run(struct tape_call *call)
{
	double from_ms = 0, to_ms = INFINITY;
	struct tape_document doc;
	struct tape *tape = NULL;
	struct error err;
	int status;

	if (!read_ms(call->o->from, &from_ms) || !read_ms(call->o->to, &to_ms))
		return usage_error("--from and --to take milliseconds since the request was sent, as weir decode --events prints them");
	if (!call->o->from && !call->o->to)
		return usage_error("tape cut needs --from MS, --to MS or both");
	if (from_ms > to_ms)
		return usage_error("--from %s is later than --to %s", call->o->from, call->o->to);
	if (!saved_stream_open(&tape, call->o, call->arguments[0], &err))
		return usage_error("%s", err.text);
	saved_stream_tell_others(tape, call->o, call->arguments[0]);
	if (tape_is_plain(tape)) {
		status = usage_error("%s is a plain body: it has no times to cut by", call->arguments[0]);
	} else if (tape_document_open(&doc, call->o, &status)) {
		write_cut(tape, from_ms, to_ms, &doc);
		status = tape_document_close(&doc);
	}
	tape_free(tape);
	return status;
}

/* --- join --- */

struct joined {
	const struct options *o;
	struct tape_document doc;
	bool plain;     /* all files so far are plain bodies */
	double end_ms;  /* of the files so far */
	size_t steps;
	enum end_how how;
	char *protocol; /* of the tapes so far; NULL: not known */
	struct buf behind; /* lines behind their ends */
	uint32_t runs;  /* the highest number of a run so far */
};

/* Bodies of two protocols one behind the other are no stream of either. */
static bool joins(struct joined *j, const struct tape *tape, const char *path, struct error *err)
{
	struct str protocol = tape_facts(tape)->protocol;

	if (j->plain && !tape_is_plain(tape))
		return error_set(err, "%s is a tape, the files before it are plain bodies: make tapes of them first (weir tape convert --to tape)",
		                 path);
	if (!protocol.len)
		return true;
	if (j->protocol && !str_is(protocol, j->protocol))
		return error_set(err, "%s is a tape of %.*s, those before it are of %s: they cannot be joined", path, STR_ARG(protocol), j->protocol);
	str_replace(&j->protocol, protocol);
	return true;
}

/* What stands behind the ends of all goes behind the last one. Runs are counted on. */
static void join_behind(struct joined *j, const struct tape *tape, double later_ms)
{
	uint32_t before = j->runs;

	for (size_t i = 0; i < tape_behind(tape); i++) {
		struct tape_step step = step_behind(tape, i);
		struct tape_run run = *step.run;

		step.at_ms += later_ms;
		j->end_ms = step.at_ms;
		run.number += step.kind == TAPE_RUN ? before : 0;
		step.run = &run;
		if (run.number > TAPE_RUNS_MOST)
			continue;
		j->runs = run.number > j->runs ? run.number : j->runs;
		tape_line_behind(&j->behind, &step);
	}
}

/* The first file gives the first line and the head; the others their bodies, at the times behind its end. */
static void join_tape(struct joined *j, const struct tape *tape, bool first)
{
	struct buf *out = &j->doc.text;
	double later_ms = j->end_ms;

	if (first && !j->plain)
		tape_line_facts(out, tape_facts(tape));
	for (size_t i = 0; i < tape_length(tape); i++) {
		struct tape_step step = tape_at(tape, i);

		if (step.kind == TAPE_HEAD && first)
			tape_line_head(out, &step.head, step.at_ms);
		else if (step.kind == TAPE_BODY && j->plain)
			buf_add(out, step.bytes);
		else if (step.kind == TAPE_BODY)
			tape_line_body(out, step.bytes, step.at_ms + later_ms);
		else if (step.kind == TAPE_END)
			j->how = step.how;
		j->end_ms = step.at_ms + later_ms;
		tape_document_add(&j->doc);
	}
	join_behind(j, tape, later_ms);
}

static bool join_file(struct joined *j, const char *path, bool first, struct error *err)
{
	struct tape *tape = NULL;

	if (!saved_stream_open(&tape, j->o, path, err))
		return false;
	j->plain = first ? tape_is_plain(tape) : j->plain;
	j->steps += tape_length(tape) + tape_behind(tape);
	bool good = joins(j, tape, path, err) &&
	            (j->steps < TAPE_STEPS_LIMIT || error_set(err, "with %s the files have more reads than a tape may have", path));
	if (good)
		join_tape(j, tape, first);
	tape_free(tape);
	return good;
}

int tape_join_run(struct tape_call *call)
{
	struct joined j = { .o = call->o };
	struct error err;
	bool good = true;
	int status;

	if (!tape_document_open(&j.doc, call->o, &status))
		return status;
	buf_init(&j.behind, TAPE_LIMIT);
	for (size_t i = 0; good && i < call->count; i++)
		good = join_file(&j, call->arguments[i], !i, &err);
	if (good && !j.plain) {
		tape_line_end(&j.doc.text, j.how, j.end_ms);
		buf_add(&j.doc.text, buf_str(&j.behind));
	}
	buf_fini(&j.behind);
	mem_free(j.protocol);
	return good ? tape_document_close(&j.doc) : tape_document_refuse(&j.doc, &err);
}
