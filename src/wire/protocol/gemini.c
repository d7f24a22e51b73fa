/* Gemini generateContent: every value is a complete response with the next parts (src/wire/README.md, "Gemini"). */
#include "wire/protocol/gemini.h"

#include "wire/decode.h"
#include "wire/decode_media.h"
#include "wire/protocol/gemini_args.h"

enum run { RUN_NONE, RUN_TEXT, RUN_THOUGHT };

struct gemini {
	enum run run;           /* the kind of the last part, if the next one may continue it */
	unsigned key;           /* of its text */
	bool calling;           /* a call in pieces is open */
	unsigned call;
	bool whole_args;        /* its arguments arrived as one value */
	struct gemini_args *args; /* or in these pieces */
	bool hearing;           /* audio in pieces is open */
	unsigned audio;
	struct buf audio_type;
	bool audio_thought;
	size_t grounding;       /* chunks reported so far: later lists repeat them */
	size_t supports;        /* supports reported so far */
};

/* The members that are read, in the order in which the server sends them. */
enum response_key { RESPONSE_CANDIDATES, RESPONSE_FEEDBACK, RESPONSE_USAGE, RESPONSE_MODEL, RESPONSE_ID, RESPONSE_KEYS };
static const char *const response_keys[RESPONSE_KEYS] = {
	[RESPONSE_CANDIDATES] = "candidates", [RESPONSE_FEEDBACK] = "promptFeedback", [RESPONSE_USAGE] = "usageMetadata",
	[RESPONSE_MODEL] = "modelVersion", [RESPONSE_ID] = "responseId",
};

enum candidate_key {
	CANDIDATE_CONTENT, CANDIDATE_FINISH, CANDIDATE_FINISH_MESSAGE, CANDIDATE_INDEX, CANDIDATE_CITED, CANDIDATE_GROUNDING, CANDIDATE_KEYS
};
static const char *const candidate_keys[CANDIDATE_KEYS] = {
	[CANDIDATE_CONTENT] = "content", [CANDIDATE_FINISH] = "finishReason", [CANDIDATE_FINISH_MESSAGE] = "finishMessage",
	[CANDIDATE_INDEX] = "index", [CANDIDATE_CITED] = "citationMetadata", [CANDIDATE_GROUNDING] = "groundingMetadata",
};

/* Parts with KEY_CODE or a later key are media or of a tool of the server, and are sent back unchanged. */
enum part_key {
	KEY_TEXT, KEY_THOUGHT, KEY_SIGNATURE, KEY_CALL, KEY_CODE, KEY_CODE_RESULT, KEY_INLINE, KEY_FILE, KEY_TOOL_CALL, KEY_TOOL_RESPONSE,
	PART_KEYS
};
static const char *const part_keys[PART_KEYS] = {
	[KEY_TEXT] = "text", [KEY_THOUGHT] = "thought", [KEY_SIGNATURE] = "thoughtSignature", [KEY_CALL] = "functionCall",
	[KEY_CODE] = "executableCode", [KEY_CODE_RESULT] = "codeExecutionResult", [KEY_INLINE] = "inlineData", [KEY_FILE] = "fileData",
	[KEY_TOOL_CALL] = "toolCall", [KEY_TOOL_RESPONSE] = "toolResponse",
};

static void gemini_fini(void *state)
{
	struct gemini *s = state;

	gemini_args_free(s->args);
	buf_fini(&s->audio_type);
}

/* --- calls --- */

static void gemini_end_call(struct decoder *d)
{
	struct gemini *s = d->state;
	struct buf text = { 0 };

	if (!s->calling)
		return;
	if (s->args && !s->whole_args) {
		gemini_args_write(s->args, &text);
		guard_tool_arguments(d->guard, s->call, buf_str(&text));
		buf_fini(&text);
	}
	guard_tool_end(d->guard, s->call);
	gemini_args_free(s->args);
	s->args = NULL;
	s->calling = s->whole_args = false;
}

