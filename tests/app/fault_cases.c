#include "app/fault_cases.h"

#include <string.h>

#include "support/faulty.h"

#define SSE "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
#define JSON(status) "HTTP/1.1 " status " Status\r\nContent-Type: application/json\r\n\r\n"
#define HTML(status) "HTTP/1.1 " status " Status\r\nContent-Type: text/html\r\n\r\n"
#define STREAM SSE "\r\n"
#define CHUNKED SSE "Transfer-Encoding: chunked\r\n\r\n"

/* One event of each protocol: a text, and the end of the stream. */
#define CHAT(text) "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"}}]}\n\n"
#define STOP "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define DONE "data: [DONE]\n\n"
#define MESSAGE "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"a\",\"model\":\"m\"}}\n\n" \
	"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hello\"}}\n\n"
#define MESSAGE_END "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n"
#define MESSAGE_STOP "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
#define RESPONSE "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,\"delta\":\"Hello\"}\n\n"
#define COMPLETED "data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"status\":\"completed\",\"output\":[]}}\n\n"
#define CANDIDATE "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hello\"}],\"role\":\"model\"}}]}\r\n\r\n"
#define CANDIDATE_STOP "data: {\"candidates\":[{\"content\":{\"role\":\"model\"},\"finishReason\":\"STOP\"}]}\r\n\r\n"
#define LINE "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"Hello\"},\"done\":false}\n"
#define LINE_DONE "{\"model\":\"m\",\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}\n"

#define CHAT_ERROR "data: {\"error\":{\"message\":\"upstream is gone\",\"type\":\"server_error\",\"code\":502}}\n\n"

/* A call with these arguments, and its end. */
#define CALL(json) "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[" json "]}}]}\n\n"
#define CALLS_END "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n" DONE

#define KEPT "Hello"

