#include "wire/lint/lint_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define MESSAGE_BYTES 400

/* --- findings --- */

static void lint_give(struct lint *l, const struct frame_place *place, const char *format, va_list args)
{
	char raw[MESSAGE_BYTES];
	struct error line; /* error_set() makes one line of UTF-8 without control bytes */
	size_t count = ++l->counts[lint_rule_index(l->rule)];

	if (count > LINT_FINDINGS_MOST)
		return;
	vsnprintf(raw, sizeof raw, format, args);
	error_set(&line, "%s", raw);
	l->sink(l->ctx, &(struct lint_finding){ l->rule, *place, l->frames + l->over, str_from(line.text) });
}

void lint_report(struct lint *l, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	lint_give(l, &l->place, format, args);
	va_end(args);
}

void lint_report_at(struct lint *l, const struct frame_place *place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	lint_give(l, place, format, args);
	va_end(args);
}

void lint_report_untyped(struct lint *l, struct str type)
{
	if (!type.len)
		lint_report(l, "an event has no type");
}

void lint_report_misnamed(struct lint *l, struct str type)
{
	struct str name = l->message->event;

	if (!type.len || str_equal(name, type))
		return;
	if (name.len)
		lint_report(l, "an event is named %s and its type is %s", lint_quote(name).text, lint_quote(type).text);
	else
		lint_report(l, "an event has no name");
}

void lint_run(struct lint *l, enum lint_phase phase)
{
	const struct lint_rule *const *rule = l->active[phase];

	for (; *rule; rule++) {
		l->rule = *rule;
		(*rule)->check(l);
	}
}

/* While the protocol is unknown, only the rules of all protocols are checked. */
static void lint_activate(struct lint *l)
{
	unsigned protocol = 0;
	size_t used[LINT_PHASES] = { 0 };
	const struct lint_rule *rule;

	for (unsigned i = 0; protocol_at(i); i++)
		if (l->protocol == protocol_at(i))
			protocol = 1u << i;
	for (size_t i = 0; (rule = lint_rule_at(i)); i++)
		if ((!l->dialect || lint_rule_holds(rule, l->dialect)) && (protocol ? rule->protocols & protocol : rule->protocols == LINT_ANY))
			l->active[rule->phase][used[rule->phase]++] = rule;
	for (enum lint_phase phase = 0; phase < LINT_PHASES; phase++)
		l->active[phase][used[phase]] = NULL;
}

static void lint_set_protocol(struct lint *l, const struct protocol *protocol)
{
	if (l->protocol == protocol || !protocol)
		return;
	l->protocol = protocol;
	lint_activate(l);
}

/* --- values --- */

void lint_take_usage(struct lint *l, const struct json *object)
{
	static const struct { const char *path; size_t at; } figures[] = {
#define FIGURE(path, member) { path, offsetof(struct lint_usage, member) }
		FIGURE("prompt_tokens", prompt), FIGURE("completion_tokens", completion), FIGURE("total_tokens", total),
		FIGURE("prompt_tokens_details.cached_tokens", cached),
		FIGURE("completion_tokens_details.reasoning_tokens", reasoning),
#undef FIGURE
	};
	struct lint_usage usage = { .object = object, .zero = true };

	for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
		const struct json *value = json_find(object, figures[i].path);
		int64_t count = -1;

		if (value && !json_count(value, &count) && !usage.not_a_count)
			usage.not_a_count = figures[i].path;
		usage.zero = usage.zero && count <= 0;
		memcpy((char *)&usage + figures[i].at, &count, sizeof count);
	}
	l->usage = usage;
	lint_run(l, LINT_ON_USAGE);
	l->usages++;
	l->usage_place = l->place;
	l->usage.object = NULL;
}

void lint_take_error(struct lint *l, const struct json *error, bool in_body)
{
	const struct message *m = l->message;

	l->error = (struct lint_error){ .value = m->value, .error = error ? error : m->value, .event = m->event, .in_body = in_body };
	lint_run(l, LINT_ON_ERROR);
	l->errors++;
	l->error = (struct lint_error){ 0 };
}

/* --- the tap --- */

/* What concerns a whole read is about the last frame that has come. */
static void lint_end_read(struct lint *l)
{
	if (!l->reads)
		return;
	l->place = (struct frame_place){ l->frame_place.frame, l->frame_place.frame ? l->frame_place.offset : l->bytes, l->read_ms, true };
	lint_run(l, LINT_ON_READ);
	l->read_frames = l->read_content = 0;
}

static void lint_begin_body(struct lint *l)
{
	memset((char *)l + offsetof(struct lint, place), 0, sizeof *l - offsetof(struct lint, place));
	l->status = 200;
	l->body_at = l->bytes;
	l->head_ms = -1;
	l->anthropic.last_index = l->anthropic.output_tokens = l->anthropic.input_index = -1;
}

