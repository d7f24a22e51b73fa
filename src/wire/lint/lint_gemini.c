/* Rules of Gemini generateContent. */
#include "wire/lint/lint_inside.h"

#include "wire/decode.h"

/* --- chunks --- */

static void keep_part(struct lint *l)
{
	struct lint_gemini *g = &l->gemini;
	bool going = false;

	if (json_get(g->part, "executableCode")) {
		g->codes++;
		g->code_place = l->place;
	}
	g->codes -= g->codes && json_get(g->part, "codeExecutionResult");
	if (!g->call)
		return;
	json_flag(json_get(g->call, "willContinue"), &going);
	if (going && !g->partial)
		g->partial_place = l->place;
	g->partial = going;
}

static void take_parts(struct lint *l)
{
	struct lint_gemini *g = &l->gemini;

	for (size_t i = 0; i < json_length(g->parts); i++) {
		g->part = json_at(g->parts, i);
		g->call = json_get(g->part, "functionCall");
		lint_run(l, LINT_ON_CALL);
		keep_part(l);
	}
	g->part = g->call = NULL;
}

static bool has_content(const struct json *parts)
{
	static const char *const kinds[] = { "functionCall", "executableCode", "codeExecutionResult", "inlineData", "fileData", "toolCall" };

	for (size_t i = 0; i < json_length(parts); i++) {
		const struct json *part = json_at(parts, i);

		if (json_get_text(part, "text").len)
			return true;
		for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
			if (json_get(part, kinds[k]))
				return true;
	}
	return false;
}

/* The candidate of the answer that is shown; the others only count. */
static void take_candidates(struct lint *l, const struct json *candidates)
{
	struct lint_gemini *g = &l->gemini;

	g->candidate = NULL;
	for (size_t i = 0; i < json_length(candidates); i++) {
		const struct json *candidate = json_at(candidates, i);

		lint_take_choice(l, json_get(candidate, "index"));
		if (l->choices.is_shown && !g->candidate)
			g->candidate = candidate;
		lint_keep_choice(l, json_get_text(candidate, "finishReason"));
	}
	g->parts = json_find(g->candidate, "content.parts");
	g->finish = json_get_text(g->candidate, "finishReason");
	g->has_content = has_content(g->parts);
}

void lint_gemini_value(struct lint *l)
{
	struct lint_gemini *g = &l->gemini;
	const struct json *value = l->message->value;

	if (decode_has_error(l->message)) {
		lint_take_error(l, json_get(value, "error"), false);
		return;
	}
	take_candidates(l, json_get(value, "candidates"));
	lint_run(l, LINT_ON_EVENT);
	take_parts(l);
	g->chunks++;
	g->finished |= g->finish.len > 0;
	g->last_finish = g->finish.len ? lint_print(g->finish) : g->last_finish;
	g->blocked |= json_find(value, "promptFeedback.blockReason") != NULL;
	if (!g->response_id.len)
		g->response_id = lint_print(json_get_text(value, "responseId"));
	int64_t count = decode_count(json_get(value, "usageMetadata"), "candidatesTokenCount");
	g->candidates_tokens = count > g->candidates_tokens ? count : g->candidates_tokens;
}

/* --- shapes --- */

#define USAGE_SHAPE \
	"promptTokenCount:c candidatesTokenCount:c thoughtsTokenCount:c totalTokenCount:c cachedContentTokenCount:c toolUsePromptTokenCount:c " \
	"promptTokensDetails:a candidatesTokensDetails:a cacheTokensDetails:a toolUsePromptTokensDetails:a trafficType:s serviceTier:s"

/* Members of a part, one of which it has; and of what they hold. */
static const struct lint_shape part_shapes[] = {
	{ "text", NULL }, { "functionCall", "id:s name:s partialArgs:a willContinue:b" }, { "executableCode", "language:s code:s!" },
	{ "codeExecutionResult", "outcome:s! output:s" }, { "inlineData", "mimeType:s! data:s!" }, { "fileData", "fileUri:s! mimeType:s" },
	{ "toolCall", "toolType:s!" }, { "toolResponse", "toolType:s!" }, { "functionResponse", NULL },
};

