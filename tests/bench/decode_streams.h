/*
 * Generates long answers of each protocol in memory: the bytes a server would send, and the location of the payloads.
 */
#ifndef WEIR_TESTS_BENCH_DECODE_STREAMS_H
#define WEIR_TESTS_BENCH_DECODE_STREAMS_H

#include "base/text.h"

/* One openai-chat answer in pieces: BENCH_CHAT_FIRST, for each token BEFORE token AFTER, BENCH_CHAT_LAST. */
#define BENCH_CHAT_HEAD                                                                                                    \
	"data: {\"id\":\"chatcmpl-Cx81LrWq5mVnB0tYfKzE3hDjP6uSa\",\"object\":\"chat.completion.chunk\",\"created\":1767261600," \
	"\"model\":\"openai/gpt-5.4-mini\",\"service_tier\":\"default\",\"system_fingerprint\":\"fp_6b1e\",\"choices\":[{\"index\":0,"
#define BENCH_CHAT_FIRST BENCH_CHAT_HEAD "\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n"
#define BENCH_CHAT_BEFORE BENCH_CHAT_HEAD "\"delta\":{\"content\":\""
#define BENCH_CHAT_AFTER "\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n"
#define BENCH_CHAT_LAST BENCH_CHAT_HEAD "\"delta\":{},\"logprobs\":null,\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

struct payload { size_t at, len; };

struct bench_stream {
	struct buf body;
	struct payload *payloads;  /* the JSON of each frame; points into `body` */
	size_t count, capacity;
	size_t payload_bytes;
};

/* Generates an answer with `deltas` text deltas. False if the protocol is unknown. */
bool bench_stream_make(struct bench_stream *s, const char *protocol, size_t deltas);
void bench_stream_fini(struct bench_stream *s);

#endif