static void take_pieces(struct decoder *d, const struct json *pieces)
{
	struct gemini *s = d->state;

	for (size_t i = 0; i < json_length(pieces); i++) {
		if (!s->args)
			s->args = gemini_args_new();
		if (!gemini_args_add(s->args, json_at(pieces, i)))
			guard_notice(d->guard, "partial-args", "a piece of a call's arguments could not be placed");
	}
}

static void take_args(struct decoder *d, const struct json *args)
{
	struct gemini *s = d->state;
	struct buf scratch = { 0 };

	if (!args || s->whole_args)
		return;
	guard_tool_arguments(d->guard, s->call, decode_arguments(args, &scratch));
	buf_fini(&scratch);
	s->whole_args = true;
}

/* A name begins a call, unless name and id are those of the open call. */
static bool begins_call(const struct decoder *d, const struct json *call)
{
	const struct gemini *s = d->state;
	struct str id = json_get_text(call, "id");

	if (!s->calling)
		return json_get_text(call, "name").len || json_get(call, "args") || json_length(json_get(call, "partialArgs"));
	return json_get_text(call, "name").len && !(id.len && str_equal(id, guard_tool_id(d->guard, s->call)));
}

static void gemini_take_call(struct decoder *d, const struct json *call, struct str signature)
{
	struct gemini *s = d->state;
	bool more = false;
	struct buf scratch = { 0 };

	if (begins_call(d, call)) {
		gemini_end_call(d);
		s->call = guard_tool_begin(d->guard, decode_id(call, "id", &scratch), json_get_text(call, "name"));
		buf_fini(&scratch);
		s->calling = true;
	}
	s->run = RUN_NONE;
	if (!s->calling)
		return;
	if (signature.len)
		guard_opaque(d->guard, GUARD_NEW_PART, (int)s->call, OPAQUE_GEMINI_SIGNATURE, signature);
	take_args(d, json_get(call, "args"));
	take_pieces(d, json_get(call, "partialArgs"));
	if (!json_flag(json_get(call, "willContinue"), &more) || !more)
		gemini_end_call(d);
}

/* --- media --- */

/* What stands behind audio ends it. */
static void gemini_end_audio(struct decoder *d)
{
	struct gemini *s = d->state;

	if (!s->hearing)
		return;
	s->hearing = false;
	guard_media_complete(d->guard, s->audio);
	guard_media_end(d->guard, s->audio);
}

/* Adjacent pieces of one type are one item, each of them base64 of its own. */
static void gemini_take_audio(struct decoder *d, const struct media_facts *facts, const struct json *data)
{
	struct gemini *s = d->state;

	if (s->hearing && (s->audio_thought != facts->thought || !str_equal(buf_str(&s->audio_type), facts->type)))
		gemini_end_audio(d);
	if (!s->hearing) {
		s->audio = guard_media_begin(d->guard, facts);
		s->audio_thought = facts->thought;
		buf_clear(&s->audio_type);
		buf_add(&s->audio_type, facts->type);
		s->hearing = true;
	}
	decode_media_piece(d->guard, s->audio, NULL, data);
}

static void gemini_take_data(struct decoder *d, const struct json *data, bool thought)
{
	struct media_facts facts = { .kind = MEDIA_FILE, .type = json_get_text(data, "mimeType"), .thought = thought };
	struct media_reference reference = media_base64_of(json_get(data, "data"));

	if (media_kind_of(facts.type, MEDIA_FILE) == MEDIA_AUDIO) {
		gemini_take_audio(d, &facts, json_get(data, "data"));
		return;
	}
	gemini_end_audio(d);
	decode_media_item(d->guard, &facts, &reference);
}

static void gemini_take_file(struct decoder *d, const struct json *file, bool thought)
{
	struct media_facts facts = { .kind = MEDIA_FILE, .type = json_get_text(file, "mimeType"), .thought = thought };
	struct media_reference reference = { .url = json_get_text(file, "fileUri") };

	if (reference.url.len)
		decode_media_item(d->guard, &facts, &reference);
}

/* --- tools of the server --- */

