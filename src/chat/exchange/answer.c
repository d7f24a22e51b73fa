#include "chat/exchange/answer.h"

#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/exchange/refusal.h"
#include "net/head.h"

#define HEADERS_LIMIT ((size_t)64 << 10)

/* --- deltas --- */

static void emit_notes(struct answer *a, double at_ms)
{
	for (size_t i = 0; i < a->note_count; i++) {
		struct delta delta = { .kind = DELTA_NOTICE, .at_ms = at_ms };

		delta.notice.rule = str_from(a->notes[i].rule);
		delta.notice.text = str_from(a->notes[i].text);
		a->sink(a->ctx, &delta);
		mem_free(a->notes[i].text);
	}
	a->note_count = 0;
}

static void relay(void *ctx, const struct delta *delta)
{
	struct answer *a = ctx;

	if (!a->defers_tape)
		answer_tape_flush(a);
	if (delta->kind == DELTA_END) {
		emit_notes(a, delta->at_ms);
		a->ended = true;
		a->ended_ms = delta->at_ms < 0 ? 0 : delta->at_ms;
	}
	a->sink(a->ctx, delta);
	if (delta->kind == DELTA_BEGIN)
		emit_notes(a, delta->at_ms);
}

void answer_note(struct answer *a, const char *rule, struct str text)
{
	struct error line; /* error_set() makes one line of UTF-8 without control bytes */

	error_set(&line, "%.*s", STR_ARG(text));
	for (size_t i = 0; i < a->note_count; i++)
		if (str_is(str_from(line.text), a->notes[i].text) && strcmp(rule, "retried") != 0) /* each retry counts */
			return;
	if (a->note_count == ANSWER_NOTES)
		return;
	a->notes[a->note_count].rule = rule;
	a->notes[a->note_count++].text = mem_dup_z(line.text);
}

/* --- creation --- */

void answer_init(struct answer *a, const struct stream_options *options, bool holds_refusals, delta_sink *sink, void *ctx)
{
	*a = (struct answer){ .sink = sink, .ctx = ctx, .holds_refusals = holds_refusals, .bytes_most = ANSWER_BYTES_LIMIT };
	a->stream = stream_new(options, relay, a);
	buf_init(&a->headers, HEADERS_LIMIT);
	buf_init(&a->timings, HEADERS_LIMIT);
	buf_init(&a->held, REFUSAL_BODY_LIMIT);
}

void answer_forget(struct answer *a)
{
	char **const facts[] = { &a->content_type, &a->request_id, &a->location, &a->date };

	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		mem_free(*facts[i]);
		*facts[i] = NULL;
	}
	buf_clear(&a->headers);
	buf_clear(&a->timings);
	buf_clear(&a->held);
	a->status = 0;
	a->read_count = 0;
	a->holding = a->held_all = false;
	a->has_body = false;
	a->bytes = 0;
	a->last_ms = 0;
}

void answer_fini(struct answer *a)
{
	answer_tape_end(a, a->ended ? END_CLOSED : END_CANCELLED, a->last_ms);
	answer_forget(a);
	for (size_t i = 0; i < a->note_count; i++)
		mem_free(a->notes[i].text);
	buf_fini(&a->headers);
	buf_fini(&a->timings);
	buf_fini(&a->held);
	mem_free(a->reads);
	stream_free(a->stream);
}

/* --- the tape --- */

void answer_tape(struct answer *a, struct tape_writer *writer)
{
	a->tape = writer;
}

void answer_tape_flush(struct answer *a)
{
	if (a->tape)
		tape_flush(a->tape);
}

void answer_tape_end(struct answer *a, enum end_how how, double at_ms)
{
	if (!a->tape)
		return;
	tape_end(a->tape, how, at_ms);
	(void)tape_writer_close(a->tape, &a->tape_error);
	a->tape = NULL;
}

/* Writes every received byte to the tape, up to the tape's limit. */
static void add_to_tape(struct answer *a, struct str bytes, double at_ms)
{
	if (!a->tape || tape_body(a->tape, bytes, at_ms))
		return;
	answer_note(a, "weir", STR("the tape is full: what arrived after this is not recorded"));
	answer_tape_end(a, END_CUT, at_ms);
}

/* --- the response --- */

