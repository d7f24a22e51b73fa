/*
 * The number of a frame (wire/framer.h) is the same in the framer, the stream, lint, the trace and the player, whatever holds the body and
 * however it is cut into reads.
 */
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/conversation.h"
#include "chat/player/player.h"
#include "chat/player/trace.h"
#include "net/tape_lines.h"
#include "support/cases.h"
#include "support/check.h"

/* --- what the framer finds --- */

struct found { size_t *at, count; };

static void found_add(struct found *found, size_t offset)
{
	found->at = mem_resize(found->at, found->count + 1, sizeof *found->at);
	found->at[found->count++] = offset;
}

static void take_frame(void *ctx, const struct frame *frame)
{
	found_add(ctx, frame->offset);
}

static struct found frames_of(struct str body, int status)
{
	struct found found = { 0 };
	struct framer *framer = framer_new(take_frame, &found);

	if (status / 100 != 2 && body.len) {
		found_add(&found, 0);
	} else {
		framer_feed(framer, body);
		framer_end(framer);
	}
	framer_free(framer);
	return found;
}

/* --- what the others say of a tape --- */

struct origin { const char *name; const struct tape *tape; struct stream_options options; int status; };

static void check_trace(const struct origin *s, const struct found *expected)
{
	struct trace *trace = trace_new(s->tape, &s->options, s->status, LINT_LEVEL_STRICT);
	size_t number = 0;

	while (trace_read(trace, 1))
		continue;
	CHECK(trace_frames(trace) == expected->count, "%s: %zu frames in the trace, not %zu", s->name, trace_frames(trace), expected->count);
	for (size_t row = 0; row < trace_count(trace); row++) {
		size_t offset = trace_at(trace, row)->offset;
		const struct finding *f;

		if (trace_frame(trace, row) && ++number <= expected->count) {
			CHECK(trace_frame(trace, row) == number && trace_row_of_frame(trace, number) == row, "%s: row %zu", s->name, row);
			CHECK(offset <= expected->at[number - 1] && expected->at[number - 1] < offset + trace_length(trace, row), "%s: frame %zu", s->name, number);
		}
		for (size_t next = 0; (f = trace_finding(trace, row, &next));)
			CHECK(!f->place.frame || f->place.frame == trace_frame(trace, row) || f->frames > trace_frames(trace), "%s: %s at frame %zu, in row %zu",
			      s->name, lint_rule_id(f->rule), f->place.frame, row);
	}
	CHECK(number == expected->count && trace_row_of_frame(trace, number + 1) == trace_count(trace), "%s: %zu", s->name, number);
	trace_free(trace);
}

static void check_player(const struct origin *s, const struct found *expected)
{
	struct conversation *c = conversation_new();
	struct player *player = player_new(s->tape, &s->options, NULL, s->status, 0, 0);

	player_show(player, conversation_answer(c, STR("box"), NULL, STR("m")));
	(void)player_seek_frame(player, SIZE_MAX, 0);
	CHECK(player_at_end(player) && player_frames(player) == expected->count && player_frame(player) == expected->count, "%s: %zu frames of the player, not %zu",
	      s->name, player_frames(player), expected->count);
	for (size_t frame = 0; frame <= expected->count; frame++) {
		(void)player_seek_frame(player, frame, 0);
		CHECK(player_frame(player) == frame, "%s: at frame %zu, not %zu", s->name, player_frame(player), frame);
	}
	player_free(player);
	conversation_free(c);
}

struct linted { const struct origin *s; const struct found *expected; size_t bytes; };

/* A finding is about the frame that has its offset. */
static void take_finding(void *ctx, const struct lint_finding *f)
{
	const struct linted *l = ctx;
	size_t frame = 0;

	if (!f->place.frame || f->frames > l->expected->count)
		return;
	while (frame < l->expected->count && l->expected->at[frame] <= f->place.offset)
		frame++;
	frame += !frame; /* a byte order mark */
	CHECK(f->place.frame == frame, "%s: %s at frame %zu, byte %zu, not %zu", l->s->name, lint_rule_id(f->rule), f->place.frame, f->place.offset, frame);
}

static void discard(void *ctx, const struct delta *delta)
{
	(void)ctx, (void)delta;
}

