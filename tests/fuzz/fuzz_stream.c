/*
 * Feeds any bytes to a stream. Rules: the deltas follow the grammar with exactly one end, all text is valid UTF-8, splitting the input
 * does not change the summary, the summary is JSON, and the next request is valid in every protocol.
 *
 * input: protocol, dialect and how it ends, status, seed of the splits; then the body
 */
#include <math.h>

#include "base/json_scan.h"
#include "base/utf8.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/projection.h"
#include "chat/valid_request.h"
#include "fuzz.h"
#include "wire/grammar.h"
#include "wire/stream.h"
#include "wire/summary.h"

#define PACK_FROM 8 /* what is packed must be the same as what is not because it came whole */
#define CALLS_OF_ORACLE 64 /* the limit of valid_request.c */

struct setting {
	struct stream_options options;
	enum end_how how;
	int status;
	unsigned seed;
	struct str body;
};

struct run {
	struct grammar grammar;
	struct summary *summary;
	struct turn *turn;
	struct buf out;
};

static struct setting read_setting(struct fuzz_input *in)
{
	static const enum end_how hows[] = { END_CLOSED, END_CUT, END_STALLED, END_CANCELLED };
	static const int statuses[] = { 200, 200, 200, 200, 400, 429, 204, 500 };
	unsigned protocol = fuzz_byte(in) % 6, mixed = fuzz_byte(in), dialects = 0;

	while (dialect_at(dialects))
		dialects++;
	struct setting s = {
		.options = { .protocol = protocol < 5 ? protocol_at(protocol) : NULL, .dialect = dialect_at(mixed / 8 % dialects),
		             .asked.single_choice = mixed & 4, .untimed = true, .pack_from = PACK_FROM },
		.how = hows[mixed % 4],
		.status = statuses[fuzz_byte(in) % 8],
		.seed = fuzz_byte(in) + 1,
	};
	s.body = in->rest;
	return s;
}

static void check_text(struct str text)
{
	FUZZ_CHECK(utf8_is_valid(text), "text in deltas is valid UTF-8");
}

static void check_delta(void *ctx, const struct delta *d)
{
	struct run *r = ctx;

	check_text(d->text);
	if (d->kind == DELTA_TOOL_BEGIN || d->kind == DELTA_TOOL_NAME) {
		check_text(d->tool.id);
		check_text(d->tool.name);
	} else if (d->kind == DELTA_OPAQUE) {
		check_text(d->opaque.data);
	} else if (d->kind == DELTA_NOTICE) {
		check_text(d->notice.text);
	} else if (d->kind == DELTA_ERROR) {
		check_text(d->error.message);
		FUZZ_CHECK(d->error.message.len, "an error has a message");
	}
	summary_delta(r->summary, d);
	if (r->turn)
		turn_delta(r->turn, d);
}

/* Seed 0: in one piece. */
static void feed(struct stream *stream, struct str body, unsigned seed)
{
	while (body.len) {
		size_t size = seed ? fuzz_cut(&seed) : body.len;

		stream_body(stream, str_head(body, size), 0);
		body = str_skip(body, size);
	}
}

static void run(struct run *r, const struct setting *s, unsigned seed, struct turn *turn)
{
	*r = (struct run){ .grammar = { .next = check_delta, .ctx = r }, .summary = summary_new(), .turn = turn };
	struct stream *stream = stream_new(&s->options, grammar_delta, &r->grammar);
	if (s->status != 200)
		stream_head(stream, &(struct response_head){ .status = s->status }, 0);
	feed(stream, s->body, seed);
	stream_end(stream, s->how, 0);
	stream_end(stream, END_CUT, 0);
	const char *fault = grammar_fault(&r->grammar);
	FUZZ_CHECK(!fault, fault);
	const struct protocol *protocol = stream_protocol(stream);
	summary_write(r->summary, str_from(protocol ? protocol->name : NULL), STR("x"), &r->out);
	FUZZ_CHECK(json_scan_is_whole(buf_str(&r->out)), "a summary is JSON");
	if (turn)
		turn_set_protocol(turn, protocol);
	stream_free(stream);
}

static void run_free(struct run *r)
{
	summary_free(r->summary);
	buf_fini(&r->out);
}

static void check_requests(const struct conversation *c, const struct turn *t)
{
	struct buf body = { 0 };

	for (size_t i = 0; protocol_at(i) && turn_call_count(t) < CALLS_OF_ORACLE; i++) {
		struct scope scope = { .provider = t->scope.provider, .model = t->scope.model, .protocol = protocol_at(i) };
		struct projection p;

		conversation_project(c, c->count, &scope, 0, &p);
		struct request request = { .model = STR("m"), .messages = p.messages, .message_count = p.count, .temperature = (double)NAN };
		buf_clear(&body);
		protocol_build(scope.protocol, &request, &body);
		const char *fault = request_fault(scope.protocol, buf_str(&body));
		if (fault)
			fprintf(stderr, "%s: %s\n", scope.protocol->name, buf_z(&body));
		FUZZ_CHECK(!fault, fault);
		projection_fini(&p);
	}
	buf_fini(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	struct setting s = read_setting(&in);
	struct conversation *c = conversation_new();
	struct run whole, cut;

	turn_add(conversation_ask(c), PART_TEXT, STR("q"), STR_NONE, STR_NONE);
	struct turn *t = conversation_answer(c, STR("p"), s.options.protocol, STR("m"));
	turn_add(conversation_ask(c), PART_TEXT, STR("q"), STR_NONE, STR_NONE);
	run(&whole, &s, 0, t);
	run(&cut, &s, s.seed, NULL);
	if (!str_equal(buf_str(&whole.out), buf_str(&cut.out)))
		fprintf(stderr, "whole: %s\ncut:   %s\n", buf_z(&whole.out), buf_z(&cut.out));
	FUZZ_CHECK(str_equal(buf_str(&whole.out), buf_str(&cut.out)), "cuts change nothing");
	check_requests(c, t);
	run_free(&whole);
	run_free(&cut);
	conversation_free(c);
	return 0;
}
