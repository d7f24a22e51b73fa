#include "app/serve/recast.h"

#include "net/tape_lines.h"
#include "wire/encode/encode.h"

struct recasting {
	struct encoder *encoder;
	struct buf bytes;   /* of the next read */
	struct buf lines;   /* of the body */
	double at_ms;
	int error_status;   /* HTTP status that suits the error of the answer; 0: no error */
};

/* The encoder holds text for a signature, which comes at the same time if at all. */
static void recast_flush(struct recasting *r)
{
	encoder_flush(r->encoder);
	if (r->bytes.len)
		tape_line_body(&r->lines, buf_str(&r->bytes), r->at_ms);
	buf_clear(&r->bytes);
}

/* The error's code if it is a status, as some gateways send it. */
static int status_of(const struct error_report *report)
{
	long long code;

	return str_to_int(report->code, &code) && code >= 400 && code <= 599 ? (int)code : 500;
}

/* Clients need an id: the official one of OpenAI drops the usage of an answer without. */
static void recast_begin(struct recasting *r, const struct delta *delta)
{
	struct delta begin = *delta;

	if (!begin.meta.id.len)
		begin.meta.id = STR("weir-serve");
	encoder_delta(r->encoder, &begin);
}

static void recast_delta(void *recasting, const struct delta *delta)
{
	struct recasting *r = recasting;

	if (delta->at_ms > r->at_ms) {
		recast_flush(r);
		r->at_ms = delta->at_ms;
	}
	if (delta->kind == DELTA_ERROR)
		r->error_status = status_of(&delta->error);
	if (delta->kind == DELTA_BEGIN)
		recast_begin(r, delta);
	else
		encoder_delta(r->encoder, delta);
}

/* The head of the tape, with the content type of the new body. A body that is an error has a status that says so. */
static void write_head(const struct recasting *r, struct buf *text, const struct tape_step *step, const struct protocol *protocol, bool whole)
{
	struct response_head head = step->head;

	head.content_type = str_from(whole ? "application/json" : encode_content_type(protocol));
	if (whole && head.status == 200 && r->error_status)
		head.status = r->error_status;
	tape_line_head(text, &head, step->at_ms);
}

struct tape *recast(const struct tape *tape, const struct protocol *protocol, bool whole)
{
	const struct tape_info *facts = tape_facts(tape);
	struct stream_options options = { .protocol = protocol_find(facts->protocol), .dialect = dialect_find(facts->dialect),
	                                  .single_choice = tape_single_choice(tape), .untimed = tape_is_plain(tape) };
	struct tape_step end = tape_at(tape, tape_length(tape) - 1), head = { .kind = TAPE_END };
	struct tape_info info = *facts;
	struct recasting r = { .at_ms = 0 };
	struct tape *result = NULL;
	struct buf text;
	struct error err;

	for (size_t i = 0; i < tape_length(tape) && head.kind != TAPE_HEAD; i++)
		head = tape_at(tape, i);
	buf_init(&r.lines, TAPE_LIMIT);
	buf_init(&text, TAPE_LIMIT);
	whole |= head.kind == TAPE_HEAD && head.head.status != 200;
	if (head.kind != TAPE_HEAD)
		head = (struct tape_step){ .head.status = 200 };
	r.encoder = encoder_new(&(struct encode_options){ .protocol = protocol, .words = options.protocol, .whole = whole }, &r.bytes);
	struct stream *stream = stream_new(&options, recast_delta, &r);
	(void)tape_feed(tape, stream, 0, NULL, NULL);
	recast_flush(&r);
	info.protocol = str_from(protocol->name);
	tape_line_facts(&text, &info);
	write_head(&r, &text, &head, protocol, whole);
	buf_add(&text, buf_str(&r.lines));
	tape_line_end(&text, end.how, end.at_ms);
	if (!tape_from_text(&result, buf_str(&text), &err))
		result = NULL; /* larger than a tape may be */
	stream_free(stream);
	encoder_free(r.encoder);
	buf_fini(&r.bytes);
	buf_fini(&r.lines);
	buf_fini(&text);
	return result;
}
