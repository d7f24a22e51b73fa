#include "app/serve/recast.h"

#include <stdio.h>

#include "base/mem.h"
#include "net/tape_lines.h"
#include "wire/encode/encode.h"
#include "wire/part.h"

/*
 * Facts of a whole answer, from a first pass: a protocol may need them earlier than the tape has them.
 */
struct known {
	struct usage usage;
	char *id, *model;
	struct known_call {
		char *id, *name;
		struct buf sent; /* fragments of its arguments */
		bool odd;        /* they are not what the arguments are in the end, such as {} */
	} *calls;                /* in the order in which they begin, also those before a restart */
	size_t call_count, call_capacity, before_restart;
};

struct recasting {
	const struct protocol *protocol;
	struct encoder *encoder;
	struct known known;
	size_t calls, before_restart; /* begun so far */
	bool unsigned_open; /* reasoning has come, and no signature for it */
	unsigned unsigned_part;
	bool finished;      /* a finish word has come */
	struct buf bytes;   /* of the next read */
	struct buf lines;   /* of the body */
	double at_ms;
	int error_status;   /* HTTP status that suits the error of the answer; 0: no error */
};

/* --- what is known before --- */

static struct known_call *known_call_at(struct known *k, size_t at)
{
	while (at >= k->call_count) {
		mem_reserve(&k->calls, &k->call_capacity, k->call_count + 1, sizeof *k->calls);
		k->calls[k->call_count++] = (struct known_call){ .name = NULL };
	}
	return &k->calls[at];
}

static void known_take_call(struct known *k, const struct delta *d)
{
	struct known_call *call = known_call_at(k, k->before_restart + d->tool.index);

	if (d->kind == DELTA_TOOL_ARGUMENTS) {
		buf_add(&call->sent, d->text);
	} else {
		str_replace(&call->id, d->tool.id);
		str_replace(&call->name, d->tool.name);
	}
	if (d->kind != DELTA_TOOL_END)
		return;
	call->odd = !str_equal(buf_str(&call->sent), d->text);
	buf_fini(&call->sent);
}

static void known_delta(void *known, const struct delta *d)
{
	struct known *k = known;

	if (d->kind == DELTA_BEGIN || d->kind == DELTA_META) {
		str_replace(&k->id, d->meta.id);
		if (d->meta.model.len)
			str_replace(&k->model, d->meta.model);
	} else if (d->kind == DELTA_TOOL_BEGIN || d->kind == DELTA_TOOL_NAME || d->kind == DELTA_TOOL_ARGUMENTS || d->kind == DELTA_TOOL_END) {
		known_take_call(k, d);
	} else if (d->kind == DELTA_RESTART) {
		k->before_restart = k->call_count;
	} else if (d->kind == DELTA_USAGE) {
		k->usage = d->usage;
	}
}

static void known_fini(struct known *k)
{
	for (size_t i = 0; i < k->call_count; i++) {
		mem_free(k->calls[i].id);
		mem_free(k->calls[i].name);
		buf_fini(&k->calls[i].sent);
	}
	mem_free(k->calls);
	mem_free(k->id);
	mem_free(k->model);
}

/* --- deltas --- */

/* The encoder holds text back for a signature, which would have the same time. */
static void recast_flush(struct recasting *r)
{
	encoder_flush(r->encoder);
	if (r->bytes.len)
		tape_line_body(&r->lines, buf_str(&r->bytes), r->at_ms);
	buf_clear(&r->bytes);
}

/* The error's code if it is a status, as some gateways send it. */
static int status_of(const struct error_report *report)
{
	long long code;

	return str_to_int(report->code, &code) && code >= 400 && code <= 599 ? (int)code : 500;
}

/* Absent figures become 0, an absent total the sum: clients of these protocols read them without a check. */
static struct usage whole_usage(const struct usage *usage)
{
	struct usage whole = *usage;

	whole.of[USAGE_PROMPT].sent = whole.of[USAGE_COMPLETION].sent = true; /* 0 if it was not */
	if (!whole.of[USAGE_TOTAL].sent)
		whole.of[USAGE_TOTAL] = count_sum(whole.of[USAGE_PROMPT], whole.of[USAGE_COMPLETION]);
	return whole;
}

static bool wants_usage(const struct recasting *r)
{
	return r->protocol == &protocol_anthropic || r->protocol == &protocol_openai_responses;
}