/* The open call of that id; else the first open one of that name, or one that is not in the answer. */
static unsigned gemini_called(struct decoder *d, struct str id, struct str name)
{
	unsigned count = (unsigned)guard_server_tool_count(d->guard), first = count;

	for (unsigned i = count; i-- > 0;) {
		if (!guard_server_tool_open(d->guard, i) || !str_equal(guard_server_tool_name_of(d->guard, i), name))
			continue;
		first = i;
		if (id.len && str_equal(guard_server_tool_id(d->guard, i), id))
			return i;
	}
	return first < count ? first : guard_server_tool_begin(d->guard, id, name);
}

#define CODE STR("code_execution")

static void gemini_take_code(struct decoder *d, const struct json *code)
{
	unsigned tool = guard_server_tool_begin(d->guard, json_get_text(code, "id"), CODE);

	guard_server_tool_whole_input(d->guard, tool, json_raw_text(json_get(code, "code")));
}

static void gemini_take_code_result(struct decoder *d, const struct json *result)
{
	struct str outcome = json_get_text(result, "outcome");
	bool failed = str_is(outcome, "OUTCOME_FAILED") || str_is(outcome, "OUTCOME_DEADLINE_EXCEEDED");
	unsigned tool = gemini_called(d, json_get_text(result, "id"), CODE);

	decode_output(d->guard, tool, json_get(result, "output"));
	guard_server_tool_state(d->guard, tool, failed ? SERVER_TOOL_FAILED : SERVER_TOOL_COMPLETED);
	guard_server_tool_end(d->guard, tool);
}

/* GOOGLE_SEARCH is google_search. */
static struct str gemini_tool_name(const struct json *call, struct buf *out)
{
	struct str type = json_get_text(call, "toolType");

	buf_clear(out);
	for (size_t i = 0; i < type.len; i++)
		buf_add_byte(out, char_lower(type.ptr[i]));
	return buf_str(out);
}

static void gemini_take_tool_call(struct decoder *d, const struct json *call)
{
	struct buf name = { 0 }, input = { 0 };
	unsigned tool = guard_server_tool_begin(d->guard, json_get_text(call, "id"), gemini_tool_name(call, &name));

	guard_server_tool_whole_input(d->guard, tool, decode_arguments(json_get(call, "args"), &input));
	buf_fini(&name);
	buf_fini(&input);
}

static void gemini_take_tool_response(struct decoder *d, const struct json *answer)
{
	struct buf name = { 0 };
	unsigned tool = gemini_called(d, json_get_text(answer, "id"), gemini_tool_name(answer, &name));

	decode_output(d->guard, tool, json_get(answer, "response"));
	guard_server_tool_state(d->guard, tool, SERVER_TOOL_COMPLETED);
	guard_server_tool_end(d->guard, tool);
	buf_fini(&name);
}

/* --- parts --- */

/* A signed part is never joined with its neighbours: the signature covers exactly its text. */
static void gemini_take_text(struct decoder *d, bool thought, struct str text, struct str signature)
{
	struct gemini *s = d->state;
	enum run run = thought ? RUN_THOUGHT : RUN_TEXT;

	if (s->run != run || signature.len)
		s->key++;
	s->run = signature.len ? RUN_NONE : run;
	if (thought)
		guard_reasoning(d->guard, s->key, text);
	else
		guard_text(d->guard, s->key, text);
	if (signature.len)
		guard_opaque(d->guard, guard_part(d->guard, thought ? DELTA_REASONING : DELTA_TEXT, s->key), -1,
		             OPAQUE_GEMINI_SIGNATURE, signature);
}

/* Code and its result, named files, calls of server tools, a signature without text: sent back unchanged. */
static void take_other(struct decoder *d, const struct json *part)
{
	struct gemini *s = d->state;
	struct buf whole = { 0 };

	s->run = RUN_NONE;
	json_dump(part, &whole);
	guard_opaque(d->guard, GUARD_NEW_PART, -1, OPAQUE_GEMINI_PART, buf_str(&whole));
	buf_fini(&whole);
}

