#include "app/tape/tape_events.h"

#include "net/tape_lines.h"
#include "wire/encode/encode.h"
#include "wire/event_read.h"

struct eventful {
	struct encoder *encoder;
	struct buf bytes; /* of the next read */
	struct buf lines;
	double at_ms;
};

/* The encoder holds text back for a signature, which would have the same time. */
static void events_flush(struct eventful *e)
{
	encoder_flush(e->encoder);
	if (e->bytes.len)
		tape_line_body(&e->lines, buf_str(&e->bytes), e->at_ms);
	buf_clear(&e->bytes);
}

static void events_take(void *eventful, const struct delta *delta)
{
	struct eventful *e = eventful;

	if (delta->at_ms > e->at_ms) {
		events_flush(e);
		e->at_ms = delta->at_ms < TAPE_LATEST_MS ? delta->at_ms : TAPE_LATEST_MS;
	}
	encoder_delta(e->encoder, delta);
}

bool tape_from_events(struct tape **tape, struct str events, const struct protocol *protocol, struct error *err)
{
	struct eventful e = { .at_ms = 0 };
	int status = event_read_status(events);
	bool whole = status && status != 200;
	enum end_how how;

	buf_init(&e.lines, TAPE_LIMIT);
	e.encoder = encoder_new(&(struct encode_options){ .protocol = protocol, .words = protocol, .whole = whole }, &e.bytes);
	tape_line_facts(&e.lines, &(struct tape_info){ .protocol = str_from(protocol->name), .started = STR("") });
	tape_line_head(&e.lines, &(struct response_head){ .status = whole ? status : 200,
	               .content_type = str_from(whole ? "application/json" : encode_content_type(protocol)) }, 0);
	event_read(events, events_take, &e, &how);
	events_flush(&e);
	tape_line_end(&e.lines, how, e.at_ms);
	bool good = tape_from_text(tape, buf_str(&e.lines), err);
	encoder_free(e.encoder);
	buf_fini(&e.bytes);
	buf_fini(&e.lines);
	return good;
}
