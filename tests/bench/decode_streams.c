#include "bench/decode_streams.h"

#include <string.h>

#include "base/mem.h"

/* Tokens as models send them: words with a blank; occasionally characters that JSON escapes, or non-ASCII. */
static const char *const tokens[] = {
	" the", " stream", " is", " a", " sequence", " of", " small", " pieces", ",", " each", " of", " them", " arriv", "ing",
	" when", " it", " is", " ready", ".", "\\n\\n", " When", " you", " read", " it", " as", " it", " comes", ",", " nothing",
	" waits", " -", " \\\"", "now", "\\\"", " means", " now", ".", " Caf\xC3\xA9", " costs", " 3", ".", "50", " \xE2\x82\xAC", ".",
};
enum { TOKEN_COUNT = sizeof tokens / sizeof *tokens };

struct shape {
	const char *protocol;
	const char *first;        /* frames before the text, each with its blank line or LF */
	const char *before, *after; /* the frame around a token; its payload begins at the first '{' */
	const char *last;
};

static const struct shape shapes[] = {
	{
		.protocol = "openai-chat",
		.first = BENCH_CHAT_FIRST,
		.before = BENCH_CHAT_BEFORE,
		.after = BENCH_CHAT_AFTER,
		.last = BENCH_CHAT_LAST,
	},
	{
		.protocol = "anthropic",
		.first = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_01Q\",\"type\":\"message\",\"role\":"
		         "\"assistant\",\"model\":\"claude\",\"content\":[],\"usage\":{\"input_tokens\":12,\"output_tokens\":1}}}\n\n"
		         "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
		         "{\"type\":\"text\",\"text\":\"\"}}\n\n",
		.before = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"",
		.after = "\"}}\n\n",
		.last = "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
		        "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":9}}\n\n"
		        "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
	},
	{
		.protocol = "gemini",
		.first = "",
		.before = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"",
		.after = "\"}],\"role\":\"model\"},\"index\":0}],\"usageMetadata\":{\"promptTokenCount\":12,\"totalTokenCount\":12},"
		         "\"modelVersion\":\"gemini-2.5-flash\",\"responseId\":\"kq2bT4mV\"}\n\n",
		.last = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}],\"role\":\"model\"},\"finishReason\":\"STOP\",\"index\":0}]}\n\n",
	},
	{
		.protocol = "openai-responses",
		.first = "event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0,\"response\":{\"id\":\"resp_9\","
		         "\"object\":\"response\",\"status\":\"in_progress\",\"model\":\"gpt-5.4-mini\",\"output\":[]}}\n\n"
		         "event: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"sequence_number\":1,\"output_index\":0,"
		         "\"item\":{\"id\":\"msg_9\",\"type\":\"message\",\"status\":\"in_progress\",\"role\":\"assistant\",\"content\":[]}}\n\n",
		.before = "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"sequence_number\":4,\"item_id\":\"msg_9\","
		          "\"output_index\":0,\"content_index\":0,\"delta\":\"",
		.after = "\",\"logprobs\":[],\"obfuscation\":\"k2bT4mVq\"}\n\n",
		.last = "event: response.completed\ndata: {\"type\":\"response.completed\",\"sequence_number\":9,\"response\":{\"id\":\"resp_9\","
		        "\"object\":\"response\",\"status\":\"completed\",\"model\":\"gpt-5.4-mini\",\"output\":[]}}\n\n",
	},
	{
		.protocol = "ollama",
		.first = "",
		.before = "{\"model\":\"llama3.2\",\"created_at\":\"2026-01-01T10:00:00.123456789Z\",\"message\":{\"role\":\"assistant\",\"content\":\"",
		.after = "\"},\"done\":false}\n",
		.last = "{\"model\":\"llama3.2\",\"created_at\":\"2026-01-01T10:00:01Z\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},"
		        "\"done_reason\":\"stop\",\"done\":true}\n",
	},
};

static void add_payload(struct bench_stream *s, struct str line, size_t at)
{
	const char *brace = memchr(line.ptr, '{', line.len);

	if (!brace)
		return;
	size_t skipped = (size_t)(brace - line.ptr);
	mem_reserve(&s->payloads, &s->capacity, s->count + 1, sizeof *s->payloads);
	s->payloads[s->count++] = (struct payload){ at + skipped, line.len - skipped };
	s->payload_bytes += line.len - skipped;
}

static void find_payloads(struct bench_stream *s)
{
	struct str rest = buf_str(&s->body), line;

	while (str_split(&rest, '\n', &line))
		add_payload(s, line, (size_t)(line.ptr - s->body.ptr));
}

bool bench_stream_make(struct bench_stream *s, const char *protocol, size_t deltas)
{
	*s = (struct bench_stream){ 0 };
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		const struct shape *shape = &shapes[i];

		if (strcmp(shape->protocol, protocol))
			continue;
		buf_add_z(&s->body, shape->first);
		for (size_t n = 0; n < deltas; n++) {
			buf_add_z(&s->body, shape->before);
			buf_add_z(&s->body, tokens[n % TOKEN_COUNT]);
			buf_add_z(&s->body, shape->after);
		}
		buf_add_z(&s->body, shape->last);
		find_payloads(s);
		return true;
	}
	return false;
}

void bench_stream_fini(struct bench_stream *s)
{
	buf_fini(&s->body);
	mem_free(s->payloads);
}
