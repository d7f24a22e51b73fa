/* Lint of a long answer, compared with decoding it. */
#include "bench/bench.h"

#include <stdio.h>

#include "bench/decode_streams.h"
#include "wire/lint/lint.h"
#include "wire/summary.h"

#define READ_BYTES 16384 /* maximum size of curl's reads */
#define ROUNDS 5
#define CHAT_DELTAS 340000 /* 100 MB */

static void discard_delta(void *ctx, const struct delta *delta)
{
	(void)ctx, (void)delta;
}

static void count_finding(void *ctx, const struct lint_finding *finding)
{
	(void)finding;
	++*(size_t *)ctx;
}

static double feed_s(const struct bench_stream *s, struct stream_options *options, delta_sink *sink, void *ctx)
{
	int64_t start = bench_now_ns();
	struct stream *stream = stream_new(options, sink, ctx);

	for (struct str rest = buf_str(&s->body); rest.len; rest = str_skip(rest, READ_BYTES))
		stream_body(stream, str_head(rest, READ_BYTES), 0);
	stream_end(stream, END_CLOSED, 0);
	stream_free(stream);
	return (double)(bench_now_ns() - start) / 1e9;
}

static double decode_s(const struct bench_stream *s, const struct protocol *protocol)
{
	struct summary *summary = summary_new();
	double seconds = feed_s(s, &(struct stream_options){ .protocol = protocol }, summary_delta, summary);

	summary_free(summary);
	return seconds;
}

static double lint_s(const struct bench_stream *s, const struct protocol *protocol)
{
	size_t findings = 0;
	struct lint *lint = lint_new(&(struct lint_options){ 0 }, count_finding, &findings);
	double seconds = feed_s(s, &(struct stream_options){ .protocol = protocol, .tap = lint_tap(lint) }, discard_delta, NULL);

	lint_free(lint);
	return seconds;
}

static void measure_protocol(const struct protocol *protocol, size_t deltas, const char *goal)
{
	struct bench_stream s;
	double decode[ROUNDS], lint[ROUNDS];

	if (!bench_stream_make(&s, protocol->name, deltas))
		return;
	for (size_t i = 0; i < ROUNDS; i++) {
		decode[i] = decode_s(&s, protocol);
		lint[i] = lint_s(&s, protocol);
	}
	double yardstick = bench_quantile(decode, ROUNDS, 0), best = bench_quantile(lint, ROUNDS, 0);
	bench_print(protocol->name, goal, "%4.0f MB at %6.1f MB/s, decode %6.1f MB/s  x %.2f", (double)s.body.len / 1e6,
	            (double)s.body.len / best / 1e6, (double)s.body.len / yardstick / 1e6, yardstick / best);
	bench_stream_fini(&s);
}

void bench_lint(bool quick)
{
	size_t deltas = quick ? CHAT_DELTAS / 10 : CHAT_DELTAS;

	bench_print_title("Lint, all dialects at once (x: share of the speed of decoding into the summary)");
	measure_protocol(protocol_at(0), deltas, "x 0.50");
	for (size_t i = 1; protocol_at(i); i++)
		measure_protocol(protocol_at(i), deltas / 4, "x 0.50");
}