static void take_shown(struct decoder *d, const struct json *const *part, bool thought)
{
	static void (*const takers[PART_KEYS])(struct decoder *d, const struct json *value) = {
		[KEY_CODE] = gemini_take_code, [KEY_CODE_RESULT] = gemini_take_code_result,
		[KEY_TOOL_CALL] = gemini_take_tool_call, [KEY_TOOL_RESPONSE] = gemini_take_tool_response,
	};

	if (part[KEY_INLINE])
		gemini_take_data(d, part[KEY_INLINE], thought);
	else
		gemini_end_audio(d);
	if (part[KEY_FILE])
		gemini_take_file(d, part[KEY_FILE], thought);
	for (size_t i = 0; i < PART_KEYS; i++)
		if (takers[i] && json_kind(part[i]) == JSON_OBJECT)
			takers[i](d, part[i]);
}

static bool any_of(const struct json *const *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (values[i])
			return true;
	return false;
}

static void gemini_take_part(struct decoder *d, const struct json *value)
{
	const struct json *part[PART_KEYS];
	bool thought = false;

	json_take(value, part_keys, PART_KEYS, part);
	struct str text = json_raw_text(part[KEY_TEXT]), signature = json_text(part[KEY_SIGNATURE]);
	bool says_other = any_of(part + KEY_CODE, PART_KEYS - KEY_CODE), calls = json_kind(part[KEY_CALL]) == JSON_OBJECT;
	json_flag(part[KEY_THOUGHT], &thought);
	if (says_other) /* text behind it does not continue the text before it */
		((struct gemini *)d->state)->run = RUN_NONE;
	if (says_other || calls || text.len)
		take_shown(d, part, thought);
	if (part[KEY_INLINE] && signature.len)
		guard_opaque(d->guard, guard_media_part(d->guard, (unsigned)guard_media_count(d->guard) - 1), -1, OPAQUE_GEMINI_SIGNATURE, signature);
	if (calls)
		gemini_take_call(d, part[KEY_CALL], signature);
	else if (text.len)
		gemini_take_text(d, thought, text, signature);
	else if (!part[KEY_INLINE] && (signature.len || (!thought && says_other)))
		take_other(d, value);
}

/* --- the response --- */

static void gemini_cite(struct decoder *d, const struct json *source, int64_t end)
{
	struct citation cited = { .url = json_get_text(source, "uri"), .title = json_get_text(source, "title"), .end = end };

	cited.unit = end > 0 ? CITATION_BYTES : CITATION_NO_PLACE;
	guard_cite(d->guard, GUARD_UNNUMBERED, &cited);
}

/* A chunk is a web page or a document. */
static const struct json *gemini_chunk(const struct json *chunks, size_t index)
{
	const struct json *chunk = json_at(chunks, index), *web = json_get(chunk, "web");

	return web ? web : json_get(chunk, "retrievedContext");
}

/* A support says where the text ends that some of the chunks support. */
static void gemini_take_support(struct decoder *d, const struct json *chunks, const struct json *support)
{
	const struct json *indexes = json_get(support, "groundingChunkIndices");
	int64_t end = decode_count(json_get(support, "segment"), "endIndex"), chunk;

	for (size_t i = 0; i < json_length(indexes); i++)
		if (json_count(json_at(indexes, i), &chunk) && (size_t)chunk < json_length(chunks))
			gemini_cite(d, gemini_chunk(chunks, (size_t)chunk), end);
}

static void take_sources(struct decoder *d, const struct json *const *candidate)
{
	struct gemini *s = d->state;
	const struct json *sources = json_get(candidate[CANDIDATE_CITED], "citationSources");
	const struct json *chunks = json_get(candidate[CANDIDATE_GROUNDING], "groundingChunks");
	const struct json *supports = json_get(candidate[CANDIDATE_GROUNDING], "groundingSupports");

	if (!sources)
		sources = json_get(candidate[CANDIDATE_CITED], "citations");
	for (size_t i = 0; i < json_length(sources); i++)
		gemini_cite(d, json_at(sources, i), decode_count(json_at(sources, i), "endIndex"));
	for (; s->grounding < json_length(chunks); s->grounding++)
		gemini_cite(d, gemini_chunk(chunks, s->grounding), 0);
	for (; s->supports < json_length(supports); s->supports++)
		gemini_take_support(d, chunks, json_at(supports, s->supports));
}

