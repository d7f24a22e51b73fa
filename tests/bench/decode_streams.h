/*
 * Long answers in the form of each protocol, made in memory: what a server would send, and where its payloads stand.
 */
#ifndef WEIR_TESTS_BENCH_DECODE_STREAMS_H
#define WEIR_TESTS_BENCH_DECODE_STREAMS_H

#include "base/text.h"

struct payload { size_t at, len; };

struct bench_stream {
	struct buf body;
	struct payload *payloads;  /* the JSON of each frame, in body */
	size_t count, capacity;
	size_t payload_bytes;
};

/* `deltas` of text with what comes before and after them. False when nobody knows the protocol. */
bool bench_stream_make(struct bench_stream *s, const char *protocol, size_t deltas);
void bench_stream_fini(struct bench_stream *s);

#endif
