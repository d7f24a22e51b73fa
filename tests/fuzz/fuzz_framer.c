/*
 * Feeds any bytes to the framer. Rules: splitting the input does not change the frames, no frame exceeds the limit, and all bytes are
 * counted.
 *
 * input: seed of the splits; then the body
 */
#include "fuzz.h"
#include "wire/framer.h"

static void log_frame(void *ctx, const struct frame *frame)
{
	struct buf *log = ctx;

	FUZZ_CHECK(frame->data.len <= FRAMER_EVENT_LIMIT, "no frame above the ceiling");
	buf_printf(log, "%d %zu %zu ", frame->unclosed, frame->event.len, frame->data.len);
	buf_add(log, frame->event);
	buf_add_byte(log, '|');
	buf_add(log, frame->data);
	buf_add_byte(log, '\n');
}

static void run(struct str body, unsigned seed, struct buf *out)
{
	struct framer *framer = framer_new(log_frame, out);
	size_t len = body.len;

	*out = (struct buf){ 0 };
	while (body.len) {
		size_t size = seed ? fuzz_cut(&seed) : body.len;

		framer_feed(framer, str_head(body, size));
		body = str_skip(body, size);
	}
	FUZZ_CHECK(framer_bytes(framer) == len, "every byte is counted");
	framer_end(framer);
	buf_printf(out, "%d %d %d ", framer_framing(framer), framer_overflowed(framer), framer_saw_payload(framer));
	buf_add(out, framer_head(framer));
	framer_free(framer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	unsigned seed = fuzz_byte(&in) + 1;
	struct buf whole, cut;

	run(in.rest, 0, &whole);
	run(in.rest, seed, &cut);
	FUZZ_CHECK(str_equal(buf_str(&whole), buf_str(&cut)), "cuts change nothing");
	buf_fini(&whole);
	buf_fini(&cut);
	return 0;
}