static void check_lint(const struct origin *s, const struct found *expected)
{
	struct linted linted = { .s = s, .expected = expected };
	struct lint *lint = lint_new(&(struct lint_options){ .request = tape_facts(s->tape)->request }, take_finding, &linted);
	struct stream_options options = s->options;

	options.tap = lint_tap(lint);
	struct stream *stream = stream_new(&options, discard, NULL);
	(void)tape_feed(s->tape, stream, s->status, NULL, NULL);
	CHECK(stream_frames(stream) == expected->count, "%s: %zu frames of the stream, not %zu", s->name, stream_frames(stream), expected->count);
	stream_free(stream);
	lint_free(lint);
}

static void check_tape(const char *name, const struct tape *tape, const struct protocol *protocol, int status, const struct found *expected)
{
	struct origin s = { name, tape, { .protocol = protocol, .asked = tape_asked(tape), .untimed = tape_is_plain(tape) }, status };

	check_trace(&s, expected);
	check_player(&s, expected);
	check_lint(&s, expected);
}

/* --- the same body in other forms --- */

static void check_text(const char *name, struct str text, const struct protocol *protocol, int status, const struct found *expected)
{
	struct tape *tape;
	struct error err;
	bool read = tape_from_text(&tape, text, &err);

	CHECK(read, "%s: %s", name, err.text);
	if (!read)
		return;
	check_tape(name, tape, protocol, status, expected);
	tape_free(tape);
}

/* A tape of reads of `size` bytes. */
static void write_tape(struct str body, int status, size_t size, struct buf *out)
{
	buf_printf(out, "{\"weir_tape\":1}\n{\"t\":1,\"head\":{\"status\":%d}}\n", status);
	for (double t = 2; body.len; body = str_skip(body, size), t++)
		tape_line_body(out, str_head(body, size), t);
	buf_add_z(out, "{\"t\":99999,\"end\":\"closed\"}\n");
}

static void write_archive(struct str body, int status, struct buf *out)
{
	buf_printf(out, "{\"log\":{\"version\":\"1.2\",\"entries\":[{\"request\":{\"method\":\"POST\",\"url\":\"http://h/v1/chat/completions\",\"headers\":[]},"
	                "\"response\":{\"status\":%d,\"headers\":[],\"content\":{\"mimeType\":\"text/event-stream\",\"text\":", status);
	json_escape(out, body);
	buf_add_z(out, "}}}]}}");
}

static void check_body(const char *name, struct str body, const struct protocol *protocol, int status)
{
	static const size_t sizes[] = { 1, 7, 4096 };
	struct found expected = frames_of(body, status);
	struct buf text;

	buf_init(&text, TAPE_LIMIT);
	for (size_t i = body.len > 8192; i < 3 && body.len < 65536; i++) {
		buf_clear(&text);
		write_tape(body, status, sizes[i], &text);
		check_text(name, buf_str(&text), protocol, 0, &expected);
	}
	buf_clear(&text);
	write_archive(body, status, &text);
	if (utf8_is_valid(body) && body.len)
		check_text(name, buf_str(&text), protocol, 0, &expected);
	buf_fini(&text);
	mem_free(expected.at);
}

/* --- the collections --- */

static void check_case(void *ctx, const struct stream_case *c)
{
	const struct protocol *protocol = protocol_find(c->protocol);
	struct tape *tape;
	struct error err;
	struct buf body;

	(void)ctx;
	CHECK(tape_open(&tape, c->path, &err), "%s", err.text);
	buf_init(&body, TAPE_LIMIT);
	int status = c->status;
	for (size_t i = 0; i < tape_length(tape); i++) {
		buf_add(&body, tape_at(tape, i).bytes);
		status = tape_at(tape, i).kind == TAPE_HEAD ? tape_at(tape, i).head.status : status;
	}
	struct found expected = frames_of(buf_str(&body), status);
	check_tape(c->path, tape, protocol, status == 200 ? 0 : status, &expected);
	check_body(c->path, buf_str(&body), protocol, status);
	mem_free(expected.at);
	buf_fini(&body);
	tape_free(tape);
}