/* A second head begins a new body, as in the stream. What was found in the first one stays. */
static void lint_take_head(void *lint, const struct response_head *head, double at_ms)
{
	struct lint *l = lint;

	if (l->reads)
		lint_begin_body(l);
	l->status = head->status;
	struct str type = str_trim(str_head(head->content_type, str_find(head->content_type, STR(";"))));
	snprintf(l->content_type, sizeof l->content_type, "%.*s", STR_ARG(type));
	l->head_ms = at_ms;
	l->head = head;
	l->place = (struct frame_place){ .at_ms = at_ms };
	lint_run(l, LINT_ON_HEAD);
	l->head = NULL;
}

/* Blanks and a byte order mark may come before it, in any reads. */
static void lint_take_first(struct lint *l, struct str bytes)
{
	static const char bom[] = { '\xEF', '\xBB', '\xBF' };

	for (size_t i = 0; i < bytes.len && !l->begun; i++) {
		size_t at = l->bytes - l->body_at + i;
		bool of_bom = at < sizeof bom && at == l->bom && bytes.ptr[i] == bom[at];

		l->bom += of_bom;
		l->begun = !of_bom && !char_is_blank(bytes.ptr[i]);
		l->first = l->begun ? bytes.ptr[i] : '\0';
	}
}

/* Such a body is one frame (wire/framer.h). */
static bool lint_is_error_body(const struct lint *l)
{
	return l->status < 200 || l->status > 299;
}

static void lint_take_read(void *lint, struct str bytes, double at_ms)
{
	struct lint *l = lint;

	lint_end_read(l);
	l->timed = at_ms >= 0;
	l->pause_ms = l->timed ? at_ms - (l->reads ? l->read_ms : l->head_ms >= 0 ? l->head_ms : 0) : 0;
	l->read_ms = at_ms;
	l->reads++;
	lint_take_first(l, bytes);
	if (lint_is_error_body(l) && l->bytes == l->body_at && bytes.len)
		l->frame_place = (struct frame_place){ ++l->frames, l->bytes, at_ms, true };
	l->bytes += bytes.len;
}

static void lint_take_oddity(void *lint, enum framer_oddity oddity, enum framer_whose whose, size_t offset)
{
	struct lint *l = lint;
	size_t frame = whose == FRAMER_OF_NONE ? 0 : l->frames + (whose == FRAMER_OF_NEXT);

	l->oddity = oddity;
	l->place = (struct frame_place){ frame, offset, l->read_ms, true };
	lint_run(l, LINT_ON_ODDITY);
}

static void lint_take_frame(void *lint, const struct frame *frame, const struct frame_place *place, bool is_utf8)
{
	struct lint *l = lint;

	l->frame = frame;
	l->frame_is_utf8 = is_utf8;
	l->values_in_frame = 0;
	l->place = l->frame_place = *place;
	l->frames = place->frame;
	l->read_frames++;
	lint_run(l, LINT_ON_FRAME);
}

static void lint_take_broken(void *lint, struct str text, const struct frame_place *place)
{
	struct lint *l = lint;

	l->broken = text;
	l->place = *place;
	lint_run(l, LINT_ON_BROKEN);
}

static void lint_take_done(void *lint, const struct frame_place *place)
{
	struct lint *l = lint;

	l->place = *place;
	lint_run(l, LINT_ON_DONE);
	l->done = true;
}

static void lint_take_of_protocol(struct lint *l)
{
	static const struct { const struct protocol *protocol; void (*take)(struct lint *l); } takes[] = {
		{ &protocol_openai_chat, lint_chat_value }, { &protocol_anthropic, lint_anthropic_value },
		{ &protocol_openai_responses, lint_responses_value }, { &protocol_gemini, lint_gemini_value },
		{ &protocol_ollama, lint_ollama_value },
	};

	for (size_t i = 0; i < ARRAY_LEN(takes); i++)
		if (takes[i].protocol == l->protocol)
			takes[i].take(l);
}

static void lint_take_value(void *lint, const struct protocol *protocol, const struct message *m)
{
	struct lint *l = lint;

	lint_set_protocol(l, protocol);
	l->message = m;
	l->place = m->place;
	l->values++;
	l->values_in_frame = m->place.frame == l->frame_place.frame ? l->values_in_frame + 1 : 1;
	lint_run(l, LINT_ON_VALUE);
	if (lint_is_error_body(l))
		lint_take_error(l, json_get(m->value, "error"), true);
	else if (l->done || (l->errors && protocol != &protocol_openai_responses)) /* there, response.failed follows an error */
		lint_run(l, LINT_ON_LATE);
	else
		lint_take_of_protocol(l);
	l->message = NULL;
}

/* The rules of a complete call: its findings are where it began. */
static void lint_take_tool(struct lint *l, const struct delta *delta)
{
	struct frame_place place = l->place;

	l->tool = delta;
	l->place = l->tool_places[delta->tool.index % LINT_CALLS_MOST];
	lint_run(l, LINT_ON_TOOL);
	lint_prints_add(&l->tool_ids, delta->tool.id);
	l->place = place;
	l->tool = NULL;
}

