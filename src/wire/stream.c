#include "wire/stream.h"

#include <stdio.h>

#include "base/json_scan.h"
#include "base/least.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/error_body.h"
#include "wire/framer.h"

#define UNDECIDED_BYTES_MOST ((size_t)1 << 20)
#define UNDECIDED_VALUES_MOST 64
#define BROKEN_SHOWN_BYTES 80
#define BROKEN_MOST 32 /* after this many broken values the rest of a frame is ignored */

/* A value received before the protocol was detected. */
struct undecided {
	char *text, *event;
	size_t text_len, event_len;
	struct frame_place place;
};

struct stream {
	const struct protocol *protocol;
	const struct dialect *dialect;
	struct asked_for asked;
	bool untimed;
	const struct stream_tap *tap; /* NULL: none */
	delta_sink *sink;
	void *ctx;
	struct guard *guard;
	struct framer *framer;
	struct json_parser *parser;
	struct decoder decoder;
	struct buf repaired, unpacked;
	size_t pack_from;       /* 0: a tap sees what was sent */

	bool is_error;          /* the status is not 2xx: the body is an error body */
	int status;
	struct buf error_body;

	struct undecided undecided[UNDECIDED_VALUES_MOST];
	size_t undecided_count, undecided_bytes;

	struct frame_place place;     /* of the last frame */
	size_t received, body_at;     /* bytes, of all bodies; before this one */
	double at_ms;
	double spoke_ms;
	bool saw_value;         /* a complete JSON value was received */
	bool saw_garbage;       /* a frame was received that more bytes could not make valid */
	bool inside_frame;      /* the body ended inside a frame */
	bool ended;
};

static void take_frame(void *ctx, const struct frame *frame);

static void stream_take_oddity(void *ctx, enum framer_oddity oddity, enum framer_whose whose, size_t offset)
{
	struct stream *s = ctx;

	s->tap->oddity(s->tap->ctx, oddity, whose, s->body_at + offset);
}

static void stream_relay(void *ctx, const struct delta *delta)
{
	struct stream *s = ctx;

	s->tap->delta(s->tap->ctx, delta);
	s->sink(s->ctx, delta);
}

static void stream_begin_body(struct stream *s)
{
	s->framer = framer_new(take_frame, s);
	s->body_at = s->received;
	framer_pack(s->framer, s->pack_from);
	if (s->tap)
		framer_watch(s->framer, stream_take_oddity);
}

struct stream *stream_new(const struct stream_options *options, delta_sink *sink, void *ctx)
{
	struct stream *s = mem_new(sizeof *s);

	s->protocol = options->protocol;
	s->dialect = options->dialect ? options->dialect : dialect_find(STR("generic"));
	s->asked = options->asked;
	s->untimed = options->untimed;
	s->status = 200;
	s->tap = options->tap;
	s->pack_from = s->tap ? 0 : options->pack_from ? options->pack_from : FRAMER_PACK_DEFAULT;
	s->sink = sink;
	s->ctx = ctx;
	s->guard = s->tap ? guard_new(stream_relay, s) : guard_new(sink, ctx);
	if (s->tap && s->tap->repair)
		guard_watch_repairs(s->guard, s->tap->repair, s->tap->ctx);
	if (options->media_bytes)
		guard_limit_media(s->guard, options->media_bytes);
	stream_begin_body(s);
	s->parser = json_parser_new();
	buf_init(&s->error_body, ERROR_BODY_LIMIT);
	return s;
}

static void drop_decoder(struct stream *s)
{
	if (s->decoder.state && s->decoder.protocol->fini)
		s->decoder.protocol->fini(s->decoder.state);
	mem_free(s->decoder.state);
	s->decoder = (struct decoder){ 0 };
}

static void drop_undecided(struct stream *s)
{
	for (size_t i = 0; i < s->undecided_count; i++) {
		mem_free(s->undecided[i].text);
		mem_free(s->undecided[i].event);
	}
	s->undecided_count = s->undecided_bytes = 0;
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	drop_decoder(s);
	drop_undecided(s);
	framer_free(s->framer);
	guard_free(s->guard);
	json_parser_free(s->parser);
	buf_fini(&s->repaired);
	buf_fini(&s->unpacked);
	buf_fini(&s->error_body);
	mem_free(s);
}

static void stream_set_time(struct stream *s, double at_ms)
{
	s->at_ms = s->untimed ? -1 : at_ms;
	guard_set_time(s->guard, s->at_ms);
}

static void stream_decode(struct stream *s, const struct message *message)
{
	if (s->tap)
		s->tap->value(s->tap->ctx, s->protocol, message);
	if (!s->decoder.protocol) {
		s->decoder.protocol = s->protocol;
		s->decoder.dialect = s->dialect;
		s->decoder.guard = s->guard;
		s->decoder.asked = s->asked;
		s->decoder.state = mem_new(s->protocol->state_bytes);
	}
	s->protocol->decode(&s->decoder, message);
}