/* A tape may contain several heads; the last one counts. */
static void keep_head(struct answer *a, const struct response_head *head)
{
	a->status = head->status;
	str_replace(&a->content_type, head->content_type);
	str_replace(&a->location, head_value(head, "location"));
	str_replace(&a->date, head_value(head, "date"));
	str_replace(&a->request_id, head_request_id(head));
	buf_clear(&a->timings);
	head_write_timings(head, &a->timings);
	buf_clear(&a->headers);
	for (size_t i = 0; i < head->header_count; i++)
		if (head_is_listed(head->headers[i].name))
			buf_printf(&a->headers, "%.*s: %.*s\n", STR_ARG(head->headers[i].name), STR_ARG(head->headers[i].value));
}

void answer_head(struct answer *a, const struct response_head *head, double at_ms)
{
	if (a->ended) {
		stream_head(a->stream, head, at_ms);
		return;
	}
	a->last_ms = at_ms;
	if (a->tape)
		tape_head(a->tape, head, at_ms);
	keep_head(a, head);
	a->holding = a->holds_refusals && head->status / 100 != 2;
	if (!a->holding)
		stream_head(a->stream, head, at_ms);
}

static void answer_feed(struct answer *a, struct str bytes, double at_ms)
{
	stream_body(a->stream, bytes, at_ms);
	if (stream_is_done(a->stream) && a->reads_on)
		stream_conclude(a->stream, at_ms);
	else if (stream_is_done(a->stream))
		stream_end(a->stream, END_CLOSED, at_ms);
}

static void answer_hold(struct answer *a, struct str bytes, double at_ms)
{
	struct str kept = str_head(bytes, REFUSAL_BODY_LIMIT - a->held.len);

	a->held_all = kept.len < bytes.len;
	buf_add(&a->held, kept);
	*ARRAY_ADD(a->reads, a->read_count, a->read_capacity) = (struct held_read){ a->held.len, at_ms };
}

/* Passes the held body to the tape and, if `to_stream`, to the stream. */
static void answer_release(struct answer *a, bool to_stream, double at_ms)
{
	struct response_head head = { .status = a->status, .content_type = str_from(a->content_type) };
	struct str held = buf_str(&a->held);
	size_t start = 0;

	if (!a->holding)
		return;
	a->holding = false;
	for (size_t i = 0; a->tape && i < a->read_count; i++) {
		add_to_tape(a, str_head(str_skip(held, start), a->reads[i].end - start), a->reads[i].at_ms);
		start = a->reads[i].end;
	}
	if (!to_stream)
		return;
	stream_head(a->stream, &head, at_ms);
	if (held.len)
		answer_feed(a, held, at_ms);
}

void answer_body(struct answer *a, struct str bytes, double at_ms)
{
	a->bytes += bytes.len;
	if (!a->ended) {
		a->last_ms = at_ms;
		a->has_body = true;
	}
	if (a->holding) {
		answer_hold(a, bytes, at_ms);
		return;
	}
	add_to_tape(a, bytes, at_ms);
	if (!a->ended && a->bytes > a->bytes_most) {
		struct error err;

		error_set(&err, "The server sent more than %zu MB; the rest was not read.", a->bytes_most >> 20);
		answer_fail(a, err.text, at_ms);
	} else if (!a->ended || a->reads_on) {
		answer_feed(a, bytes, at_ms);
	}
}

void answer_end(struct answer *a, enum end_how how, double at_ms)
{
	answer_release(a, how != END_CANCELLED, at_ms);
	answer_tape_end(a, how, at_ms);
	stream_end(a->stream, how, at_ms);
}

void answer_fail(struct answer *a, const char *sentence, double at_ms)
{
	stream_fail(a->stream, str_from(sentence), at_ms);
}

void answer_release_tape(struct answer *a)
{
	answer_release(a, false, 0);
}

struct str answer_header(const struct answer *a, const char *name)
{
	struct str lines = buf_str(&a->headers), line, own;

	while (str_split(&lines, '\n', &line))
		if (str_split(&line, ':', &own) && str_is(own, name))
			return str_trim(line);
	return STR("");
}

void answer_details(const struct answer *a, struct buf *out)
{
	if (a->status)
		buf_printf(out, "HTTP %d\n", a->status);
	if (a->timings.len)
		buf_printf(out, "connection: %s\n", buf_z(&a->timings));
	if (a->content_type && a->content_type[0])
		buf_printf(out, "content-type: %s\n", a->content_type);
	buf_add(out, buf_str(&a->headers));
	if (a->held.len) {
		buf_add_byte(out, '\n');
		utf8_repair(buf_str(&a->held), out);
		buf_add_byte(out, '\n');
	}
}