static void check_part_shape(struct lint *l, enum lint_fault fault, const struct json *part)
{
	lint_check_shape(l, fault, "a part", part, "text:s thought:b thoughtSignature:s functionCall:o executableCode:o codeExecutionResult:o "
	                 "inlineData:o fileData:o toolCall:o toolResponse:o");
	for (size_t i = 0; i < ARRAY_LEN(part_shapes); i++)
		if (part_shapes[i].members && json_kind(json_get(part, part_shapes[i].word)) == JSON_OBJECT)
			lint_check_shape(l, fault, part_shapes[i].word, json_get(part, part_shapes[i].word), part_shapes[i].members);
}

static void check_candidate_shape(struct lint *l, enum lint_fault fault, const struct json *candidate)
{
	const struct json *content = json_get(candidate, "content"), *parts = json_get(content, "parts");

	lint_check_shape(l, fault, "a candidate", candidate,
	                 "index:c content:o finishReason:s finishMessage:s safetyRatings:a citationMetadata:o groundingMetadata:o");
	lint_check_shape(l, fault, "content", content, "parts:a role:s");
	lint_check_shapes(l, fault, "an element of parts", parts, NULL);
	for (size_t i = 0; i < json_length(parts); i++)
		check_part_shape(l, fault, json_at(parts, i));
}

static void check_shape(struct lint *l, enum lint_fault fault)
{
	const struct json *value = l->message->value, *candidates = json_get(value, "candidates");

	lint_check_shape(l, fault, "a chunk", value, "candidates:a usageMetadata:o promptFeedback:o modelVersion:s responseId:s");
	lint_check_shape(l, fault, "usageMetadata", json_get(value, "usageMetadata"), USAGE_SHAPE);
	lint_check_shape(l, fault, "promptFeedback", json_get(value, "promptFeedback"), "blockReason:s safetyRatings:a");
	lint_check_shapes(l, fault, "an element of candidates", candidates, NULL);
	for (size_t i = 0; i < json_length(candidates); i++)
		check_candidate_shape(l, fault, json_at(candidates, i));
}

static void check_gemini_types(struct lint *l) { check_shape(l, LINT_WRONG_KIND); }
static void check_gemini_members(struct lint *l) { check_shape(l, LINT_LACKING); }

/* --- rules --- */

static void check_gemini_chunk(struct lint *l)
{
	static const char *const members[] = { "candidates", "promptFeedback", "usageMetadata" };

	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (json_get(l->message->value, members[i]))
			return;
	lint_report(l, "a frame has neither candidates nor promptFeedback nor usageMetadata");
}

/* The request does not say whether a stream is asked for: its URL does. */
static void check_gemini_streamed(struct lint *l)
{
	if (l->gemini.chunks == 0 && l->first == '{' && !l->request.known)
		lint_report(l, "a whole answer came instead of a stream");
}

static void check_gemini_role(struct lint *l)
{
	struct str role = json_text(json_find(l->gemini.candidate, "content.role"));

	if (role.len && !str_is(role, "model"))
		lint_report(l, "the role is %s", lint_quote(role).text);
}

static void check_gemini_empty(struct lint *l)
{
	const struct lint_gemini *g = &l->gemini;

	if (g->candidate && !json_length(g->parts) && !g->finish.len && !g->finished)
		lint_report(l, "a candidate has neither content nor a finish reason");
}

/* A part of nothing but a signature is common, as the last one. */
static void check_gemini_part(struct lint *l)
{
	const struct json *part = l->gemini.part;
	struct json_member member = { 0 };
	size_t kinds = 0;

	for (size_t i = 0; i < ARRAY_LEN(part_shapes); i++)
		kinds += json_get(part, part_shapes[i].word) != NULL;
	if (kinds > 1)
		lint_report(l, "a part is of %zu kinds", kinds);
	else if (!kinds && json_kind(part) == JSON_OBJECT && !json_get(part, "thoughtSignature"))
		lint_report(l, json_next(part, &member) ? "a part is of no known kind: %s" : "a part is empty", lint_quote(member.key).text);
}

