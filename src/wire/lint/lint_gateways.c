/* What single gateways promise about openai-chat, and the marks by which their streams are told apart. */
#include "wire/lint/lint_inside.h"

/* --- any gateway --- */

/* Reports the first member of the error that is not a text. */
static void check_error_texts(struct lint *l, const char *const *members)
{
	if (json_kind(l->error.error) != JSON_OBJECT)
		return;
	for (; *members; members++) {
		const struct json *value = json_get(l->error.error, *members);

		if (json_kind(value) == JSON_STRING)
			continue;
		lint_report(l, "%s of the error is %s", *members, value ? lint_kind(value) : "absent");
		return;
	}
}

static void check_usage_always(struct lint *l)
{
	if (!l->errors && !l->chat.answer && l->chat.finishes && l->how == END_CLOSED && !l->usages)
		lint_report(l, "no usage came");
}

static void check_usage_unasked(struct lint *l)
{
	if (l->request.known && l->request.stream && !l->request.usage)
		lint_report(l, "usage came, and the request did not ask for it");
}

static void check_usage_own_chunk(struct lint *l)
{
	if (l->chat.answer)
		return;
	if (l->chat.choices)
		lint_report(l, "usage came in a chunk with choices");
	else if (!l->chat.finishes)
		lint_report(l, "usage came before the finish reason");
}

static void check_usage_before_done(struct lint *l)
{
	if (!l->done && l->usages && !l->errors && l->usage_place.frame + 1 != l->place.frame)
		lint_report(l, "%zu frames came between the usage and [DONE]", l->place.frame - l->usage_place.frame - 1);
}

static void check_error_done(struct lint *l)
{
	if (l->errors && !l->done && !l->stops_early && l->how == END_CLOSED && l->status / 100 == 2 && l->first != '{' && l->first != '[')
		lint_report(l, "data: [DONE] does not follow the error");
}

static void check_finish_delta(struct lint *l)
{
	const struct lint_chat *c = &l->chat;
	struct json_member first = { 0 };

	if (c->finish.len && !c->answer && json_next(c->choice[LINT_CHOICE_DELTA].value, &first))
		lint_report(l, "the delta of the finish chunk has %s", lint_quote(first.key).text);
}

/* --- sansa --- */

static void check_sansa_chunk(struct lint *l)
{
	const struct lint_chat *c = &l->chat;

	if (c->answer || c->chunk[LINT_CHUNK_USAGE].value)
		return;
	if (!str_is(json_text(c->chunk[LINT_CHUNK_OBJECT].value), "chat.completion.chunk"))
		lint_report(l, "object is not chat.completion.chunk");
	else if (json_kind(c->chunk[LINT_CHUNK_CREATED].value) != JSON_NUMBER)
		lint_report(l, "created is not a number");
}

static void check_sansa_usage(struct lint *l)
{
	bool finish = false;

	for (size_t i = 0; i < l->chat.choices; i++)
		finish |= json_get_text(json_at(l->chat.chunk[LINT_CHUNK_CHOICES].value, i), "finish_reason").len > 0;
	if (!finish && !l->chat.answer)
		lint_report(l, "usage came in a chunk without a finish reason");
}

static void check_sansa_route_first(struct lint *l)
{
	if (l->chat.chunk[LINT_CHUNK_ROUTE].present && l->chat.chunks)
		lint_report(l, "the routing object came in chunk %zu", l->chat.chunks + 1);
}

static void check_sansa_route_shape(struct lint *l)
{
	static const char shape[] = "routed:b! routed_model:s?! routing_latency_ms:n?!";
	const struct lint_member *route = &l->chat.chunk[LINT_CHUNK_ROUTE];

	if (!route->present)
		return;
	if (json_kind(route->value) != JSON_OBJECT)
		lint_report(l, "sansa is %s", lint_kind(route->value));
	lint_check_shape(l, LINT_LACKING, "sansa", route->value, shape);
	lint_check_shape(l, LINT_WRONG_KIND, "sansa", route->value, shape);
}

static void check_sansa_route_asked(struct lint *l)
{
	bool has = l->chat.chunk[LINT_CHUNK_ROUTE].present;

	if (l->chat.chunks || l->chat.answer || !l->request.known || has == l->request.routed)
		return;
	lint_report(l, has ? "the routing object came for a direct model" : "the first chunk has no routing object");
}