static void take_candidate(struct decoder *d, const struct json *value)
{
	struct gemini *s = d->state;
	const struct json *candidate[CANDIDATE_KEYS];

	json_take(value, candidate_keys, CANDIDATE_KEYS, candidate);
	if (json_kind(value) != JSON_OBJECT || !decode_is_of_answer(d, candidate[CANDIDATE_INDEX]))
		return;
	const struct json *parts = json_get(candidate[CANDIDATE_CONTENT], "parts");
	struct str reason = json_text(candidate[CANDIDATE_FINISH]);

	for (size_t i = 0; i < json_length(parts); i++)
		gemini_take_part(d, json_at(parts, i));
	take_sources(d, candidate);
	if (!reason.len)
		return;
	gemini_end_call(d);
	if (s->hearing)
		guard_media_complete(d->guard, s->audio);
	guard_finish_message(d->guard, json_text(candidate[CANDIDATE_FINISH_MESSAGE]));
	guard_finish(d->guard, reason);
}

const struct usage_member gemini_usage[] = {
	{ "promptTokenCount", .figure = USAGE_PROMPT },
	{ "toolUsePromptTokenCount", .figure = USAGE_PROMPT, .adds = true },
	{ "cachedContentTokenCount", .figure = USAGE_CACHED },
	{ "candidatesTokenCount", .figure = USAGE_COMPLETION },
	{ "thoughtsTokenCount", .figure = USAGE_COMPLETION, .adds = true },
	{ "thoughtsTokenCount", .figure = USAGE_REASONING },
	{ "totalTokenCount", .figure = USAGE_TOTAL },
	{ "candidatesTokensDetails", .element = { "modality", "IMAGE", "tokenCount" }, .figure = USAGE_IMAGE },
	{ "candidatesTokensDetails", .element = { "modality", "AUDIO", "tokenCount" }, .figure = USAGE_AUDIO },
	{ 0 },
};

static void gemini_take_response(struct decoder *d, const struct json *const *response)
{
	const struct json *candidates = response[RESPONSE_CANDIDATES], *feedback = response[RESPONSE_FEEDBACK];
	struct str blocked = json_get_text(feedback, "blockReason"), why = json_get_text(feedback, "blockReasonMessage");

	guard_identity(d->guard, json_text(response[RESPONSE_ID]), json_text(response[RESPONSE_MODEL]));
	for (size_t i = 0; i < json_length(candidates); i++)
		take_candidate(d, json_at(candidates, i));
	if (blocked.len)
		guard_blocked(d->guard, blocked);
	if (blocked.len && why.len)
		guard_notice(d->guard, "stop-details", "%.*s", STR_ARG(why));
	decode_usage(d, response[RESPONSE_USAGE], gemini_usage);
}

static void gemini_decode(struct decoder *d, const struct message *m)
{
	const struct json *response[RESPONSE_KEYS];
	bool failed = decode_has_error(m);

	json_take(m->value, response_keys, RESPONSE_KEYS, response);
	bool known = any_of(response, RESPONSE_KEYS);
	d->understood = d->understood || known || failed;
	if (known)
		gemini_take_response(d, response);
	if (failed) {
		gemini_end_call(d);
		decode_error(d, m);
	}
}

static void gemini_finish(struct decoder *d)
{
	if (d->proper)
		gemini_end_audio(d);
	gemini_end_call(d);
}

const struct protocol protocol_gemini = {
	.name = "gemini",
	.state_bytes = sizeof(struct gemini),
	.fini = gemini_fini,
	.decode = gemini_decode,
	.finish = gemini_finish,
	.finish_is_end = true,
	.answers_hold = 1u << MEDIA_IMAGE | 1u << MEDIA_AUDIO | 1u << MEDIA_VIDEO | 1u << MEDIA_FILE,
	.path = "/v1beta/models/{model}:streamGenerateContent?alt=sse",
	.path_no_stream = "/v1beta/models/{model}:generateContent",
	.version_segment = "/v1beta",
	.models_path = "/v1beta/models?pageSize=1000",
	.models_next = "pageToken",
	.build = gemini_build,
	.read_models = gemini_read_models,
};
