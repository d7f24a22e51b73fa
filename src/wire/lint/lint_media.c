/* Rules of media and of the tools of the server, of several protocols. What they compare with, the protocols keep. */
#include "wire/lint/lint_inside.h"

#include "wire/decode.h"

/* --- OpenAI Responses --- */

static void check_responses_picture(struct lint *l)
{
	const struct lint_responses *r = &l->responses;

	if (str_is(r->type, "response.output_item.done") && str_is(json_get_text(r->item, "type"), "image_generation_call") &&
	    !json_get_text(r->item, "result").len && !str_is(json_get_text(r->item, "status"), "failed"))
		lint_report(l, "the picture %lld is done, and has no result", (long long)r->output);
}

static void check_responses_partial(struct lint *l)
{
	const struct lint_responses *r = &l->responses;
	int64_t number = decode_count(l->message->value, "partial_image_index");
	int64_t before = r->output >= 0 && r->output < LINT_SET_MOST ? r->items[r->output].partials - 1 : -1;

	if (number >= 0 && number <= before)
		lint_report(l, "the partial picture %lld follows %lld", (long long)number, (long long)before);
}

/* --- Anthropic Messages --- */

/* A pause, a call of the client, a limit or a refusal may come before the result. */
static void check_anthropic_tool_result(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;
	size_t calls = a->input_ids.count, results = a->result_ids.count;

	if (a->event == LINT_MESSAGE_STOP && a->stop_end && calls <= LINT_PRINTS_MOST && results < calls)
		lint_report(l, "%zu of %zu calls that the server runs have no result", calls - results, calls);
}

/* --- Gemini --- */

static void check_gemini_code(struct lint *l)
{
	if (json_get(l->gemini.part, "codeExecutionResult") && !l->gemini.codes)
		lint_report(l, "a codeExecutionResult came without executableCode before it");
}

static void check_gemini_code_open(struct lint *l)
{
	if (l->gemini.codes && l->outcome == OUTCOME_COMPLETE)
		lint_report_at(l, &l->gemini.code_place, "the result of executableCode did not come");
}

/* --- all protocols: what the guard finds --- */

static void check_media_data(struct lint *l)
{
	struct str text = l->notice->notice.text;

	if (str_is(l->notice->notice.rule, l->rule->id))
		lint_report(l, "%.*s", STR_ARG(str_head(text, text.len - str_ends(text, "."))));
}

static const struct lint_rule rows[] = {
#include "lint_media.inc"
};

const struct lint_group lint_group_media = { rows, ARRAY_LEN(rows) };