static void check_sansa_finish(struct lint *l)
{
	lint_check_word(l, "finish_reason", l->chat.finish, "stop length tool_calls error");
}

static void check_sansa_error(struct lint *l)
{
	check_error_texts(l, (const char *const[]){ "code", "message", NULL });
}

static void check_sansa_error_finish(struct lint *l)
{
	const struct json *choice = json_at(json_get(l->error.value, "choices"), 0);

	if (!l->error.in_body && l->chat.chunks && !str_is(json_get_text(choice, "finish_reason"), "error"))
		lint_report(l, "the error has no choice with the finish reason error");
}

static void check_sansa_reasoning(struct lint *l)
{
	const struct lint_member *delta = l->chat.delta;

	if (json_text(delta[LINT_DELTA_REASONING_CONTENT].value).len || json_text(delta[LINT_DELTA_REASONING].value).len)
		lint_report(l, "reasoning came in another field than reasoning_details");
}

static void check_sansa_reasoning_order(struct lint *l)
{
	if (l->chat.has_reasoning && l->chat.text)
		lint_report(l, "reasoning came after content");
}

/* --- chuizi --- */

static void check_chuizi_usage_last(struct lint *l)
{
	if (!l->done && l->usages && !l->errors && l->usage_place.frame != l->chat.last_place.frame)
		lint_report(l, "the last chunk has no usage, an earlier one has");
}

static void check_chuizi_error(struct lint *l)
{
	check_error_texts(l, (const char *const[]){ "message", "type", "code", NULL });
}

/* --- aivene --- */

static void check_aivene_finish(struct lint *l)
{
	lint_check_word(l, "finish_reason", l->chat.finish, "stop length tool_calls content_filter");
}

static void check_aivene_reasoning(struct lint *l)
{
	const struct lint_member *delta = l->chat.delta;

	if (json_text(delta[LINT_DELTA_REASONING].value).len || json_length(delta[LINT_DELTA_REASONING_DETAILS].value))
		lint_report(l, "reasoning came in another field than reasoning_content");
}

/* The chunks of calls are printed without it. */
static void check_aivene_index(struct lint *l)
{
	if (!l->chat.choice[LINT_CHOICE_INDEX].value && !l->chat.has_call)
		lint_report(l, "a choice has no index");
}

static void check_aivene_call(struct lint *l)
{
	const struct lint_member *arguments = &l->chat.function[LINT_FUNCTION_ARGUMENTS];

	if (l->chat.of || l->chat.answer)
		return;
	if (json_kind(arguments->value) != JSON_STRING)
		lint_report(l, "the fragment that announces a call has no arguments");
	else if (json_text(arguments->value).len)
		lint_report(l, "the fragment that announces a call has arguments that are not empty");
}

static void check_aivene_error(struct lint *l)
{
	check_error_texts(l, (const char *const[]){ "message", "type", NULL });
}

/* --- runtime --- */

static void check_runtime_object(struct lint *l)
{
	const struct lint_member *object = &l->chat.chunk[LINT_CHUNK_OBJECT];

	if (!str_is(json_text(object->value), "chat.completion"))
		lint_report(l, "object is %s", object->value ? lint_quote(json_text(object->value)).text : "absent");
}

static void check_runtime_model(struct lint *l)
{
	const struct lint_member *model = &l->chat.chunk[LINT_CHUNK_MODEL];

	if (json_kind(model->value) != JSON_STRING)
		lint_report(l, "model is %s", model->present ? lint_kind(model->value) : "absent");
}

static void check_runtime_index(struct lint *l)
{
	if (l->choices.index)
		lint_report(l, "the index of a choice is %lld", (long long)l->choices.index);
}

static void check_runtime_finish(struct lint *l)
{
	lint_check_word(l, "finish_reason", l->chat.finish, "stop tool_calls");
}

static void check_runtime_error(struct lint *l)
{
	if (!l->error.in_body && l->chat.chunks && (!json_get(l->error.value, "id") || !json_get(l->error.value, "choices")))
		lint_report(l, "the chunk with the error has no %s", json_get(l->error.value, "id") ? "choices" : "id");
}

