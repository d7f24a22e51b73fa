/*
 * Reads any file as a tape. Rules: the steps are in order of time, with one end at the end; the deltas follow the grammar; the player
 * gives the same steps at any speed; a scrubbed body has the same length.
 *
 * input: the file
 */
#include "base/utf8.h"
#include "chat/player/trace.h"
#include "fuzz.h"
#include "net/tape.h"
#include "wire/event_read.h"
#include "wire/grammar.h"
#include "wire/scrub.h"

struct replay {
	const struct tape *tape;
	size_t index;
	unsigned ends;
};

static void next_step(struct replay *r, enum tape_step_kind kind, double at_ms)
{
	while (tape_at(r->tape, r->index).kind == TAPE_SENT || tape_at(r->tape, r->index).kind == TAPE_CAME)
		r->index++; /* messages are of no stream */
	struct tape_step step = tape_at(r->tape, r->index++);

	FUZZ_CHECK(step.kind == kind, "the player gives the tape's steps");
	FUZZ_CHECK(!(step.at_ms < at_ms) && !(step.at_ms > at_ms), "the player gives the tape's times");
}

static void on_head(void *ctx, const struct response_head *head, double at_ms)
{
	(void)head;
	next_step(ctx, TAPE_HEAD, at_ms);
}

static void on_body(void *ctx, struct str bytes, double at_ms)
{
	struct replay *r = ctx;

	next_step(r, TAPE_BODY, at_ms);
	FUZZ_CHECK(bytes.len == tape_at(r->tape, r->index - 1).bytes.len, "the player gives the tape's bytes");
}

static void on_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct replay *r = ctx;

	(void)how;
	(void)detail;
	r->ends++;
	next_step(r, TAPE_END, at_ms);
}

static void check_steps(const struct tape *tape)
{
	size_t count = tape_length(tape);
	double last_ms = 0;

	FUZZ_CHECK(count > 0, "a tape has an end");
	for (size_t i = 0; i < count; i++) {
		struct tape_step step = tape_at(tape, i);

		FUZZ_CHECK(step.at_ms >= last_ms && step.at_ms < 1e18, "time goes on");
		FUZZ_CHECK((step.kind == TAPE_END) == (i + 1 == count), "one end, and last");
		last_ms = step.at_ms;
	}
	for (size_t i = 0; i < tape_behind(tape); i++) {
		struct tape_step step = tape_at(tape, count + i);

		FUZZ_CHECK(step.at_ms >= last_ms && step.at_ms < 1e18, "time goes on behind the end");
		FUZZ_CHECK(step.run && (step.kind == TAPE_RUN ? step.run->number > 0 : step.kind == TAPE_SENT || step.kind == TAPE_CAME), "it is of a run");
		last_ms = step.at_ms;
	}
}

static void check_player(const struct tape *tape)
{
	struct replay r = { .tape = tape };
	struct source_sink sink = { &r, on_head, on_body, on_end };
	struct source *player = tape_player_new(tape, &sink, 0, 0);

	for (size_t turns = 0; !r.ends && turns <= tape_length(tape); turns++)
		source_run(player, 0);
	FUZZ_CHECK(r.ends == 1 && r.index == tape_length(tape), "the player comes to the end");
	FUZZ_CHECK(source_deadline(player) == NO_DEADLINE, "and stays there");
	source_free(player);
}

static void ignore(void *ctx, const struct delta *delta)
{
	(void)ctx;
	(void)delta;
}

static void check_deltas(const struct tape *tape)
{
	struct grammar grammar = { .next = ignore };
	struct stream_options options = { .protocol = protocol_find(tape_facts(tape)->protocol), .asked = tape_asked(tape) };
	struct stream *stream = stream_new(&options, grammar_delta, &grammar);
	const char *fault;

	tape_feed(tape, stream, 0, NULL, NULL);
	fault = grammar_fault(&grammar);
	FUZZ_CHECK(!fault, fault);
	stream_free(stream);
}

static void check_scrubbed(const struct tape *tape)
{
	struct buf body = { 0 }, scrubbed = { 0 };
	struct scrub *scrub = scrub_new(1);

	for (size_t i = 0; i < tape_length(tape); i++)
		buf_add(&body, tape_at(tape, i).bytes);
	scrub_body(scrub, buf_str(&body), &scrubbed);
	scrub_free(scrub);
	FUZZ_CHECK(scrubbed.len == body.len, "a scrubbed body keeps its length");
	buf_fini(&body);
	buf_fini(&scrubbed);
}

static void check_events(struct str text)
{
	struct grammar grammar = { .next = ignore };
	enum end_how how;

	if (!event_read_begins(text))
		return;
	event_read(text, grammar_delta, &grammar, &how);
	FUZZ_CHECK(!grammar_fault(&grammar), "events keep the grammar");
	FUZZ_CHECK(event_read_status(text) < 1000, "a status has three digits");
}

/* Of any tape, sessions with MCP servers included. */
static void check_trace(const struct tape *tape)
{
	struct trace *trace = trace_new(tape, &(struct stream_options){ .protocol = protocol_find(tape_facts(tape)->protocol) }, 0, LINT_LEVEL_OFF);
	size_t bytes = 0;

	while (trace_read(trace, 4096))
		;
	for (size_t i = 0; i < trace_count(trace); i++) {
		FUZZ_CHECK(trace_at(trace, i)->offset == bytes, "rows leave no byte out");
		FUZZ_CHECK(utf8_is_valid(trace_words(trace, i)), "what a message is, is text");
		bytes += trace_length(trace, i);
	}
	FUZZ_CHECK(trace_settled(trace) == trace_count(trace), "all rows are settled");
	trace_free(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tape *tape = NULL;
	struct error err = { "" };

	check_events(str_of((const char *)data, size));
	if (!tape_from_text(&tape, str_of((const char *)data, size), &err)) {
		FUZZ_CHECK(err.text[0], "an error has a sentence");
		return 0;
	}
	check_steps(tape);
	check_player(tape);
	check_deltas(tape);
	check_scrubbed(tape);
	check_trace(tape);
	tape_free(tape);
	return 0;
}