static void recast_usage(struct recasting *r, const struct usage *usage, double at_ms)
{
	encoder_delta(r->encoder, &(struct delta){ .kind = DELTA_USAGE, .at_ms = at_ms, .usage = whole_usage(usage), .cost = MONEY_UNKNOWN });
}

/* Clients need an id and a model: the official client of OpenAI drops the usage of an answer without an id. */
static void recast_begin(struct recasting *r, const struct delta *delta)
{
	struct delta begin = *delta;
	struct usage usage = r->known.usage;

	begin.meta.id = str_from(r->known.id && *r->known.id ? r->known.id : "weir-serve");
	begin.meta.model = str_from(r->known.model && *r->known.model ? r->known.model : "unknown");
	encoder_delta(r->encoder, &begin);
	usage.of[USAGE_COMPLETION] = usage.of[USAGE_REASONING] = usage.of[USAGE_TOTAL] = (struct count){ 0 };
	if (r->protocol == &protocol_anthropic) /* its start has the figures of the prompt */
		recast_usage(r, &usage, delta->at_ms);
}

/* A call begins with its id and its name. An id is made where none was sent and the protocol needs one. */
static void recast_call(struct recasting *r, const struct delta *delta)
{
	struct delta call = *delta;
	size_t at = r->before_restart + delta->tool.index;
	char made[40];

	r->calls = at >= r->calls ? at + 1 : r->calls;
	snprintf(made, sizeof made, r->protocol == &protocol_anthropic ? "toolu_weir_%zu" : "call_weir_%zu", at + 1);
	call.tool.id = str_from(known_call_at(&r->known, at)->id);
	call.tool.name = str_from(known_call_at(&r->known, at)->name);
	if (!call.tool.id.len && r->protocol != &protocol_gemini)
		call.tool.id = str_from(made);
	encoder_delta(r->encoder, &call);
}

#define MADE_SIGNATURE "d2VpciBzZXJ2ZTogdW5zaWduZWQ=" /* "weir serve: unsigned" */

/* Clients send reasoning back with its signature: a part without one gets one at its end. */
static void recast_sign(struct recasting *r, const struct delta *delta)
{
	bool goes_on = delta->kind == DELTA_REASONING && delta->part == r->unsigned_part;
	bool is_signed = delta->kind == DELTA_OPAQUE && str_is(delta->opaque.format, OPAQUE_ANTHROPIC_SIGNATURE);
	bool is_aside = delta->kind == DELTA_META || delta->kind == DELTA_NOTICE || delta->kind == DELTA_ROUTE || delta->kind == DELTA_USAGE ||
	                (delta->kind == DELTA_OPAQUE && !is_signed);
	bool is_broken = delta->kind == DELTA_RESTART || delta->kind == DELTA_ERROR ||
	                 (delta->kind == DELTA_END && outcome_is_trouble(delta->end.outcome));

	if (r->unsigned_open && !goes_on && !is_aside && !is_signed && !is_broken)
		encoder_delta(r->encoder, &(struct delta){ .kind = DELTA_OPAQUE, .at_ms = delta->at_ms, .part = r->unsigned_part,
		              .opaque = { str_from(OPAQUE_ANTHROPIC_SIGNATURE), STR(MADE_SIGNATURE), -1 } });
	r->unsigned_open = (r->unsigned_open && (goes_on || is_aside)) || delta->kind == DELTA_REASONING;
	if (delta->kind == DELTA_REASONING)
		r->unsigned_part = delta->part;
}

/* Also called at the end of an answer for which the server sent no finish reason. */
static void recast_finish(struct recasting *r, const struct delta *delta)
{
	r->finished = true;
	if (wants_usage(r))
		recast_usage(r, &r->known.usage, delta->at_ms);
	encoder_delta(r->encoder, delta);
}