/* Whether nobody takes what follows: after the end mark or an error only the tap gets it, and the stream does not change any more. */
static bool stream_is_deaf(const struct stream *s)
{
	return guard_is_done(s->guard) && !s->tap;
}

static const struct protocol *stream_protocol_or_default(const struct stream *s)
{
	return s->protocol ? s->protocol : &protocol_openai_chat;
}

/* The first value of the text. What is too deep in it is null; the members that decoders read are near its root. */
static const struct json *parse_value(struct stream *s, struct str text, size_t *used)
{
	const struct json *value = json_parse(s->parser, text, used);

	if (value || !json_scan_is_too_deep(text))
		return value;
	value = json_parse_shallow(s->parser, text, used);
	if (value && !guard_is_done(s->guard))
		guard_notice(s->guard, "deep-json", "What is nested deeper than %d levels in a frame was ignored: %.*s", JSON_SCAN_DEPTH,
		             STR_ARG(str_head(text, BROKEN_SHOWN_BYTES)));
	return value;
}

/* Sets the protocol and decodes the undecided values, each with the time of its arrival. */
static void settle(struct stream *s, const struct protocol *protocol)
{
	double now = s->at_ms;

	s->protocol = protocol;
	for (size_t i = 0; i < s->undecided_count && !guard_is_done(s->guard); i++) {
		const struct undecided *u = &s->undecided[i];
		struct str text = str_of(u->text, u->text_len);
		size_t used;

		guard_set_time(s->guard, u->place.at_ms);
		const struct json *value = parse_value(s, text, &used);
		stream_decode(s, &(struct message){ value, text, str_of(u->event, u->event_len), u->place, NULL, 0 });
	}
	drop_undecided(s);
	guard_set_time(s->guard, now);
}

static void keep_undecided(struct stream *s, const struct message *m)
{
	s->undecided[s->undecided_count++] = (struct undecided){
		.text = str_dup(m->raw),
		.text_len = m->raw.len,
		.event = str_dup(m->event),
		.event_len = m->event.len,
		.place = m->place,
	};
	s->undecided_bytes += m->raw.len + m->event.len;
}

static void stream_take_value(struct stream *s, const struct message *m)
{
	if (guard_is_done(s->guard)) {
		s->tap->value(s->tap->ctx, stream_protocol_or_default(s), m);
		return;
	}
	s->saw_value = true;
	if (s->protocol) {
		stream_decode(s, m);
		return;
	}
	const struct protocol *protocol = protocol_detect(m->value, m->event);
	keep_undecided(s, m);
	if (protocol)
		settle(s, protocol);
	else if (s->undecided_count == UNDECIDED_VALUES_MOST || s->undecided_bytes > UNDECIDED_BYTES_MOST)
		settle(s, &protocol_openai_chat);
}

/* The body or the answer has ended: the protocol emits what it has collected. */
static void stream_finish(struct stream *s, bool proper)
{
	if (!s->protocol || !s->decoder.state || !s->protocol->finish || guard_is_done(s->guard))
		return;
	s->decoder.proper = proper;
	s->protocol->finish(&s->decoder);
}

static void take_done_mark(struct stream *s)
{
	if (!s->protocol && !guard_is_done(s->guard))
		settle(s, &protocol_openai_chat);
	if (s->tap)
		s->tap->done(s->tap->ctx, &s->place);
	if (guard_is_done(s->guard) || !s->protocol->done_is_end)
		return;
	s->saw_value = s->decoder.understood = true;
	stream_finish(s, true);
	guard_done(s->guard);
}

/* Resumes after a broken value: at an error object spliced into it, or at the next line that begins with a value. */
static struct str skip_broken(struct str text)
{
	size_t spliced = str_find(str_skip(text, 1), STR("{\"error\""));
	size_t line = least_size(str_find(text, STR("\n{")), str_find(text, STR("\n[DONE]")));

	return str_skip(text, least_size(spliced, line) + 1);
}

/* True if more bytes could complete the text to a value or an end mark. */
static bool is_valid_so_far(struct str text)
{
	struct str done = STR("[DONE]");
	struct json_scan scan;

	if (str_equal(text, str_head(done, text.len)))
		return true;
	json_scan_init(&scan);
	json_scan_feed(&scan, text);
	return !json_scan_failed(&scan);
}

