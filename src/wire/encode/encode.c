#include "wire/encode/encode.h"

#include <assert.h>

#include "base/array.h"
#include "base/mem.h"
#include "wire/encode/encode_inside.h"

/* In the order of the columns of ENCODE_FEATURES. */
static const struct encode_form *const forms[] = {
	&encode_chat, &encode_responses, &encode_anthropic, &encode_gemini, &encode_ollama,
};

_Static_assert(ARRAY_LEN(forms) == PROTOCOL_COUNT, "each protocol has a form");
#define X(upper, ...) _Static_assert(sizeof((bool[]){ __VA_ARGS__ }) == PROTOCOL_COUNT, #upper " has a column for each form");
ENCODE_FEATURES(X)
#undef X

static const bool features[][ARRAY_LEN(forms)] = {
#define X(upper, ...) [ENCODE_##upper] = { __VA_ARGS__ },
	ENCODE_FEATURES(X)
#undef X
};

static const struct encode_opaque opaque_formats[] = {
	{ OPAQUE_ANTHROPIC_SIGNATURE, &protocol_anthropic, false },
	{ OPAQUE_ANTHROPIC_REDACTED, &protocol_anthropic, false },
	{ OPAQUE_ANTHROPIC_BLOCK, &protocol_anthropic, true },
	{ OPAQUE_REASONING_CONTENT, &protocol_openai_chat, false },
	{ OPAQUE_EXTRA_CONTENT, &protocol_openai_chat, true },
	{ OPAQUE_GEMINI_SIGNATURE, &protocol_gemini, false },
	{ OPAQUE_GEMINI_PART, &protocol_gemini, true },
	{ OPAQUE_RESPONSES_ITEM, &protocol_openai_responses, true },
};

static size_t encode_form_index(const struct protocol *protocol)
{
	size_t i = 0;

	while (i < ARRAY_LEN(forms) && forms[i]->protocol != protocol)
		i++;
	assert(i < ARRAY_LEN(forms));
	return i;
}

bool encode_carries(const struct protocol *protocol, enum encode_feature feature)
{
	return features[feature][encode_form_index(protocol)];
}

const struct encode_opaque *encode_opaque_format(const struct protocol *protocol, struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(opaque_formats); i++)
		if (opaque_formats[i].protocol == protocol && str_is(name, opaque_formats[i].name))
			return &opaque_formats[i];
	return NULL;
}

bool encode_carries_opaque(const struct protocol *protocol, struct str format)
{
	return encode_opaque_format(protocol, format) != NULL;
}

const struct usage_member *encode_usage_members(const struct protocol *protocol)
{
	return forms[encode_form_index(protocol)]->usage_members;
}

const char *encode_content_type(const struct protocol *protocol)
{
	return forms[encode_form_index(protocol)]->content_type;
}

bool encoder_carries(const struct encoder *e, enum encode_feature feature)
{
	return encode_carries(e->form->protocol, feature);
}

/* --- the turn --- */

/* The first values count. Late ones are sent in another head. */
static void encode_identify(struct encoder *e, const struct delta *d)
{
	bool new = (d->meta.id.len && !e->id.len) || (d->meta.model.len && !e->model.len);

	e->head_due |= d->kind == DELTA_BEGIN || (new && encoder_carries(e, ENCODE_LATE_ID));
	if (!e->id.len)
		buf_add(&e->id, d->meta.id);
	if (!e->model.len)
		buf_add(&e->model, d->meta.model);
}

static void encode_take_route(struct encoder *e, const struct delta *d)
{
	encode_set(&e->routed_model, d->route.routed_model);
	e->route = d->route;
	e->route.routed_model = d->route.routed_model.ptr ? buf_str(&e->routed_model) : STR_NONE;
	e->route_due = true;
	if (e->head_due || e->options.whole || !e->form->route)
		return;
	encoder_flush(e);
	e->form->route(e);
}

/* If the protocol cannot express a restart, the answer continues. */
static void encode_start_over(struct encoder *e)
{
	encoder_flush(e);
	if (!e->options.whole && !encoder_carries(e, ENCODE_RESTART)) {
		encode_close_text(e);
		encode_close_calls(e);
		encode_close_server_tools(e);
		e->calls_before_restart = e->calls;
		return;
	}
	encode_drop_blocks(e);
	buf_clear(&e->id);
	buf_clear(&e->model);
	e->calls = e->calls_written = e->ran = 0;
	e->usage_due = e->refused = false;
	e->head_due = true;
}

static void encode_write_usage(struct encoder *e)
{
	if (e->usage_due && e->form->usage && !e->options.whole)
		e->form->usage(e);
}

static bool encode_keeps_words(const struct encoder *e)
{
	return e->finish.len && e->options.words == e->form->protocol;
}