static void check_gemini_after_finish(struct lint *l)
{
	const struct lint_gemini *g = &l->gemini;

	if (g->finished && g->has_content)
		lint_report(l, "content came after a finish reason");
	else if (lint_print_differs(g->last_finish, g->finish))
		lint_report(l, "another finish reason came: %s", lint_quote(g->finish).text);
}

static void check_gemini_finish_word(struct lint *l)
{
	lint_check_word(l, "finishReason", l->gemini.finish, "STOP MAX_TOKENS SAFETY RECITATION LANGUAGE OTHER BLOCKLIST PROHIBITED_CONTENT SPII "
	                "MALFORMED_FUNCTION_CALL MALFORMED_RESPONSE MODEL_ARMOR UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MISSING_THOUGHT_SIGNATURE "
	                "IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION IMAGE_OTHER NO_IMAGE");
}

static void check_gemini_block_word(struct lint *l)
{
	lint_check_word(l, "blockReason", json_text(json_find(l->message->value, "promptFeedback.blockReason")),
	                "SAFETY OTHER BLOCKLIST PROHIBITED_CONTENT IMAGE_SAFETY MODEL_ARMOR JAILBREAK");
}

static void check_gemini_call(struct lint *l)
{
	const struct lint_gemini *g = &l->gemini;
	const struct json *arguments = json_get(g->call, "args");

	if (!g->call)
		return;
	if (arguments && json_kind(arguments) != JSON_OBJECT)
		lint_report(l, "the arguments of a call are %s", lint_kind(arguments));
	if (!g->partial && !json_get_text(g->call, "name").len)
		lint_report(l, "a call has no name");
}

static void check_gemini_call_open(struct lint *l)
{
	if (l->gemini.partial && l->outcome != OUTCOME_CUT && l->outcome != OUTCOME_STALLED && !l->errors)
		lint_report_at(l, &l->gemini.partial_place, "a call that continues does not end");
}

static void check_gemini_call_end(struct lint *l)
{
	const struct json *call = l->gemini.call;
	bool going = false;

	json_flag(json_get(call, "willContinue"), &going);
	if (l->gemini.partial && !going && json_get(call, "partialArgs"))
		lint_report(l, "a call ends with a piece of its arguments");
	else if (l->gemini.partial && json_get_text(call, "name").len)
		lint_report(l, "a call begins while another continues");
}

static void check_gemini_usage_sum(struct lint *l)
{
	static const char *const members[] = { "promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount" };
	const struct json *usage = json_get(l->message->value, "usageMetadata");
	int64_t total = decode_count(usage, "totalTokenCount"), sum = 0;

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		int64_t count = decode_count(usage, members[i]);

		if (count > INT64_MAX / 8)
			return;
		sum += count > 0 ? count : 0;
	}
	if (total >= 0 && total != sum)
		lint_report(l, "totalTokenCount is %lld, and the sum of the others is %lld", (long long)total, (long long)sum);
}

static void check_gemini_usage_grows(struct lint *l)
{
	int64_t count = decode_count(json_get(l->message->value, "usageMetadata"), "candidatesTokenCount");

	if (count >= 0 && count < l->gemini.candidates_tokens)
		lint_report(l, "candidatesTokenCount falls from %lld to %lld", (long long)l->gemini.candidates_tokens, (long long)count);
}

static void check_gemini_response_id(struct lint *l)
{
	struct str id = json_get_text(l->message->value, "responseId");

	if (lint_print_differs(l->gemini.response_id, id))
		lint_report(l, "responseId is another one: %s", lint_quote(id).text);
}

static void check_gemini_error(struct lint *l)
{
	const struct json *error = l->error.error;
	int64_t code;

	if (json_kind(error) != JSON_OBJECT || !json_count(json_get(error, "code"), &code) || !json_get_text(error, "message").len ||
	    !json_get_text(error, "status").len)
		lint_report(l, "the error lacks code (a number), message or status");
}

static const struct lint_rule rows[] = {
#include "lint_gemini.inc"
};

const struct lint_group lint_group_gemini = { rows, ARRAY_LEN(rows) };