const struct fault_case fault_cases[] = {
	/* the end mark decides, not the connection */
	{ "whole", NULL, STREAM CHAT("Hello") STOP DONE, "complete", 0, KEPT, NULL, true },
	{ "reset behind [DONE]", NULL, STREAM CHAT("Hello") STOP DONE FAULTY_REST FAULTY_RESET, "complete", 0, KEPT, NULL, true },
	{ "open behind [DONE]", NULL, STREAM CHAT("Hello") STOP DONE FAULTY_HANG, "complete", 0, KEPT, NULL, true },
	{ "closed behind the finish reason", NULL, STREAM CHAT("Hello") STOP, "complete", 0, KEPT, NULL, false },
	{ "reset behind the finish reason", NULL, STREAM CHAT("Hello") STOP FAULTY_REST FAULTY_RESET, "complete", 0, KEPT, NULL, false },
	{ "open behind the finish reason", NULL, STREAM CHAT("Hello") STOP FAULTY_HANG, "complete", 0, KEPT, NULL, true },
	{ "text behind the finish reason", NULL, STREAM CHAT("Hel") STOP CHAT("lo") DONE, "complete", 0, KEPT, NULL, false },
	{ "no last chunk behind [DONE]", NULL, CHUNKED "8e\r\n" CHAT("Hello") STOP DONE, "complete", 0, KEPT, NULL, false },
	{ "reset behind message_stop", "anthropic", STREAM MESSAGE MESSAGE_END MESSAGE_STOP FAULTY_REST FAULTY_RESET, "complete", 0, KEPT, NULL, false },
	{ "reset behind response.completed", "openai-responses", STREAM RESPONSE COMPLETED FAULTY_REST FAULTY_RESET, "complete", 0, KEPT, NULL, false },
	{ "reset behind done", "ollama", STREAM LINE LINE_DONE FAULTY_REST FAULTY_RESET, "complete", 0, KEPT, NULL, false },
	{ "closed behind finishReason", "gemini", STREAM CANDIDATE CANDIDATE_STOP, "complete", 0, KEPT, NULL, false },
	{ "silent behind finishReason", "gemini", STREAM CANDIDATE CANDIDATE_STOP FAULTY_HANG, "complete", 0, KEPT, NULL, false },
	{ "silent behind message_delta", "anthropic", STREAM MESSAGE MESSAGE_END FAULTY_HANG, "complete", 0, KEPT, NULL, false },

	/* cut */
	{ "closed in the text", NULL, STREAM CHAT("Hello"), "cut", 3, KEPT, "connection", true },
	{ "reset in the text", NULL, STREAM CHAT("Hello") FAULTY_REST FAULTY_RESET, "cut", 3, KEPT, "connection", true },
	{ "closed in an event", NULL, STREAM CHAT("Hello") "data: {\"choices\":[{\"ind", "cut", 3, KEPT, NULL, false },
	{ "closed behind the head", NULL, STREAM, "cut", 3, "", NULL, true },
	{ "nothing but comments", NULL, STREAM ": ping\n\n: ping\n\n", "cut", 3, "", NULL, false },
	{ "a length too long", NULL, SSE "Content-Length: 999\r\n\r\n" CHAT("Hello"), "cut", 3, KEPT, NULL, true },
	{ "a chunk's size that is none", NULL, CHUNKED "3d\r\n" CHAT("Hello") "\r\nzz\r\n", "cut", 3, KEPT, NULL, true },
	{ "a chunk that breaks off", NULL, CHUNKED "999\r\n" CHAT("Hello"), "cut", 3, KEPT, NULL, false },
	{ "closed before message_stop", "anthropic", STREAM MESSAGE MESSAGE_END, "cut", 3, KEPT, NULL, false },
	{ "closed before response.completed", "openai-responses", STREAM RESPONSE, "cut", 3, KEPT, NULL, false },
	{ "reset behind finishReason", "gemini", STREAM CANDIDATE CANDIDATE_STOP FAULTY_REST FAULTY_RESET, "cut", 3, KEPT, NULL, false },
	{ "closed before done", "ollama", STREAM LINE, "cut", 3, KEPT, NULL, false },
	{ "cut in a call", NULL, STREAM CALL("{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\"}}"), "cut", 3, "", NULL, true },

	/* stalled */
	{ "silent in the text", NULL, STREAM CHAT("Hello") FAULTY_HANG, "stalled", 3, KEPT, "nothing arrived for 0.3 s (the setting idle)", true },
	{ "silent behind the head", NULL, STREAM FAULTY_HANG, "stalled", 3, "", NULL, true },
	{ "silent before the head", NULL, FAULTY_HANG, "stalled", 3, "", "nothing arrived for 0.3 s (the setting first_byte)", true },
	{ "silent in a header", NULL, SSE "X-Slow" FAULTY_HANG, "stalled", 3, "", NULL, false },
	{ "silent in a message", "anthropic", STREAM MESSAGE FAULTY_HANG, "stalled", 3, KEPT, NULL, false },

	/* errors in the stream */
	{ "an error event", NULL, STREAM CHAT("Hello") CHAT_ERROR DONE, "error", 4, KEPT, "upstream is gone", true },
	{ "an error event, then a reset", NULL, STREAM CHAT("Hello") CHAT_ERROR FAULTY_REST FAULTY_RESET, "error", 4, KEPT, "upstream is gone", false },
	{ "an error event, then silence", NULL, STREAM CHAT("Hello") CHAT_ERROR FAULTY_HANG, "error", 4, KEPT, "upstream is gone", true },
	{ "overloaded", "anthropic", STREAM MESSAGE "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
	  "error", 4, KEPT, "Overloaded", true },
	{ "response.failed", "openai-responses", STREAM RESPONSE "data: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":{\"code\":\"x\",\"message\":\"it broke\"}}}\n\n",
	  "error", 4, KEPT, "it broke", false },
	{ "an error line", "ollama", STREAM LINE "{\"error\":\"model runner died\"}\n", "error", 4, KEPT, "model runner died", false },
	{ "an error object without data:", "gemini", STREAM CANDIDATE "{\"error\":{\"code\":503,\"message\":\"try later\",\"status\":\"UNAVAILABLE\"}}", "error", 4, KEPT, "try later", false },

	{ "only a finish word", NULL, STREAM CHAT("Hello") "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"error\"}]}\n\n" DONE,
	  "error", 4, KEPT, "ended the answer with \"error\" and without an explanation", true },

	/* a body that is not a stream */
	{ "a plain answer", NULL, JSON("200") "{\"id\":\"c\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}",
	  "complete", 0, KEPT, NULL, true },
	{ "an error with status 200", NULL, JSON("200") "{\"error\":{\"message\":\"no such deployment\"}}", "error", 4, "", "no such deployment", true },
	{ "a page with status 200", NULL, HTML("200") "<html><title>Login</title></html>", "error", 4, "", NULL, true },
	{ "a body of other JSON", NULL, JSON("200") "{\"hello\":\"world\"}", "error", 4, "", NULL, false },
	{ "an empty body", NULL, SSE "Content-Length: 0\r\n\r\n", "cut", 3, "", NULL, false },
	{ "204", NULL, "HTTP/1.1 204 No Content\r\n\r\n", "cut", 3, "", NULL, false },
	{ "302", NULL, "HTTP/1.1 302 Found\r\nLocation: https://login.invalid/\r\nContent-Length: 0\r\n\r\n", "error", 4, "", "login.invalid", true },
	{ "304", NULL, "HTTP/1.1 304 Not Modified\r\n\r\n", "error", 4, "", "304", false },

	/* refused */
	{ "401", NULL, JSON("401") "{\"error\":{\"message\":\"Incorrect API key provided\",\"type\":\"invalid_request_error\",\"code\":\"invalid_api_key\"}}",
	  "error", 4, "", "Incorrect API key provided", true },
	{ "404 of HTML", NULL, HTML("404") "<h1>Not Found</h1>", "error", 4, "", "404", true },
	{ "402 with no body", NULL, "HTTP/1.1 402 Payment Required\r\nContent-Length: 0\r\n\r\n", "error", 4, "", "402", false },
	{ "an error body that breaks off", NULL, "HTTP/1.1 400 Bad\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{\"error\":{\"message\":\"too",
	  "error", 4, "", "400", false },
	{ "an error body that never ends", NULL, JSON("400") "{\"error\":{\"message\":\"too" FAULTY_HANG, "error", 4, "", "400", false },
	{ "an error body of 1 MB", NULL, HTML("400") FAULTY_FILL(1000000), "error", 4, "", "HTTP 400 from box: xxx", false },
	{ "an error of plain text", NULL, HTML("500") "no healthy upstream\n", "error", 4, "", "HTTP 500 from box: no healthy upstream", true },

	/* bytes */
	{ "byte by byte", NULL, FAULTY_BYTES STREAM CHAT("Hello") STOP DONE, "complete", 0, KEPT, NULL, true },
	{ "lines of CR", NULL, STREAM "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}\r\rdata: [DONE]\r\r", "complete", 0, KEPT, NULL, false },
	{ "a byte order mark", NULL, STREAM "\xEF\xBB\xBF" CHAT("Hello") STOP DONE, "complete", 0, KEPT, NULL, false },
	{ "invalid UTF-8", NULL, STREAM CHAT("Hel\xFFlo") STOP DONE, "complete", 0, "Hel\xEF\xBF\xBDlo", NULL, true },
	{ "a NUL", NULL, STREAM CHAT("Hel" FAULTY_NUL "lo") STOP DONE, "complete", 0, NULL, NULL, true },
	{ "a NUL between events", NULL, STREAM FAULTY_NUL "\n\n" CHAT("Hello") STOP DONE, "complete", 0, KEPT, NULL, false },
	{ "hostile text", NULL, STREAM CHAT("Hello\\u001b]52;c;aGk=\\u0007\\u009b31m\\u202e\\u2028") STOP DONE, "complete", 0, NULL, NULL, true },
	{ "an event of 97 MB", NULL, STREAM CHAT("Hello") "data: {\"x\":\"" FAULTY_FILL(101711872) "\"}\n\n" CHAT(" more") STOP DONE, "error", 4, KEPT, "96 MB", true },
	{ "an event that is never closed", NULL, STREAM CHAT("Hello") "data: " FAULTY_FILL(101711872), "error", 4, KEPT, "96 MB", false },
	{ "an event of 2 MB", NULL, STREAM "data: {\"x\":\"" FAULTY_FILL(2000000) "\"}\n\n" CHAT("Hello") STOP DONE, "complete", 0, KEPT, NULL, false },
	{ "a comment of 100 MB", NULL, STREAM ": " FAULTY_FILL(104857600) "\n\n" CHAT("Hello") STOP DONE, "error", 4, "", "96 MB", false },

	/* JSON */
	{ "wrong types", NULL, STREAM "data: {\"choices\":7}\n\ndata: {\"choices\":[7,\"x\",null]}\n\ndata: {\"choices\":[{\"delta\":\"x\",\"finish_reason\":{}}],\"usage\":[]}\n\n"
	  "data: {\"choices\":[{\"delta\":{\"content\":{\"a\":1},\"tool_calls\":{\"a\":1}}}]}\n\ndata: [1,2]\n\ndata: \"text\"\n\ndata: 17\n\ndata: null\n\n"
	  CHAT("Hello") STOP DONE, "complete", 0, KEPT, NULL, true },
	{ "no JSON in one event", NULL, STREAM CHAT("Hel") "data: {nonsense}\n\n" CHAT("lo") STOP DONE, "error", 4, KEPT, "A frame of the answer could not be read", true },
	{ "numbers out of range", NULL, STREAM "data: {\"created\":1e999,\"choices\":[{\"index\":99999999999999999999,\"delta\":{}}],\"usage\":{\"prompt_tokens\":-1e400}}\n\n"
	  CHAT("Hello") STOP DONE, "complete", 0, KEPT, NULL, false },

	/* calls */
	{ "a call", NULL, STREAM CALL("{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}") CALLS_END, "tool_calls", 0, "", "\"valid\":true", true },
	{ "a call with broken arguments", NULL, STREAM CALL("{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\"\"}}") CALLS_END,
	  "tool_calls", 0, "", "\"valid\":false", true },
	{ "arguments as an object", NULL, STREAM CALL("{\"index\":0,\"id\":7,\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}") CALLS_END, "tool_calls", 0, "", "{\\\"a\\\":1}", false },
	{ "arguments above 8 MB", NULL, STREAM CHAT("Hello") CALL("{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"" FAULTY_FILL(9000000) "\"}}") CALLS_END,
	  "error", 4, KEPT, "8 MB", false },

	/* no answer at all */
	{ "closed at once", NULL, FAULTY_AT_ONCE, "error", 4, "", "closed the connection without an answer", true },
	{ "reset behind the request", NULL, FAULTY_RESET, "error", 4, "", "closed the connection without an answer", false },
	{ "no HTTP", NULL, "SSH-2.0-x\r\n", "error", 4, "", "does not answer in HTTP", true },
	{ "headers without end", NULL, SSE "X: " FAULTY_FILL(400000), "error", 4, "", "a header is larger than 100 KB", true },
	{ "no gzip in gzip", NULL, SSE "Content-Encoding: gzip\r\n\r\n" CHAT("Hello"), "error", 4, "", "cannot be unpacked", true },
	{ 0 },
};

/* Only the tested limit is short, so that a busy machine does not exceed another one. */
void fault_settings(const struct fault_case *c, unsigned port, struct buf *out)
{
	bool hangs = strstr(c->script, FAULTY_HANG), stalls = !strcmp(c->outcome, "stalled"), began = c->text && *c->text;

	buf_printf(out, "provider = box\n[provider box]\nprotocols = %s\nbase_url = http://127.0.0.1:%u\nauth = none\nmodel = m\n"
	                "retries = 0\nconnect = 600\nidle = %s\nfirst_byte = %s\nfinish_quiet = %s\n", c->protocol ? c->protocol : "openai-chat", port,
	           stalls && began ? "0.3" : "600", stalls && !began ? "0.3" : "600", hangs ? "0.1" : "600");
}
