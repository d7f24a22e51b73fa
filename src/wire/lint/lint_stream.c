/* Rules of the stream as a whole, of every protocol: its end, its head, its timing, errors, calls. */
#include "wire/lint/lint_inside.h"


#define SLOW_FIRST_MS 30000.0  /* before the first content */
#define LONG_GAP_MS 30000.0    /* between two reads: half of what many proxies allow */
#define BURST_PAUSE_MS 1000.0
#define BURST_FRAMES 32        /* with content, in one read after that pause */

/* --- the head --- */

static struct str header(const struct lint *l, const char *name)
{
	for (size_t i = 0; i < l->head->header_count; i++)
		if (str_is(l->head->headers[i].name, name))
			return l->head->headers[i].value;
	return STR_NONE;
}

static bool is_answer(const struct lint *l)
{
	return l->status / 100 == 2;
}

static void check_content_type(struct lint *l)
{
	const char *expected = l->first == '[' ? "application/json" : l->first != '{' ? "text/event-stream"
	                       : l->protocol == &protocol_ollama ? "application/x-ndjson" : "application/json";

	if (is_answer(l) && *l->content_type && l->first && l->first != '<' && !str_is_nocase(str_from(l->content_type), expected))
		lint_report_at(l, &(struct frame_place){ .at_ms = l->head_ms }, "the content type is %s and not %s", l->content_type, expected);
}

static void check_compression(struct lint *l)
{
	struct str coding = header(l, "content-encoding");

	if (is_answer(l) && coding.len && !str_is_nocase(coding, "identity"))
		lint_report(l, "content-encoding is %s", lint_quote(coding).text);
}

static void check_length(struct lint *l)
{
	if (is_answer(l) && header(l, "content-length").len && str_has_nocase(l->head->content_type, STR("text/event-stream")))
		lint_report(l, "content-length is %s", lint_quote(header(l, "content-length")).text);
}

static void check_buffering(struct lint *l)
{
	if (is_answer(l) && str_is_nocase(header(l, "x-accel-buffering"), "yes"))
		lint_report(l, "x-accel-buffering is yes");
}

static void check_cache(struct lint *l)
{
	struct str cache = header(l, "cache-control");

	if (is_answer(l) && cache.len && !str_has_nocase(cache, STR("no-cache")) && !str_has_nocase(cache, STR("no-store")) &&
	    !str_has_nocase(cache, STR("max-age=0")) && !str_has_nocase(cache, STR("private")))
		lint_report(l, "cache-control is %s", lint_quote(cache).text);
}

/* --- the end --- */

static void check_cut(struct lint *l)
{
	if (l->outcome == OUTCOME_CUT && !l->errors)
		lint_report(l, l->how == END_CLOSED ? "the body ends without a finish reason or an end mark"
		                                    : "the connection broke before the end of the answer");
}

static void check_stalled(struct lint *l)
{
	if (l->outcome == OUTCOME_STALLED)
		lint_report(l, "nothing came any more before the end of the answer");
}

static void check_understood(struct lint *l)
{
	if (l->outcome == OUTCOME_ERROR && !l->errors && !l->finished)
		lint_report(l, l->first == '<' ? "the body is a web page" : "the body holds nothing of its protocol");
}

/* Ended by a limit, a call is incomplete, and that is no fault of the server. */
static void check_call_arguments(struct lint *l)
{
	bool incomplete = l->outcome == OUTCOME_CUT || l->outcome == OUTCOME_STALLED || l->errors ||
	                  (l->finished && l->finish_outcome != OUTCOME_COMPLETE && l->finish_outcome != OUTCOME_TOOL_CALLS);

	if (l->bad_arguments.frame && !incomplete)
		lint_report_at(l, &l->bad_arguments, "the arguments of a call are not one JSON value");
}

static void check_done_foreign(struct lint *l)
{
	if (!l->done)
		lint_report(l, "[DONE] in a stream of %s", l->protocol->name);
}

/* --- time --- */

static void check_first_content(struct lint *l)
{
	if (l->timed && l->content_ms >= SLOW_FIRST_MS)
		lint_report_at(l, &(struct frame_place){ 0, 0, l->content_ms }, "the first content came after %.1f s", l->content_ms / 1000);
}

