/* Rules of the stream as a whole, of every protocol: its end, its head, its timing, errors, calls. */
#include "wire/lint/lint_inside.h"

#include <string.h>

#include "wire/decode.h"

#define LONG_GAP_MS 30000.0    /* between two reads: half of what many proxies allow */
#define BURST_PAUSE_MS 1000.0
#define BURST_FRAMES 32        /* with content, in one read after that pause */

/* --- choices --- */

void lint_take_choice(struct lint *l, const struct json *index)
{
	struct lint_choices *c = &l->choices;
	int64_t number = decode_index(index);

	if (!c->begun)
		c->shown = l->request.known && !l->request.many && number > 0 ? number : 0;
	c->index = number < 0 ? c->shown : number;
	c->is_shown = c->index == c->shown;
}

void lint_keep_choice(struct lint *l, struct str finish)
{
	struct lint_choices *c = &l->choices;

	c->mixed |= c->begun && c->index != c->last && (l->place.frame == c->last_frame || lint_set_has(&c->seen, c->index));
	if (!c->is_shown && !c->other.frame)
		c->other = l->place;
	lint_set_add(&c->seen, c->index);
	if (finish.len)
		lint_set_add(&c->finished, c->index);
	c->last = c->index;
	c->last_frame = l->place.frame;
	c->begun = true;
}

/* Without a request, indices that only rise are of one answer: those of several answers mix. */
static bool is_one_answer(const struct lint *l)
{
	const struct lint_choices *c = &l->choices;

	if (l->request.known)
		return !l->request.many;
	return !c->mixed && lint_set_count(&c->finished) < lint_set_count(&c->seen) && l->outcome != OUTCOME_CUT;
}

static void check_choice_index_rises(struct lint *l)
{
	size_t indices = lint_set_count(&l->choices.seen);

	if (indices > 1 && is_one_answer(l))
		lint_report_at(l, &l->choices.other, "%zu indices came for one answer", indices);
}

static void check_choice_finish(struct lint *l)
{
	const struct lint_choices *c = &l->choices;
	bool ended = l->outcome != OUTCOME_CUT && l->outcome != OUTCOME_STALLED && !l->errors;

	for (int64_t i = 0; ended && !is_one_answer(l) && lint_set_count(&c->seen) > 1 && i < LINT_SET_MOST; i++)
		if (lint_set_has(&c->seen, i) && !lint_set_has(&c->finished, i))
			lint_report(l, "the answer with the index %lld has no finish reason", (long long)i);
}

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
	bool is_one_asked = l->request.known && !l->request.stream;
	const char *expected = l->first == '[' ? "application/json" : l->first != '{' ? "text/event-stream"
	                       : l->protocol == &protocol_ollama && !is_one_asked ? "application/x-ndjson" : "application/json";

	if (is_answer(l) && *l->content_type && l->first && l->first != '<' && !str_is_nocase(str_from(l->content_type), expected))
		lint_report_at(l, &(struct frame_place){ .at_ms = l->head_ms }, "the content type is %s and not %s", l->content_type, expected);
}

static void check_compression(struct lint *l)
{
	struct str coding = header(l, "content-encoding");

	if (is_answer(l) && coding.len && !str_is_nocase(coding, "identity"))
		lint_report(l, "content-encoding is %s", lint_quote(coding).text);
}

static void check_content_length(struct lint *l)
{
	if (is_answer(l) && header(l, "content-length").len && str_has_nocase(l->head->content_type, STR("text/event-stream")))
		lint_report(l, "content-length is %s", lint_quote(header(l, "content-length")).text);
}

static void check_buffering(struct lint *l)
{
	if (is_answer(l) && str_is_nocase(header(l, "x-accel-buffering"), "yes"))
		lint_report(l, "x-accel-buffering is yes");
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

static void check_not_understood(struct lint *l)
{
	if (l->outcome == OUTCOME_ERROR && !l->errors && !l->finished && !l->content && !l->done)
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

static void check_call_id_shared(struct lint *l)
{
	if (lint_prints_has(&l->tool_ids, l->tool->tool.id))
		lint_report(l, "two calls have the id %s", lint_quote(l->tool->tool.id).text);
}

static void check_call_arguments_object(struct lint *l)
{
	struct str arguments = str_trim_start(l->tool->text);

	if (l->tool->tool.valid && !l->free_arguments && !str_starts(arguments, "{"))
		lint_report(l, "the arguments of a call are no object: %s", lint_quote(arguments).text);
}

#define NAME_BYTES 128 /* the most that any of them takes */

static void check_call_name_letters(struct lint *l)
{
	const char *marks = l->protocol == &protocol_gemini || l->protocol == &protocol_ollama ? "_-.:" : "_-";
	struct str name = l->tool->tool.name;
	size_t good = 0;

	while (good < name.len && (char_is_word(name.ptr[good]) || (name.ptr[good] && strchr(marks, name.ptr[good]))))
		good++;
	if (good < name.len || name.len > NAME_BYTES)
		lint_report(l, "the name of a call is no tool's: %s", lint_quote(name).text);
}

static void check_done_foreign(struct lint *l)
{
	if (!l->done)
		lint_report(l, "[DONE] in a stream of %s", l->protocol->name);
}

/* --- time --- */

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
#include "lint_stream.inc"
};

const struct lint_group lint_group_stream = { rows, ARRAY_LEN(rows) };
