/* Ollama: one object a line, the last one with `done`; calls are sent whole. */
#include <time.h>

#include "wire/encode/encode_inside.h"
#include "wire/protocol/ollama.h"

#define DURATION_MOST_MS 1e12 /* more is no duration of an answer */

/* Up to the message's content. */
static void encode_ollama_line(struct encoder *e)
{
	time_t created = (time_t)e->options.created;
	char text[32] = "";
	struct tm utc;

	if (gmtime_r(&created, &utc))
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
	encode_put(e, "{'model':%s,'created_at':'%z','message':{'role':'assistant','content':", encode_known(&e->model), text);
}

/* Each line has the model; a late one is sent in a separate line. */
static void encode_ollama_head(struct encoder *e)
{
	if (!e->count)
		return;
	encode_ollama_line(e);
	encode_put(e, "''},'done':false}\n");
}

static void encode_ollama_put_call(struct encoder *e, const struct encode_block *b)
{
	encode_put(e, "{'id':%s,'function':{'index':%u,'name':%t,'arguments':", encode_known(&b->id), b->call, buf_str(&b->name));
	encode_put_arguments(e, b);
	encode_put(e, "}}");
}

static void encode_ollama_piece(struct encoder *e, struct encode_block *b, struct str text)
{
	encode_ollama_line(e);
	encode_put(e, b->kind == PART_REASONING ? "'','thinking':%s},'done':false}\n" : "%s},'done':false}\n", text);
}

static void encode_ollama_close_block(struct encoder *e, struct encode_block *b)
{
	if (b->kind == PART_MEDIA) {
		encode_ollama_line(e);
		encode_put(e, "'','images':['%b']},'done':false}\n", buf_str(&b->text));
	}
	if (b->kind != PART_TOOL_CALL)
		return;
	encode_ollama_line(e);
	encode_put(e, "'','tool_calls':[");
	encode_ollama_put_call(e, b);
	encode_put(e, "]},'done':false}\n");
}

static void encode_ollama_finish(struct encoder *e, struct str word)
{
	int64_t nanoseconds = e->at_ms > 0 && e->at_ms < DURATION_MOST_MS ? (int64_t)(e->at_ms * 1e6) : 0;

	encode_put(e, "},'done':true,'done_reason':%s,'total_duration':%n", word, nanoseconds);
	if (e->usage_due) {
		struct str usage = encode_usage(e);

		/* Its members are members of the line itself. */
		encode_put(e, usage.len > 2 ? ",%j" : "", str_head(str_skip(usage, 1), usage.len - 2));
	}
	encode_put(e, "}\n");
}

static void encode_ollama_done(struct encoder *e, struct str word)
{
	encode_ollama_line(e);
	encode_put(e, "''");
	encode_ollama_finish(e, word);
}

static void encode_ollama_error(struct encoder *e, const struct error_report *report)
{
	encode_put(e, "{'error':%s}\n", report->message);
}

static void encode_ollama_whole(struct encoder *e, struct str word)
{
	const char *before = ",'tool_calls':[", *first = ",'images':[";

	encode_ollama_line(e);
	encode_put(e, "%t", encode_said(e, PART_TEXT));
	encode_put(e, ",'thinking':%s", encode_said(e, PART_REASONING));
	for (size_t i = 0; i < e->count; i++) {
		if (e->blocks[i].kind != PART_MEDIA)
			continue;
		encode_put(e, first);
		encode_put(e, "'%b'", buf_str(&e->blocks[i].text));
		first = ",";
	}
	encode_put(e, first[1] ? "" : "]");
	for (size_t i = 0; i < e->count; i++) {
		if (e->blocks[i].kind != PART_TOOL_CALL)
			continue;
		encode_put(e, before);
		encode_ollama_put_call(e, &e->blocks[i]);
		before = ",";
	}
	encode_put(e, e->calls ? "]" : "");
	encode_ollama_finish(e, word);
}

const struct encode_form encode_ollama = {
	.protocol = &protocol_ollama,
	.content_type = "application/x-ndjson",
	.usage_members = ollama_usage,
	.words = { [OUTCOME_COMPLETE] = "stop", [OUTCOME_LENGTH] = "length" },
	.head = encode_ollama_head,
	.piece = encode_ollama_piece,
	.close = encode_ollama_close_block,
	.done = encode_ollama_done,
	.error = encode_ollama_error,
	.whole = encode_ollama_whole,
};