static void check_runtime_done(struct lint *l)
{
	if (!l->done)
		lint_report(l, "data: [DONE] came");
}

static const struct lint_rule rows[] = {
#include "lint_gateways.inc"
};

const struct lint_group lint_group_gateways = { rows, ARRAY_LEN(rows) };

/* --- marks --- */

/* What a gateway sends and others do not, or rarely. Each mark counts once. */
struct mark {
	unsigned dialect;    /* LINT_..._AT */
	int weight;
	bool (*shows)(const struct lint *l);
};

static struct str chunk_text(const struct lint *l, enum lint_chunk_key key)
{
	return json_text(l->chat.chunk[key].value);
}

static const struct json *first_delta(const struct lint *l)
{
	return l->chat.chunks ? NULL : json_get(json_at(l->chat.chunk[LINT_CHUNK_CHOICES].value, 0), "delta");
}

static bool has_route(const struct lint *l) { return json_kind(l->chat.chunk[LINT_CHUNK_ROUTE].value) == JSON_OBJECT; }
static bool has_bare_final(const struct lint *l)
{
	return l->chat.choices && l->chat.chunk[LINT_CHUNK_USAGE].value && !l->chat.chunk[LINT_CHUNK_OBJECT].present &&
	       !l->chat.chunk[LINT_CHUNK_CREATED].present;
}
static bool has_gen_id(const struct lint *l) { return str_starts(chunk_text(l, LINT_CHUNK_ID), "gen-"); }
static bool has_ilbs_id(const struct lint *l) { return str_starts(chunk_text(l, LINT_CHUNK_ID), "ilbs_"); }
static bool has_stream_id(const struct lint *l) { return str_starts(chunk_text(l, LINT_CHUNK_ID), "stream:chat:"); }
static bool has_completion_object(const struct lint *l)
{
	return !l->chat.answer && str_is(chunk_text(l, LINT_CHUNK_OBJECT), "chat.completion");
}
static bool has_empty_model(const struct lint *l)
{
	return json_kind(l->chat.chunk[LINT_CHUNK_MODEL].value) == JSON_STRING && !chunk_text(l, LINT_CHUNK_MODEL).len;
}
static bool has_usage_on_finish(const struct lint *l) { return l->chat.choices && l->chat.chunk[LINT_CHUNK_USAGE].value && l->chat.finish.len; }
static bool has_usage_chunk(const struct lint *l) { return !l->chat.choices && l->chat.chunk[LINT_CHUNK_USAGE].value; }
static bool has_role_alone(const struct lint *l) { return json_get(first_delta(l), "role") && !l->chat.delta[LINT_DELTA_CONTENT].present; }
static bool has_role_and_empty(const struct lint *l)
{
	const struct json *content = json_get(first_delta(l), "content");

	return json_get(first_delta(l), "role") && json_kind(content) == JSON_STRING && !json_text(content).len;
}
static bool has_reasoning_content(const struct lint *l) { return json_text(l->chat.delta[LINT_DELTA_REASONING_CONTENT].value).len > 0; }
static bool has_details_alone(const struct lint *l)
{
	return json_length(l->chat.delta[LINT_DELTA_REASONING_DETAILS].value) && !l->chat.delta[LINT_DELTA_REASONING].present;
}
static bool has_cache_write(const struct lint *l)
{
	return json_find(l->chat.chunk[LINT_CHUNK_USAGE].value, "prompt_tokens_details.cache_write_tokens");
}
static bool has_reasoning_count(const struct lint *l)
{
	return has_usage_chunk(l) && json_find(l->chat.chunk[LINT_CHUNK_USAGE].value, "completion_tokens_details.reasoning_tokens");
}
static bool has_openai_model(const struct lint *l)
{
	return str_starts(chunk_text(l, LINT_CHUNK_ID), "chatcmpl-") && str_starts(chunk_text(l, LINT_CHUNK_MODEL), "gpt-");
}
/* OpenAI's own details, which none of the gateways documents. */
static bool has_audio_count(const struct lint *l)
{
	return json_find(l->chat.chunk[LINT_CHUNK_USAGE].value, "completion_tokens_details.audio_tokens");
}
/* Members of a chunk that none of the gateways documents. */
static bool has_others(const struct lint *l) { return l->chat.other_members > 0; }
static bool always(const struct lint *l) { (void)l; return true; }