static void check_gap(struct lint *l)
{
	if (l->timed && l->reads > 1 && l->pause_ms >= LONG_GAP_MS)
		lint_report(l, "nothing came for %.1f s, not even a comment", l->pause_ms / 1000);
}

static void check_burst(struct lint *l)
{
	if (l->timed && l->pause_ms >= BURST_PAUSE_MS && l->read_content >= BURST_FRAMES)
		lint_report(l, "%zu frames came at once after a pause of %.1f s", l->read_frames, l->pause_ms / 1000);
}

static const struct lint_rule rows[] = {
	{ "content-type", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_END, check_content_type,
	  "The content type names the form of the body: text/event-stream, application/x-ndjson for Ollama, else application/json",
	  "aivene, Enabling streaming; WHATWG HTML, 9.2 Server-sent events: Processing model",
	  "clients of EventSource, and those that choose their parser by it" },
	{ "compression", LINT_UNUSUAL, LINT_ANY, LINT_EVERY, LINT_ON_HEAD, check_compression,
	  "A stream is not compressed for a client that did not ask for it", "RFC 9110, 12.5.3 Accept-Encoding",
	  "clients and proxies that inflate in blocks: the answer appears in jumps" },
	{ "content-length", LINT_UNUSUAL, LINT_ANY, LINT_EVERY, LINT_ON_HEAD, check_length,
	  "The length of a stream is not known before its end", "aivene, Enabling streaming: pushes tokens as they are generated",
	  "people: the whole answer was buffered before it was sent" },
	{ "buffering", LINT_UNUSUAL, LINT_ANY, LINT_EVERY, LINT_ON_HEAD, check_buffering,
	  "Proxies do not buffer a stream", "nginx, ngx_http_proxy_module: X-Accel-Buffering", "people: the answer appears in jumps" },
	{ "cache-control", LINT_UNUSUAL, LINT_ANY, LINT_EVERY, LINT_ON_HEAD, check_cache,
	  "A stream is not kept in caches", "WHATWG HTML, 9.2 Server-sent events: Authoring notes", NULL },
	{ "cut", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_END, check_cut,
	  "An answer ends with its protocol's end: a finish reason, an end mark or a terminal event",
	  "aivene, Stream lifecycle; runtime, Completion Detection; Anthropic API, message_stop; Responses API, response.completed; Ollama API, done",
	  "clients that take the end of the body as the end of the answer show a part as the whole" },
	{ "stalled", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_END, check_stalled,
	  "An answer goes on until its end", "RFC 9112, 8 Handling Incomplete Messages", "clients without a limit of their own wait forever" },
	{ "not-understood", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_END, check_understood,
	  "A body with status 200 is a stream of the protocol", "RFC 9110, 15.3.1 200 OK",
	  "every client; a web page with status 200: qwen-code issue 6465" },
	{ "call-arguments", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_END, check_call_arguments,
	  "The arguments of a complete call are one JSON value", "OpenAI API, Chat Completions, streaming: tool_calls[].function.arguments",
	  "clients that parse the arguments" },
	{ "done-foreign", LINT_UNUSUAL, LINT_ANY & ~(unsigned)LINT_openai_chat, LINT_EVERY, LINT_ON_DONE, check_done_foreign,
	  "The protocol has an end of its own; data: [DONE] is openai-chat's", "OpenAI API, Responses and Anthropic API, Messages: streaming",
	  "clients that parse each event as JSON" },
	{ "slow-first", LINT_UNUSUAL, LINT_ANY, LINT_EVERY, LINT_ON_END, check_first_content,
	  "The first content comes within 30 s", "chuizi, Tips: timeouts of at least 120 seconds", NULL },
	{ "gap", LINT_UNUSUAL, LINT_ANY, LINT_EVERY, LINT_ON_READ, check_gap,
	  "Something comes every 30 s, at least a comment", "WHATWG HTML, 9.2 Server-sent events: Authoring notes (a comment every 15 seconds)",
	  "proxies that close a connection after 60 s of silence" },
	{ "burst", LINT_UNUSUAL, LINT_ANY, LINT_EVERY, LINT_ON_READ, check_burst,
	  "Frames arrive as they are made, not many at once after a pause", "aivene, Enabling streaming: pushes tokens as they are generated",
	  "people: the answer appears in jumps, as behind a proxy that buffers" },
};

const struct lint_group lint_group_stream = { rows, ARRAY_LEN(rows) };