static void note_broken(struct stream *s, const struct frame *frame, struct str text)
{
	if (str_is(frame->event, "error")) {
		struct buf scratch = { 0 };

		guard_error(s->guard, &(struct error_report){ .message = error_text(text, &scratch) });
		buf_fini(&scratch);
		return;
	}
	struct str shown = str_head(text, BROKEN_SHOWN_BYTES);
	if (json_was_too_large(s->parser))
		guard_notice(s->guard, "large-json", "A frame with too many JSON values was ignored: %.*s", STR_ARG(shown));
	else
		guard_notice(s->guard, "broken-json", "A frame that is not JSON was ignored: %.*s", STR_ARG(shown));
}

static void take_broken(struct stream *s, const struct frame *frame, struct str text)
{
	if (frame->unclosed && is_valid_so_far(text)) {
		s->inside_frame = !guard_is_done(s->guard);
		return;
	}
	if (s->tap)
		s->tap->broken(s->tap->ctx, text, &s->place);
	if (guard_is_done(s->guard))
		return;
	s->saw_garbage = true;
	guard_unread(s->guard);
	note_broken(s, frame, text);
}

/* An array is equivalent to its elements, as in a body that is an array. */
static void take_elements(struct stream *s, const struct frame *frame, struct str array)
{
	struct json_spans spans = json_spans_of(array);
	struct str key, item;
	size_t used;

	while (!stream_is_deaf(s) && json_spans_next(&spans, &key, &item)) {
		const struct json *value = parse_value(s, item, &used);
		if (value)
			stream_take_value(s, &(struct message){ value, item, frame->event, s->place, NULL, 0 });
	}
}

/* A frame contains one value, or several in sequence (src/wire/README.md, "Frames"). */
static void take_values(struct stream *s, const struct frame *frame, struct str text)
{
	unsigned broken = 0;

	for (text = str_trim_start(text); text.len && !stream_is_deaf(s); text = str_trim_start(text)) {
		if (str_starts(text, "[DONE]")) {
			take_done_mark(s);
			return;
		}
		size_t used;
		const struct json *value = parse_value(s, text, &used);
		if (json_kind(value) == JSON_ARRAY) {
			take_elements(s, frame, str_head(text, used));
			text = str_skip(text, used);
		} else if (value) {
			stream_take_value(s, &(struct message){ value, str_head(text, used), frame->event, s->place, NULL, 0 });
			text = str_skip(text, used);
		} else {
			take_broken(s, frame, text);
			text = ++broken < BROKEN_MOST ? skip_broken(text) : STR_NONE;
		}
	}
}

/* A frame with packs, if it is one object of a known protocol. False, with nothing done: it is to be read as it was sent. */
static bool take_packed(struct stream *s, const struct frame *frame)
{
	struct str text = frame->data;
	size_t used;

	if (!frame->pack_count || frame->unclosed || s->undecided_count || !utf8_is_valid(text))
		return false;
	const struct json *value = json_parse_packed(s->parser, text, frame->packs, frame->pack_count, &used);
	if (json_kind(value) != JSON_OBJECT || used < text.len)
		return false;
	if (!s->protocol)
		s->protocol = protocol_detect(value, frame->event);
	if (!s->protocol)
		return false;
	stream_take_value(s, &(struct message){ value, text, frame->event, s->place, frame->packs, frame->pack_count });
	return true;
}

static void take_frame(void *ctx, const struct frame *frame)
{
	struct stream *s = ctx;

	s->place = (struct frame_place){ s->place.frame + 1, s->body_at + frame->offset, s->at_ms, true };
	if (stream_is_deaf(s))
		return;
	if (take_packed(s, frame))
		return;
	struct str text = frame->pack_count ? json_unpack(frame->data, frame->packs, frame->pack_count, &s->unpacked) : frame->data;
	bool is_utf8 = utf8_is_valid(text);
	if (s->tap)
		s->tap->frame(s->tap->ctx, frame, &s->place, is_utf8);
	if (!is_utf8) {
		buf_clear(&s->repaired);
		utf8_repair(text, &s->repaired);
		text = buf_str(&s->repaired);
	}
	take_values(s, frame, text);
	buf_fini(&s->unpacked);
}

void stream_head(struct stream *s, const struct response_head *head, double at_ms)
{
	if (s->ended)
		return;
	stream_set_time(s, at_ms);
	s->status = head->status;
	s->is_error = head->status < 200 || head->status > 299;
	if (s->tap)
		s->tap->head(s->tap->ctx, head, s->at_ms);
	buf_clear(&s->error_body);
	if (!framer_bytes(s->framer)) {
		s->body_at = s->received;
		return;
	}
	framer_free(s->framer);
	stream_begin_body(s);
	if (s->decoder.state || s->saw_garbage)
		guard_restart(s->guard);
	s->saw_garbage = false;
	drop_decoder(s);
	drop_undecided(s);
}

