/* Decoding a long answer, compared with json-c parsing the same payloads. */
#include "bench/bench.h"

#include <json-c/json.h>
#include <stdio.h>

#include "bench/decode_streams.h"
#include "wire/stream.h"
#include "wire/summary.h"

#define READ_BYTES 16384 /* maximum size of curl's reads */
#define ROUNDS 9

static void count_text(void *ctx, const struct delta *delta)
{
	size_t *bytes = ctx;

	if (delta->kind == DELTA_TEXT)
		*bytes += delta->text.len;
}

static double decode_s(const struct bench_stream *s, const char *protocol, delta_sink *sink, void *ctx)
{
	int64_t start = bench_now_ns();
	struct stream_options options = { .protocol = protocol_find(str_from(protocol)), .asked.single_choice = true };
	struct stream *stream = stream_new(&options, sink, ctx);

	for (struct str rest = buf_str(&s->body); rest.len; rest = str_skip(rest, READ_BYTES))
		stream_body(stream, str_head(rest, READ_BYTES), 0);
	stream_end(stream, END_CLOSED, 0);
	stream_free(stream);
	return (double)(bench_now_ns() - start) / 1e9;
}

/* The baseline: values are parsed and freed without being read. */
static double parse_s(const struct bench_stream *s)
{
	struct json_tokener *tokener = json_tokener_new();
	int64_t start = bench_now_ns();

	for (size_t i = 0; i < s->count; i++) {
		json_tokener_reset(tokener);
		json_object_put(json_tokener_parse_ex(tokener, s->body.ptr + s->payloads[i].at, (int)s->payloads[i].len));
	}
	double seconds = (double)(bench_now_ns() - start) / 1e9;
	json_tokener_free(tokener);
	return seconds;
}

struct times { double parse[ROUNDS], sink[ROUNDS], summary[ROUNDS]; };

/* Both run alternately, and the best round of each is used, because other load can only add time. */
static void measure(const struct bench_stream *s, const char *protocol, struct times *t)
{
	for (size_t i = 0; i < ROUNDS; i++) {
		size_t bytes = 0;
		struct summary *summary = summary_new();

		t->parse[i] = parse_s(s);
		t->sink[i] = decode_s(s, protocol, count_text, &bytes);
		t->summary[i] = decode_s(s, protocol, summary_delta, summary);
		if (!bytes || bytes != summary_text(summary).len || summary_outcome(summary) != OUTCOME_COMPLETE)
			printf("  %s: the stream was not decoded whole\n", protocol);
		summary_free(summary);
	}
}

static void print(const struct bench_stream *s, const char *what, const char *goal, double seconds, double yardstick)
{
	bench_print(what, goal, "%6.1f MB/s %8.0f frames/s  x %.2f", (double)s->body.len / seconds / 1e6,
	            (double)s->count / seconds, seconds / yardstick);
}

static void measure_protocol(const char *protocol, size_t deltas, const char *goal)
{
	struct bench_stream s;
	struct times t;
	char what[64];

	if (!bench_stream_make(&s, protocol, deltas))
		return;
	measure(&s, protocol, &t);
	double yardstick = bench_quantile(t.parse, ROUNDS, 0);
	snprintf(what, sizeof what, "json-c alone, %zu bytes a payload", s.payload_bytes / s.count);
	bench_print(what, "", "%6.1f MB/s %8.0f frames/s  x 1.00", (double)s.payload_bytes / yardstick / 1e6, (double)s.count / yardstick);
	snprintf(what, sizeof what, "%s into nothing", protocol);
	print(&s, what, goal, bench_quantile(t.sink, ROUNDS, 0), yardstick);
	snprintf(what, sizeof what, "%s into the summary", protocol);
	print(&s, what, goal, bench_quantile(t.summary, ROUNDS, 0), yardstick);
	bench_stream_fini(&s);
}

void bench_decode(bool quick)
{
	size_t deltas = quick ? 20000 : 60000;

	bench_print_title("Decoding %zu deltas in reads of %d KB (x: times json-c's own parse of the same payloads)", deltas, READ_BYTES >> 10);
	measure_protocol("openai-chat", deltas, "x 1.50");
	for (size_t i = 1; protocol_at(i); i++)
		measure_protocol(protocol_at(i)->name, deltas / 4, "");
}
