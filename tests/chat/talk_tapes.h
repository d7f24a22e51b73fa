/* Pieces from which tests build the text of tapes. */
#ifndef WEIR_TESTS_CHAT_TALK_TAPES_H
#define WEIR_TESTS_CHAT_TALK_TAPES_H

#define HEAD(status, type) "{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":" #status ",\"content_type\":\"" type "\",\"headers\":{\"x-request-id\":\"req-7\"}}}\n"
#define SSE HEAD(200, "text/event-stream")
#define CHAT(t, delta) "{\"t\":" #t ",\"body\":\"data: {\\\"id\\\":\\\"c1\\\",\\\"model\\\":\\\"m-1\\\",\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":" delta "}]}\\n\\n\"}\n"
#define CHAT_TEXT(t, text) CHAT(t, "{\\\"content\\\":\\\"" text "\\\"}")
#define CHAT_STOP(t) "{\"t\":" #t ",\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{},\\\"finish_reason\\\":\\\"stop\\\"}]}\\n\\n\"}\n"
#define CHAT_DONE(t) "{\"t\":" #t ",\"body\":\"data: [DONE]\\n\\n\"}\n"
#define END(t, how) "{\"t\":" #t ",\"end\":\"" how "\"}\n"
#define REFUSAL(status, json) HEAD(status, "application/json") "{\"t\":1,\"body\":\"" json "\"}\n" END(2, "closed")
#define HELLO SSE CHAT_TEXT(1, "Hel") CHAT_TEXT(2, "lo") CHAT_STOP(3) CHAT_DONE(4) END(5, "closed")

#define ANTHROPIC_START "{\"t\":1,\"body\":\"event: message_start\\ndata: {\\\"type\\\":\\\"message_start\\\",\\\"message\\\":{\\\"id\\\":\\\"a1\\\",\\\"model\\\":\\\"m-1\\\"}}\\n\\n\"}\n" \
	"{\"t\":1,\"body\":\"event: content_block_delta\\ndata: {\\\"type\\\":\\\"content_block_delta\\\",\\\"index\\\":0,\\\"delta\\\":{\\\"type\\\":\\\"text_delta\\\",\\\"text\\\":\\\"Hello\\\"}}\\n\\n\"}\n" \
	"{\"t\":2,\"body\":\"event: message_delta\\ndata: {\\\"type\\\":\\\"message_delta\\\",\\\"delta\\\":{\\\"stop_reason\\\":\\\"end_turn\\\"}}\\n\\n\"}\n"
#define ANTHROPIC_STOP "{\"t\":3,\"body\":\"event: message_stop\\ndata: {\\\"type\\\":\\\"message_stop\\\"}\\n\\n\"}\n"
#define GEMINI "{\"t\":1,\"body\":\"data: {\\\"candidates\\\":[{\\\"content\\\":{\\\"parts\\\":[{\\\"text\\\":\\\"Hello\\\"}],\\\"role\\\":\\\"model\\\"},\\\"finishReason\\\":\\\"STOP\\\"}]}\\r\\n\\r\\n\"}\n"
#define RESPONSES "{\"t\":1,\"body\":\"data: {\\\"type\\\":\\\"response.output_text.delta\\\",\\\"output_index\\\":0,\\\"content_index\\\":0,\\\"delta\\\":\\\"Hello\\\"}\\n\\n\"}\n" \
	"{\"t\":2,\"body\":\"data: {\\\"type\\\":\\\"response.completed\\\",\\\"response\\\":{\\\"id\\\":\\\"r1\\\",\\\"status\\\":\\\"completed\\\",\\\"output\\\":[]}}\\n\\n\"}\n"
#define OLLAMA "{\"t\":1,\"body\":\"{\\\"model\\\":\\\"m-1\\\",\\\"message\\\":{\\\"role\\\":\\\"assistant\\\",\\\"content\\\":\\\"Hello\\\"},\\\"done\\\":false}\\n\"}\n" \
	"{\"t\":2,\"body\":\"{\\\"model\\\":\\\"m-1\\\",\\\"message\\\":{\\\"content\\\":\\\"\\\"},\\\"done\\\":true,\\\"done_reason\\\":\\\"stop\\\"}\\n\"}\n"
/* The body of a refusal, for REFUSAL(). */
#define ERROR_JSON(message) "{\\\"error\\\":{\\\"message\\\":\\\"" message "\\\",\\\"type\\\":\\\"invalid_request_error\\\",\\\"code\\\":null}}"

#endif