static void lint_take_delta(void *lint, const struct delta *delta)
{
	struct lint *l = lint;

	switch (delta->kind) {
	case DELTA_TEXT:
	case DELTA_REASONING:
	case DELTA_REFUSAL:
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_ARGUMENTS:
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_TEXT:
	case DELTA_MEDIA_END:
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_INPUT:
	case DELTA_SERVER_TOOL_END:
		l->calls += delta->kind == DELTA_TOOL_BEGIN;
		if (delta->kind == DELTA_TOOL_BEGIN)
			l->tool_places[delta->tool.index % LINT_CALLS_MOST] = l->place;
		l->read_content += l->content_place.frame != l->frame_place.frame || !l->content;
		l->content = true;
		l->content_place = l->frame_place;
		break;
	case DELTA_TOOL_END:
		lint_take_tool(l, delta);
		if (!delta->tool.valid && !l->free_arguments && !l->bad_arguments.frame)
			l->bad_arguments = l->content_place;
		break;
	case DELTA_FINISH:
		l->finished = true;
		l->finish_outcome = outcome_of_finish(delta->finish.reason);
		break;
	case DELTA_END:
		l->outcome = delta->end.outcome;
		break;
	case DELTA_BEGIN:
	case DELTA_META:
	case DELTA_TOOL_NAME:
	case DELTA_OPAQUE:
	case DELTA_CITATION:
	case DELTA_USAGE:
	case DELTA_ROUTE:
	case DELTA_ERROR:
		break;
	case DELTA_NOTICE:
		l->notice = delta;
		lint_run(l, LINT_ON_NOTICE);
		l->notice = NULL;
		break;
	case DELTA_RESTART:
		l->tool_ids.count = 0;
		break;
	}
}

static void lint_take_end(void *lint, const struct protocol *protocol, enum end_how how, double at_ms)
{
	struct lint *l = lint;

	lint_end_read(l);
	lint_set_protocol(l, protocol);
	l->how = how;
	l->over = true;
	l->place = (struct frame_place){ l->frames, l->bytes, at_ms, true }; /* the end is told with the last frame */
	if (how != END_CANCELLED)
		lint_run(l, LINT_ON_END);
}

/* --- creation --- */

void lint_set_request(struct lint *l, struct str text)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *request = text.len ? json_parse(parser, text, &used) : NULL;

	l->request = (struct lint_request){ 0 };
	if (json_kind(request) == JSON_OBJECT) {
		struct lint_request *r = &l->request;

		r->known = true;
		json_flag(json_get(request, "stream"), &r->stream);
		json_flag(json_find(request, "stream_options.include_usage"), &r->usage);
		r->many = !asked_for_by(request).single_choice;
		r->routed = str_is(json_get_text(request, "model"), "sansa-auto");
	}
	json_parser_free(parser);
}

struct lint *lint_new(const struct lint_options *options, lint_sink *sink, void *ctx)
{
	struct lint *l = mem_new(sizeof *l);

	l->sink = sink;
	l->ctx = ctx;
	l->dialect = options->dialect;
	l->stops_early = options->stops_early;
	lint_begin_body(l);
	lint_set_request(l, options->request);
	l->tap = (struct stream_tap){
		.ctx = l, .head = lint_take_head, .read = lint_take_read, .oddity = lint_take_oddity, .frame = lint_take_frame,
		.broken = lint_take_broken, .done = lint_take_done, .value = lint_take_value, .delta = lint_take_delta, .end = lint_take_end,
	};
	lint_activate(l);
	return l;
}

void lint_free(struct lint *l)
{
	mem_free(l);
}

const struct stream_tap *lint_tap(struct lint *l)
{
	return &l->tap;
}

size_t lint_count(const struct lint *l, const struct lint_rule *rule)
{
	return l->counts[lint_rule_index(rule)];
}

const struct protocol *lint_protocol(const struct lint *l)
{
	return l->protocol;
}

/* --- the fit --- */

struct lint_score lint_score(const struct lint *l, const struct dialect *dialect)
{
	struct lint_score score = { 0 };
	const struct lint_rule *rule;

	for (unsigned i = 0; i < LINT_DIALECT_COUNT; i++)
		if (lint_dialect_at(i) == dialect)
			score.marks = l->chat.marks[i];
	for (size_t i = 0; (rule = lint_rule_at(i)); i++)
		if (rule->dialects != LINT_EVERY && lint_rule_holds(rule, dialect))
			score.against += l->counts[i] > 0;
	return score;
}

#define AGAINST_WEIGHT 2 /* of one rule that is not kept, against marks */

const struct dialect *lint_fit(const struct lint *l)
{
	const struct dialect *best = dialect_find(STR("generic"));
	int most = 0;

	if (l->dialect)
		return l->dialect;
	for (unsigned i = 0; i < LINT_DIALECT_COUNT; i++) {
		struct lint_score score = lint_score(l, lint_dialect_at(i));
		int fit = score.marks - AGAINST_WEIGHT * (int)score.against;

		if (i == LINT_GENERIC_AT ? fit >= most : fit > most) {
			most = fit;
			best = lint_dialect_at(i);
		}
	}
	return best;
}