static void recast_give(struct recasting *r, const struct delta *delta)
{
	switch (delta->kind) {
	case DELTA_BEGIN:
		recast_begin(r, delta);
		break;
	case DELTA_META: /* known from the start */
	case DELTA_TOOL_NAME:
		break;
	case DELTA_TOOL_BEGIN:
		recast_call(r, delta);
		break;
	case DELTA_TOOL_ARGUMENTS: /* the end of an odd call has all of its arguments */
		if (!known_call_at(&r->known, r->before_restart + delta->tool.index)->odd)
			encoder_delta(r->encoder, delta);
		break;
	case DELTA_RESTART:
		r->before_restart = r->calls;
		encoder_delta(r->encoder, delta);
		break;
	case DELTA_USAGE:
		if (wants_usage(r))
			recast_usage(r, &delta->usage, delta->at_ms);
		else
			encoder_delta(r->encoder, delta);
		break;
	case DELTA_FINISH:
		recast_finish(r, delta);
		break;
	case DELTA_ERROR:
		r->error_status = status_of(&delta->error);
		encoder_delta(r->encoder, delta);
		break;
	case DELTA_TEXT:
	case DELTA_REASONING:
	case DELTA_REFUSAL:
	case DELTA_TOOL_END:
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_TEXT:
	case DELTA_MEDIA_END:
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_INPUT:
	case DELTA_SERVER_TOOL_END:
	case DELTA_OPAQUE:
	case DELTA_CITATION:
	case DELTA_ROUTE:
	case DELTA_NOTICE:
		encoder_delta(r->encoder, delta);
		break;
	case DELTA_END:
		if (!r->finished && !outcome_is_trouble(delta->end.outcome))
			recast_finish(r, &(struct delta){ .kind = DELTA_FINISH, .at_ms = delta->at_ms, .finish.reason = STR("stop") });
		encoder_delta(r->encoder, delta);
		break;
	}
}

static void recast_delta(void *recasting, const struct delta *delta)
{
	struct recasting *r = recasting;

	if (delta->at_ms > r->at_ms) {
		recast_flush(r);
		r->at_ms = delta->at_ms;
	}
	if (r->protocol == &protocol_anthropic)
		recast_sign(r, delta);
	recast_give(r, delta);
}

/* The head of the tape, with the content type of the new body. A body that is an error has a status that says so. */
static void write_head(const struct recasting *r, struct buf *text, const struct tape_step *step, const struct protocol *protocol, bool whole)
{
	struct response_head head = step->head;

	head.content_type = str_from(whole ? "application/json" : encode_content_type(protocol));
	if (whole && head.status == 200 && r->error_status)
		head.status = r->error_status;
	tape_line_head(text, &head, step->at_ms);
}

struct tape *recast(const struct tape *tape, const struct protocol *protocol, bool whole)
{
	const struct tape_info *facts = tape_facts(tape);
	struct stream_options options = { .protocol = protocol_find(facts->protocol), .dialect = dialect_find(facts->dialect),
	                                  .asked = tape_asked(tape), .untimed = tape_is_plain(tape) };
	struct tape_step end = tape_at(tape, tape_length(tape) - 1), head = { .kind = TAPE_END };
	struct tape_info info = *facts;
	struct recasting r = { .protocol = protocol };
	struct tape *result = NULL;
	struct buf text;
	struct error err;

	for (size_t i = 0; i < tape_length(tape) && head.kind != TAPE_HEAD; i++)
		head = tape_at(tape, i);
	buf_init(&r.lines, TAPE_LIMIT);
	buf_init(&text, TAPE_LIMIT);
	whole |= head.kind == TAPE_HEAD && head.head.status != 200;
	if (head.kind != TAPE_HEAD)
		head = (struct tape_step){ .head.status = 200 };
	str_replace(&r.known.model, facts->model);
	struct stream *before = stream_new(&options, known_delta, &r.known);
	(void)tape_feed(tape, before, 0, NULL, NULL);
	stream_free(before);
	r.encoder = encoder_new(&(struct encode_options){ .protocol = protocol, .words = options.protocol, .whole = whole }, &r.bytes);
	struct stream *stream = stream_new(&options, recast_delta, &r);
	(void)tape_feed(tape, stream, 0, NULL, NULL);
	recast_flush(&r);
	info.protocol = str_from(protocol->name);
	tape_line_facts(&text, &info);
	write_head(&r, &text, &head, protocol, whole);
	buf_add(&text, buf_str(&r.lines));
	tape_line_end(&text, end.how, end.at_ms);
	if (!tape_from_text(&result, buf_str(&text), &err))
		result = NULL; /* larger than a tape may be */
	stream_free(stream);
	encoder_free(r.encoder);
	known_fini(&r.known);
	buf_fini(&r.bytes);
	buf_fini(&r.lines);
	buf_fini(&text);
	return result;
}