static void in_our_streams(void)
{
	CU_ASSERT(cases_of_own(check_case, NULL) >= 300);
}

static void in_the_shared_streams(void)
{
	cases_of_shared(check_case, NULL);
}

/* --- single bodies --- */

#define CHUNK(text) "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"}}]}\n\n"

static void in_odd_bodies(void)
{
	static const struct { const char *body; size_t frames; int status; } cases[] = {
		{ ": hello\n\n" CHUNK("a") ": keep-alive\n\n: keep-alive\n\n" CHUNK("b") "data: [DONE]\n\n", 3, 200 },
		{ "data:\n\n" CHUNK("a") "data\n\ndata: \n\n" CHUNK("b"), 5, 200 },
		{ "event: ping\n\n" CHUNK("a") "retry: 5\n\nid: 7\n\nfoo: bar\n\n" CHUNK("b"), 2, 200 },
		{ "\xEF\xBB\xBF" "data: {\"choices\":[]}\r\n\r\n: c\r\n\r\ndata: {oops}\r\n\r\n\r\ndata: [DONE]\r\n\r\n", 3, 200 },
		{ "data: [DONE]\n\n" CHUNK("late") ": c\n\n" CHUNK("later"), 3, 200 },
		{ CHUNK("a") "error: {\"message\":\"x\"}\n\n{\"error\":\n{\"message\":\"y\"}}\n", 3, 200 },
		{ CHUNK("a") "data: {\"choices\":[", 2, 200 },
		{ "data: {\"choices\":[]}\ndata: {\"choices\":[]}\n\ndata: [{\"choices\":[]},{\"choices\":[]}]\n\n", 2, 200 },
		{ "{\"model\":\"m\",\"message\":{\"content\":\"a\"},\"done\":false}\n{\"model\":\"m\",\"message\":{\"content\":\"\"},\"done\":true}\n", 2, 200 },
		{ "{\n \"choices\": [{\"message\": {\"content\": \"a\"}}]\n}\n", 1, 200 },
		{ "[{\"candidates\":[]}\n,\r\n{\"candidates\":[]},{\"candidates\":[]}]", 3, 200 },
		{ "<html>no</html>", 0, 200 }, { "no stream\n", 0, 200 }, { "", 0, 200 },
		{ "{\"error\":{\"message\":\"no\"}}", 1, 401 }, { "<html>no</html>", 1, 502 }, { "", 0, 500 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct found found = frames_of(str_from(cases[i].body), cases[i].status);

		CHECK(found.count == cases[i].frames, "%s: %zu frames", cases[i].body, found.count);
		check_body(cases[i].body, str_from(cases[i].body), NULL, cases[i].status);
		mem_free(found.at);
	}
}

/* A second head begins another body, and not the numbers anew. */
static void go_on_in_another_body(void)
{
	static const char *const bodies[] = { CHUNK("a") CHUNK("b"), "{\"error\":{\"message\":\"busy\"}}", CHUNK("c") "data: [DONE]\n\n" };
	static const int statuses[] = { 200, 429, 200 };
	struct found expected = { 0 };
	struct buf text = { 0 };
	size_t received = 0;

	buf_add_z(&text, "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n");
	for (size_t i = 0; i < 3; i++) {
		struct found of_body = frames_of(str_from(bodies[i]), statuses[i]);

		for (size_t n = 0; n < of_body.count; n++)
			found_add(&expected, received + of_body.at[n]);
		mem_free(of_body.at);
		buf_printf(&text, "{\"t\":%zu,\"head\":{\"status\":%d}}\n", 10 * i + 1, statuses[i]);
		tape_line_body(&text, str_from(bodies[i]), 10.0 * (double)i + 2);
		received += strlen(bodies[i]);
	}
	buf_add_z(&text, "{\"t\":99,\"end\":\"closed\"}\n");
	CU_ASSERT_EQUAL(expected.count, 5);
	check_text("three bodies", buf_str(&text), NULL, 0, &expected);
	mem_free(expected.at);
	buf_fini(&text);
}

const struct suite suite_frames = { "frames", (const struct test[]){
	TEST(in_our_streams), TEST(in_the_shared_streams), TEST(in_odd_bodies), TEST(go_on_in_another_body), { 0 } } };