static bool error_has_finish(const struct lint *l)
{
	const struct json *choice = json_at(l->chat.chunk[LINT_CHUNK_CHOICES].value, 0);

	return str_is(json_get_text(choice, "finish_reason"), "error") && !json_get(choice, "delta");
}
static const struct json *error_member(const struct lint *l, const char *name)
{
	return json_get(l->chat.chunk[LINT_CHUNK_ERROR].value, name);
}
static bool error_has_no_type(const struct lint *l) { return error_member(l, "code") && error_member(l, "message") && !error_member(l, "type"); }
static bool error_has_digits(const struct lint *l)
{
	long long code;

	return error_member(l, "type") && str_to_int(json_text(error_member(l, "code")), &code);
}
static bool error_has_word(const struct lint *l)
{
	return error_member(l, "type") && json_text(error_member(l, "code")).len && !error_has_digits(l);
}
static bool error_is_of_stream(const struct lint *l)
{
	return str_is(json_text(error_member(l, "type")), "stream_error") && !error_member(l, "code");
}

static const struct mark chunk_marks[] = {
	{ LINT_SANSA_AT, 10, has_route }, { LINT_SANSA_AT, 5, has_bare_final }, { LINT_SANSA_AT, 1, has_usage_on_finish },
	{ LINT_SANSA_AT, 1, has_details_alone }, { LINT_SANSA_AT, 1, has_role_alone },
	{ LINT_CHUIZI_AT, 3, has_gen_id }, { LINT_CHUIZI_AT, 1, has_usage_on_finish }, { LINT_CHUIZI_AT, 1, has_role_alone },
	{ LINT_AIVENE_AT, 10, has_ilbs_id }, { LINT_AIVENE_AT, 1, has_role_and_empty }, { LINT_AIVENE_AT, 1, has_reasoning_content },
	{ LINT_AIVENE_AT, 1, has_usage_chunk }, { LINT_AIVENE_AT, 2, has_cache_write },
	{ LINT_RUNTIME_AT, 10, has_stream_id }, { LINT_RUNTIME_AT, 5, has_completion_object }, { LINT_RUNTIME_AT, 1, has_empty_model },
	{ LINT_OPENTOKEN_AT, 1, has_role_alone }, { LINT_OPENTOKEN_AT, 2, has_usage_chunk }, { LINT_OPENTOKEN_AT, 1, has_reasoning_count },
	{ LINT_GENERIC_AT, 2, always }, { LINT_GENERIC_AT, 4, has_others },
	{ LINT_GENERIC_AT, 4, has_audio_count }, { LINT_GENERIC_AT, 2, has_openai_model },
};

static const struct mark error_marks[] = {
	{ LINT_SANSA_AT, 5, error_has_finish }, { LINT_SANSA_AT, 1, error_has_no_type }, { LINT_CHUIZI_AT, 2, error_has_digits },
	{ LINT_AIVENE_AT, 5, error_is_of_stream }, { LINT_OPENTOKEN_AT, 2, error_has_word },
};

static void take_marks(struct lint *l, const struct mark *marks, size_t count, unsigned first_bit)
{
	for (size_t i = 0; i < count; i++) {
		unsigned bit = 1u << (first_bit + i);

		if ((l->chat.marked & bit) || !marks[i].shows(l))
			continue;
		l->chat.marked |= bit;
		l->chat.marks[marks[i].dialect] += marks[i].weight;
	}
}

#define MARKED_CHUNKS 4 /* the first, where most marks are */

void lint_chat_marks(struct lint *l)
{
	const struct lint_chat *c = &l->chat;

	if (!l->dialect && (c->chunks < MARKED_CHUNKS || c->has_reasoning || c->chunk[LINT_CHUNK_USAGE].value))
		take_marks(l, chunk_marks, ARRAY_LEN(chunk_marks), 0);
}

void lint_chat_error_marks(struct lint *l)
{
	if (!l->dialect)
		take_marks(l, error_marks, ARRAY_LEN(error_marks), ARRAY_LEN(chunk_marks));
}