/* The finish word in this protocol; absent if none arrived and none is required. */
static struct str encode_finish_word(const struct encoder *e)
{
	const char *const *words = e->form->words;
	bool speaks_for_itself = e->outcome == OUTCOME_FILTERED && e->refused && !e->calls;
	enum outcome outcome = speaks_for_itself ? OUTCOME_COMPLETE : e->outcome;

	if (encode_keeps_words(e))
		return buf_str(&e->finish);
	if (!e->finish.len && !e->options.whole && outcome <= OUTCOME_TOOL_CALLS && encoder_carries(e, ENCODE_NO_FINISH))
		return STR_NONE;
	return str_from(outcome < OUTCOME_ERROR && words[outcome] ? words[outcome] : words[OUTCOME_COMPLETE]);
}

static void encode_fail(struct encoder *e, const struct error_report *report)
{
	e->failed = true;
	e->outcome = OUTCOME_ERROR;
	encoder_flush(e);
	encode_write_usage(e);
	if (!e->options.whole && encode_keeps_words(e) && encoder_carries(e, ENCODE_FAILED_FINISH))
		e->form->finish(e, buf_str(&e->finish));
	e->form->error(e, report);
}

static void encode_end(struct encoder *e, enum outcome outcome)
{
	const struct encode_form *form = e->form;
	bool broken = outcome == OUTCOME_CUT || outcome == OUTCOME_STALLED || outcome == OUTCOME_CANCELLED;

	e->outcome = outcome;
	encoder_flush(e);
	if (e->failed)
		return;
	struct str word = encode_finish_word(e);
	if (e->options.whole) {
		form->whole(e, word);
		return;
	}
	bool finishes = form->finish && (broken ? encode_keeps_words(e) && encoder_carries(e, ENCODE_BROKEN_FINISH) : word.len > 0);
	if (finishes || !broken)
		encode_close_text(e);
	if (finishes)
		form->finish(e, word);
	encode_write_usage(e);
	if (!broken && form->done)
		form->done(e, word);
}

void encoder_delta(void *encoder, const struct delta *d)
{
	struct encoder *e = encoder;

	e->at_ms = d->at_ms;
	switch (d->kind) {
	case DELTA_BEGIN:
	case DELTA_META:
		encode_identify(e, d);
		break;
	case DELTA_TEXT:
	case DELTA_REASONING:
	case DELTA_REFUSAL:
		encode_words(e, d);
		break;
	case DELTA_TOOL_BEGIN:
		encode_begin_call(e, d);
		break;
	case DELTA_TOOL_NAME:
		encode_name_call(e, d);
		break;
	case DELTA_TOOL_ARGUMENTS:
		encode_add_arguments(e, d);
		break;
	case DELTA_TOOL_END:
		encode_end_call(e, d);
		break;
	case DELTA_OPAQUE:
		encode_take_opaque(e, d);
		break;
	case DELTA_MEDIA_BEGIN:
		encode_begin_media(e, d);
		break;
	case DELTA_MEDIA:
		encode_media_data(e, d);
		break;
	case DELTA_MEDIA_TEXT:
		encode_media_text(e, d);
		break;
	case DELTA_MEDIA_END:
		encode_end_media(e, d);
		break;
	case DELTA_SERVER_TOOL_BEGIN:
		encode_begin_server_tool(e, d);
		break;
	case DELTA_SERVER_TOOL_INPUT:
		encode_server_tool_input(e, d);
		break;
	case DELTA_SERVER_TOOL_END:
		encode_end_server_tool(e, d);
		break;
	case DELTA_CITATION:
		encode_citation(e, d);
		break;
	case DELTA_USAGE:
		e->usage = d->usage;
		e->usage_due = true;
		break;
	case DELTA_ROUTE:
		encode_take_route(e, d);
		break;
	case DELTA_NOTICE:
		break;
	case DELTA_RESTART:
		encode_start_over(e);
		break;
	case DELTA_FINISH:
		encode_set(&e->finish, d->finish.reason);
		break;
	case DELTA_ERROR:
		encode_fail(e, &d->error);
		break;
	case DELTA_END:
		encode_end(e, d->end.outcome);
		break;
	}
}

struct encoder *encoder_new(const struct encode_options *options, struct buf *out)
{
	struct encoder *e = mem_new(sizeof *e);

	e->form = forms[encode_form_index(options->protocol)];
	e->options = *options;
	e->out = out;
	e->open = SIZE_MAX;
	return e;
}

void encoder_free(struct encoder *e)
{
	if (!e)
		return;
	struct buf *bufs[] = { &e->id, &e->model, &e->finish, &e->routed_model, &e->held, &e->scratch };
	for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
		buf_fini(bufs[i]);
	encode_drop_blocks(e);
	mem_free(e->blocks);
	mem_free(e);
}