void stream_body(struct stream *s, struct str bytes, double at_ms)
{
	if (s->ended)
		return;
	stream_set_time(s, at_ms);
	if (s->tap)
		s->tap->read(s->tap->ctx, bytes, s->at_ms);
	if (s->is_error && !s->error_body.len && bytes.len)
		s->place = (struct frame_place){ s->place.frame + 1, s->received, s->at_ms, true };
	s->received += bytes.len;
	if (s->is_error) {
		buf_add(&s->error_body, str_head(bytes, ERROR_BODY_LIMIT - s->error_body.len));
		return;
	}
	framer_feed(s->framer, bytes);
	if (framer_spoke(s->framer))
		s->spoke_ms = at_ms;
	if (!framer_overflowed(s->framer))
		return;
	char message[96];
	int len = snprintf(message, sizeof message, "One event of the answer is larger than %zu MB; the rest was not read.",
	                   FRAMER_EVENT_LIMIT >> 20);
	guard_error(s->guard, &(struct error_report){ .message = str_of(message, (size_t)len) });
}

static void detect_from_error(void *ctx, const struct json *value, struct str event)
{
	struct stream *s = ctx;

	if (!s->protocol)
		s->protocol = protocol_detect(value, event);
	if (s->tap)
		s->tap->value(s->tap->ctx, stream_protocol_or_default(s), &(struct message){ value, STR_NONE, event, s->place, NULL, 0 });
}

static void take_error_body(struct stream *s)
{
	struct buf scratch = { 0 };
	struct error_report report;

	s->place.at_ms = s->at_ms;
	error_body_explain(buf_str(&s->error_body), s->status, &scratch, &report, detect_from_error, s);
	guard_error(s->guard, &report);
	buf_fini(&scratch);
}

/* The end of the answer. */
static void stream_end_answer(struct stream *s, enum end_how how)
{
	if (!s->protocol)
		settle(s, &protocol_openai_chat);
	struct guard_ending ending = {
		.finish_is_end = s->protocol->finish_is_end,
		.finish_outlives_break = s->protocol->finish_outlives_break,
		.close_is_end = s->dialect->close_is_end && s->protocol->done_is_end,
		.understood = s->decoder.understood,
		.strange = framer_saw_payload(s->framer) || s->saw_value || s->saw_garbage ? framer_head(s->framer) : STR_NONE,
		.inside_frame = s->inside_frame,
	};
	bool closed = how == END_CLOSED;
	stream_finish(s, how != END_CANCELLED && ((guard_finish_seen(s->guard) && (closed || ending.finish_outlives_break)) ||
	                                          (closed && ending.close_is_end)));
	if (s->protocol->done_is_end && s->dialect->sends_done && closed &&
	    guard_finish_seen(s->guard) && !guard_is_done(s->guard) && framer_framing(s->framer) == FRAMING_SSE)
		guard_notice(s->guard, "no-done", "The answer ended without data: [DONE].");
	guard_end(s->guard, how, &ending);
}

void stream_conclude(struct stream *s, double at_ms)
{
	if (s->ended)
		return;
	stream_set_time(s, at_ms);
	stream_end_answer(s, END_CLOSED);
}

void stream_end(struct stream *s, enum end_how how, double at_ms)
{
	if (s->ended)
		return;
	stream_set_time(s, at_ms);
	if (s->is_error && how != END_CANCELLED)
		take_error_body(s);
	framer_end(s->framer);
	stream_end_answer(s, how);
	if (s->tap)
		s->tap->end(s->tap->ctx, s->protocol, how, s->at_ms);
	s->ended = true;
}

void stream_settle(struct stream *s, double at_ms)
{
	if (s->ended || !guard_finish_seen(s->guard))
		return;
	stream_set_time(s, at_ms);
	stream_finish(s, true);
	guard_done(s->guard);
}

void stream_fail(struct stream *s, struct str message, double at_ms)
{
	if (s->ended)
		return;
	stream_set_time(s, at_ms);
	guard_error(s->guard, &(struct error_report){ .message = message });
	guard_end(s->guard, END_CUT, &(struct guard_ending){ .understood = true });
	if (s->tap)
		s->tap->end(s->tap->ctx, s->protocol, END_CANCELLED, s->at_ms);
	s->ended = true;
}

const struct protocol *stream_protocol(const struct stream *s)
{
	return s->protocol;
}

size_t stream_frames(const struct stream *s)
{
	return s->place.frame;
}

bool stream_is_done(const struct stream *s)
{
	return guard_is_done(s->guard);
}

bool stream_finish_seen(const struct stream *s)
{
	return guard_finish_seen(s->guard);
}

double stream_spoke_ms(const struct stream *s)
{
	return s->spoke_ms;
}
