#include "app/serve/recast.h"

#include "net/tape_lines.h"
#include "wire/encode/encode.h"

struct recasting {
	struct encoder *encoder;
	struct buf bytes;   /* of the next read */
	struct buf lines;
	double at_ms;
};

static void recast_flush(struct recasting *r)
{
	if (r->bytes.len)
		tape_line_body(&r->lines, buf_str(&r->bytes), r->at_ms);
	buf_clear(&r->bytes);
}

static void recast_delta(void *recasting, const struct delta *delta)
{
	struct recasting *r = recasting;

	if (delta->at_ms > r->at_ms) {
		recast_flush(r);
		r->at_ms = delta->at_ms;
	}
	encoder_delta(r->encoder, delta);
}

/* The head of the tape, with the content type of the new body. */
static void write_head(struct recasting *r, const struct tape_step *step, const char *type)
{
	struct response_head head = step->head;

	head.content_type = str_from(type);
	tape_line_head(&r->lines, &head, step->at_ms);
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
	struct error err;

	for (size_t i = 0; i < tape_length(tape) && head.kind != TAPE_HEAD; i++)
		head = tape_at(tape, i);
	buf_init(&r.lines, TAPE_LIMIT);
	whole |= head.kind == TAPE_HEAD && head.head.status != 200;
	info.protocol = str_from(protocol->name);
	tape_line_facts(&r.lines, &info);
	if (head.kind != TAPE_HEAD)
		head = (struct tape_step){ .head.status = 200 };
	write_head(&r, &head, whole ? "application/json" : encode_content_type(protocol));
	r.encoder = encoder_new(&(struct encode_options){ .protocol = protocol, .words = options.protocol, .whole = whole }, &r.bytes);
	struct stream *stream = stream_new(&options, recast_delta, &r);
	(void)tape_feed(tape, stream, 0, NULL, NULL);
	encoder_flush(r.encoder);
	recast_flush(&r);
	tape_line_end(&r.lines, end.how, end.at_ms);
	if (!tape_from_text(&result, buf_str(&r.lines), &err))
		result = NULL; /* larger than a tape may be */
	stream_free(stream);
	encoder_free(r.encoder);
	buf_fini(&r.bytes);
	buf_fini(&r.lines);
	return result;
}
