#include "wire/scrub_inside.h"

#include <string.h>

#include "base/array.h"
#include "base/mem.h"

/*
 * What is public: names of members, by what stands behind them, and words. Names are those of the protocols and of what
 * gateways add; order does not matter.
 */
static const char *const members[SCRUB_KINDS] = {
	[SCRUB_TEXT] =
		"abort_reason acknowledged_safety_checks action adaptive aliases annotation annotations anthropic_beta approximate architecture "
		"attempts audio authorization_token batch betas blockReasonMessage blocked boolValue browser_results cache_control "
		"cache_creation cache_prompt cachedContent caller candidates candidatesTokensDetails choices citation citationMetadata "
		"citationSources citations cited_text classification codeExecution codeExecutionResult code_execution code_results command "
		"commands completed completion completion_tokens_details container container_file_citation content content_block content_blocks "
		"content_filter_offsets content_filter_raw content_filter_result content_filter_results content_filters contents "
		"contextManagement context_management copilot_usage cost_details country date default_enabled default_model_temperature "
		"default_parameters defer_loading delta description details detected developer diff digest disable_parallel_tool_use "
		"displayName display_name document_title domain done echo enable_thinking enabled encrypted_content encrypted_index "
		"encrypted_stdout environment error executableCode executed_tools explanation failed_generation fallback_credit_token "
		"fallback_has_prefill_claim families family file fileData file_citation file_data file_path file_search filename filtered "
		"fine_tuning finishMessage ftype function functionCall functionCallingConfig functionDeclarations functionResponse "
		"function_call function_calling generationConfig generation_config googleSearch googleSearchRetrieval google_search "
		"groundingChunkIndices groundingChunks groundingMetadata groundingSupports has_more image_gen image_input "
		"includeThoughts include_obfuscation include_reasoning include_usage incomplete_details inference_geo inlineData inline_data "
		"innererror input_audio input_audio_cache input_cache_read input_cache_write input_file input_image input_text "
		"input_tokens_details instruct_type instructions internalReasoning internal_reasoning is_byok is_error is_moderated item "
		"iterations json_schema keep_alive knowledge_cutoff latency_checkpoint locale location logprobs logprobsResult logs "
		"maxTemperature mcp_approval_request mcp_servers mediaResolution message messages modelAttempts moderation next nullValue "
		"numberValue obfuscation options output output_config output_text output_tokens_details outputs overrides page_age "
		"parallel_tool_calls parameter_size part partialArgs partial_images parts path pdf_input "
		"pending_safety_checks per_request_limits planningReasoning plugins prediction pricing prompt promptFeedback "
		"promptTokensDetails prompt_filter_results prompt_text prompt_token_details prompt_tokens_details protected_material_code "
		"protected_material_text providerAttempts quantization_level queries query quotaId quotaMetric raw reasoning reasoning_content "
		"reasoning_details reasoning_text refusal region renderedContent request response responseLogprobs response_format "
		"results retrievedContext revised_prompt route routed routing sansa safetyRatings safetySettings safety_settings searchEntryPoint "
		"search_results search_suggestions segment self_harm server_tool_use server_tool_use_details signature size source sources "
		"speechConfig stderr stdout stop stopSequence stopSequences stop_details stop_sequence stop_sequences store stream "
		"stream_options strict stringValue structured_outputs subqueries success suffix summary supported supported_sampling_parameters "
		"supported_voices system systemInstruction system_instruction template text think thinking thinkingConfig thought "
		"thoughtSignature timezone timings timings_per_token title token token_details tokenizer toolCall toolConfig toolResponse "
		"toolUsePromptTokensDetails tool_calls tool_calls_executed tool_calls_requested tool_config tool_configuration tool_usage tools "
		"top_provider transcript transforms urlContext url_citation url_context usage usageMetadata value version violations vision "
		"vocab_type voice web webSearchQueries web_search web_search_options willContinue x_groq x_trace",
	[SCRUB_FIGURE] =
		"accepted_prediction_tokens annotation_index audio_tokens batch_size best_of billableWebSearchCalls budget_tokens "
		"cacheCreationInputTokens cache_creation_input_tokens cache_n cache_read_input_tokens cache_write_tokens "
		"cachedContentTokenCount cached_tokens candidateCount candidatesTokenCount check_offset command_index completion_time "
		"completion_tokens content_block_index content_index context_length context_window cost cost_in_usd_ticks cost_per_batch "
		"document_index draft_tokens draft_tokens_acceptance endIndex end_block_index end_char_index end_index end_offset "
		"end_page_number engine_tbt_ms engine_ttft_ms engine_ttlt_ms ephemeral_1h_input_tokens ephemeral_24h_input_tokens "
		"ephemeral_5m_input_tokens eval_count eval_duration frequencyPenalty frequency_penalty image_tokens index inputTokenLimit "
		"input_tokens input_tokens_cost load_duration marketCost market_cost maxOutputTokens max_completion_tokens max_context_length "
		"max_input_tokens max_model_len max_output_length max_output_tokens max_tokens max_tool_calls min_p min_prompt_tokens "
		"modelAttemptCount n n_ctx n_ctx_train n_embd n_params n_vocab num_ctx num_gpu num_keep num_predict num_requests "
		"num_sources_used num_thread outputTokenLimit output_index output_tokens output_tokens_cost partIndex partial_image_index "
		"pre_inference_ms predicted_ms predicted_n predicted_per_second predicted_per_token_ms presencePenalty presence_penalty "
		"promptTokenCount prompt_cache_hit_tokens prompt_cache_miss_tokens prompt_eval_count prompt_eval_duration prompt_index "
		"prompt_ms prompt_n prompt_per_second prompt_per_token_ms prompt_time prompt_tokens prompt_tokens_per_second "
		"providerAttemptCount queue_time quotaValue reasoning_tokens rejected_prediction_tokens repeat_last_n repeat_penalty "
		"repetition_penalty request_cost retryDelay retry_after return_tokens routing_latency_ms search_result_index sequence_number "
		"service_tbt_ms service_ttft_ms service_ttlt_ms startIndex start_block_index start_char_index start_index start_offset "
		"start_page_number summary_index temperature text_tokens thinkingBudget thinking_tokens thoughtsTokenCount "
		"time_per_output_token_ms time_to_first_token_ms timeout_ms tokenCount token_count tokens_per_second toolUsePromptTokenCount "
		"topK topP top_k top_logprobs top_p total totalProviderAttemptCount totalTokenCount total_cost total_count total_duration "
		"total_duration_ms total_nano_aiu total_time total_tokens upstream_inference_completions_cost upstream_inference_cost "
		"upstream_inference_input_cost upstream_inference_output_cost upstream_inference_prompt_cost user_visible_ttft_ms video_tokens "
		"web_fetch_requests web_search_requests",
	[SCRUB_TIME] =
		"completed_at createTime created created_at deprecation endTime expiration_date expires_at last_updated modified_at "
		"retrieved_at startTime",
	[SCRUB_WORD] =
		"@type anthropic_version background blockReason capabilities category channel codec context credentialType currency "
		"default_effort detail display done_reason effort encoding_format execution finish finishReason finish_reason generate_summary "
		"image_detail include input_modalities language media_type method mimeType mime_type modalities modality mode "
		"native_finish_reason object operation outcome output_format output_modalities param phase probability prompt_cache_retention "
		"quality reason reasoning_effort reasoning_format require_approval responseMimeType responseModalities role scheduling "
		"search_context_size serviceTier service_tier severity source_type status_details stop_reason supportedGenerationMethods "
		"supported_efforts supported_features supported_parameters syntax thinkingLevel threshold tokenType token_type toolType "
		"tool_choice trafficType truncation type verbosity",
	[SCRUB_CODE] =
		"code error_code exit_code raw_status_code return_code status statusCode status_code",
	[SCRUB_ID] =
		"approval_request_id call_id connector_id container_id conversation file_id first_id generationId id id_slot item_id last_id "
		"nextPageToken previous_response_id prompt_cache_key providerRequestId providerResponseId reference_ids request_id responseId "
		"response_id safety_identifier system_fingerprint tool_call_id tool_id tool_use_id user user_id vector_store_ids",
	[SCRUB_NAME] =
		"allowedFunctionNames allowed_tools fallbacksAvailable finalProvider name namespace owned_by provider resolvedProvider "
		"server_label server_name tool_name",
	[SCRUB_MODEL] =
		"canonicalSlug canonical_slug deprecation_replacement_model hugging_face_id internalModelId internalResolvedModelId model "
		"modelId modelVersion models originalModelId parent_model providerApiModelId recommended_model remote_model "
		"resolvedProviderApiModelId routed_model",
	[SCRUB_URL] =
		"fileUri file_url image_url remote_host server_url uri url",
	[SCRUB_MEDIA] =
		"b64_json data image images partial_image_b64 png result",
	[SCRUB_PATH] =
		"jsonPath",
	[SCRUB_ARGUMENTS] =
		"arguments partial_json",
	[SCRUB_INPUT] =
		"input",
	[SCRUB_DATA] =
		"args attributes avgLogprobs bytes chat_template_kwargs confidenceScores examples filters headers kv_transfer_params logit_bias "
		"logprob metadata probabilityScore prompt_logprobs prompt_token_ids provider_metadata quotaDimensions score seed severityScore "
		"token_ids user_location",
	[SCRUB_SCHEMA] =
		"format guided_json input_schema parameters parametersJsonSchema responseJsonSchema responseSchema schema",
};

/* Of types, roles, reasons, statuses, error codes, media types. A value that is made of these alone says nothing. */
static const char protocol_words[] =
	"aac abort aborted above accel account action adaptive added additional advisor after age ai alive all allowed alpha already "
	"always analysis and annotation answer anthropic any api apim application apply approval approximate argument arguments armor "
	"array assistant audio authentication auto available avif azure bad balance base based bash batch beta bias bidi billing bio block "
	"blocking blocklist bm boolean br browser buffering byok cache cached call calls canceled cancelled capacity category cf char "
	"charset chat choice chunk chunked citation citations civic claude click client cny code codec com command commentary compaction "
	"completed completion computer concise conflict connection consumer container content context control count country create "
	"created creation credits critic csv current custom cyber dangerous data day deactivated deadline default delta demand denied "
	"deployment detailed developer direct disabled document done double download drag ds economy edit editor effort embed embedding "
	"enabled encoding encrypted end engine enum eos ephemeral error eur event exceeded exec execution exhausted exists explicit extra "
	"failed failure fallback fast fetch file filter final find finish flac flagged flex float forbidden format found free frequency "
	"frontier function gateway gemini generate generating generation gif google googleapis grammar gzip harassment hard harm hate hd "
	"heartbeat heic help hidden high hour html id identity idle illicit image in include incomplete info input insert instructions "
	"insufficient integer integrity internal interpreter interpreting interrupt invalid ipython is item jailbreak jpeg jpg json jsonl "
	"k keep keepalive key keypress l language large lark length limit limits list llm load local localized location logit logprobs "
	"logs long loss low m malformed many maps markdown max mcp media medium memory message messages metadata method min minimal "
	"minute missing modality mode model moderation move mp mpeg ms msword must n negligible network never no none not null number "
	"object octet of off ogg ok on only opaque open openai openrouter operation options opus other out outcome output outputs "
	"overloaded p page parallel param parameter parameters parse parsed part partial pass patch path pause payload pcm pdf penalty "
	"permission persistent ping plain png policy precondition predict premium presence preview previous priority private probability "
	"processing program progress prohibited prompt provider provisioned python query queued quicktime quota range rate ratelimit raw "
	"ray reached read reason reasoning recitation redacted reference refusal regex region remaining repetition replace request "
	"requests required reset resolution resource response responses responsible result results retry revalidate rpc running runtime "
	"safe safety scale schema screenshot scroll search searching seed self sensitive sequence server service severity sexual sexually "
	"shell should signature silent sources speech spii sse standard start stop store str stream string structured summary supported svg "
	"system temperature territory text thinking thought throughput timeout to token tokens too tool tools top trace transcript "
	"transcription transparent true turn turns type unauthenticated unauthorized unavailable unexpected unimplemented unknown "
	"unlimited unload unspecified unsupported updated upload upstream url usage usd use used user uses utf v validate validated "
	"validation value vector verbosity video violation violence vision vnd wait wav web webm webp website websocket when window write "
	"x xai xhigh xml yes zip zstd";

/* Of names of models, with the vendors that have public ones. */
static const char model_words[] =
	"8x22b 8x7b ai air alpha anthropic audio auto aya b base beta bit c4ai chat claude code coder codestral codex cohere command compound "
	"computer context deep deepseek deepthink devstral distill dolphin e2b e4b embed ernie exaone exp experimental extended falcon "
	"fast flash fp16 fp8 free gemini gemma glm google gpt granite grok groq haiku hermes high hunyuan image instant instruct "
	"internlm it jamba k k2 kimi large latest lfm liquid lite llama low lyria m m2 magistral mai max medium meta microsoft mini "
	"minimax ministral mistral mistralai mixtral mlx model models moderation moe molmo moonshot moonshotai nano nemotron nous "
	"nousresearch nova nvidia o o1 o3 o4 ocr olmo omni openai openrouter opus oss palmyra perplexity phi pixtral preview pro q4 q5 "
	"q6 q8 qvq qwen qwq r r1 realtime reasoner reasoning reka research search seed small solar sonar sonnet speech starcoder step t "
	"think thinking tiny tts turbo ultra v v1 v2 v3 vibe vision vl voxtral whisper writer x xai yi z zai";

/* Of JSON Schema, what stands below a name of it: schemas by name, schemas, names, or else data. */
static const char *const schema_members[SCRUB_SCHEMA_KINDS] = {
	[SCRUB_SCHEMA_BY_NAME] = "$defs definitions dependentSchemas patternProperties properties",
	[SCRUB_SCHEMA_WITHIN] =
		"additionalProperties allOf anyOf contains else if items not oneOf prefixItems propertyNames then unevaluatedItems "
		"unevaluatedProperties",
	[SCRUB_SCHEMA_NAMES] = "propertyOrdering required",
	[SCRUB_SCHEMA_WORDS] = "type",
	[SCRUB_SCHEMA_DATA] =
		"$comment $id $ref $schema const default description enum example examples exclusiveMaximum exclusiveMinimum format maxItems "
		"maxLength maxProperties maximum minItems minLength minProperties minimum multipleOf nullable pattern strict title uniqueItems",
};

/* Segments of paths of requests. */
static const char path_words[] =
	"accounts anthropic api beta chat coding compat compatible completion completions count countTokens deployments embeddings "
	"engines generate generateContent google inference locations messages mode models openai openapi organizations paas projects "
	"publishers responses serverless streamGenerateContent tokens v1 v1beta v1beta1 v2 v3 v4";

/* At the front of ids: "chatcmpl-", "call_". */
static const char id_words[] =
	"asst call cf cfile chat chatcmpl ci ckpt cmpl cntr completion container conv ct event fc file fp fs func function functions "
	"gen gm id ig ilbs item mcp mcpl mcptoolu message model msg ollama req request resp response rs run sns srvtoolu step stream "
	"thread tool toolu tooluse trace user vs ws xs";

/* --- the table --- */

#define SLOTS 4096u

struct word_slot { struct str word; uint8_t member, schema; bool protocol, model, path, id; };
struct scrub_words { struct word_slot slots[SLOTS]; };

/* The slot of a word, or the empty one where it would stand. */
static struct word_slot *words_slot(const struct scrub_words *w, struct str word)
{
	uint32_t at = 2166136261u;

	for (size_t i = 0; i < word.len; i++)
		at = (at ^ (unsigned char)word.ptr[i]) * 16777619u;
	while (w->slots[at % SLOTS].word.ptr && !str_equal(w->slots[at % SLOTS].word, word))
		at++;
	return (struct word_slot *)&w->slots[at % SLOTS];
}

static struct word_slot *words_add(struct scrub_words *w, struct str *rest)
{
	struct str word;

	if (!str_split(rest, ' ', &word))
		return NULL;
	struct word_slot *slot = words_slot(w, word);
	slot->word = word;
	return slot;
}

struct scrub_words *scrub_words_new(void)
{
	static const char *const lists[] = { protocol_words, model_words, path_words, id_words };
	struct scrub_words *w = mem_new(sizeof *w);
	struct word_slot *slot;

	for (unsigned kind = 0; kind < SCRUB_KINDS; kind++)
		for (struct str rest = str_from(members[kind]); (slot = words_add(w, &rest));)
			slot->member = (uint8_t)kind;
	for (unsigned kind = 0; kind < SCRUB_SCHEMA_KINDS; kind++)
		for (struct str rest = str_from(schema_members[kind]); (slot = words_add(w, &rest));)
			slot->schema = (uint8_t)kind;
	for (unsigned list = 0; list < ARRAY_LEN(lists); list++)
		for (struct str rest = str_from(lists[list]); (slot = words_add(w, &rest));) {
			slot->protocol |= list == 0;
			slot->model |= list == 1;
			slot->path |= list == 2;
			slot->id |= list == 3;
		}
	return w;
}

void scrub_words_free(struct scrub_words *w)
{
	mem_free(w);
}

enum scrub_kind scrub_member(const struct scrub_words *w, struct str name)
{
	return (enum scrub_kind)words_slot(w, name)->member;
}

enum scrub_schema_kind scrub_schema_member(const struct scrub_words *w, struct str name)
{
	return (enum scrub_schema_kind)words_slot(w, name)->schema;
}

/* --- what is made of words --- */

#define WORD_MOST 24 /* bytes of a word */
#define VALUE_MOST 128

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* Length of the word at the front of letters: "RateLimit" and "AIPolicy" are two. */
static size_t word_length(struct str letters)
{
	size_t at = 0;

	while (at < letters.len && is_upper(letters.ptr[at]))
		at++;
	if (at > 1 && at < letters.len && char_is_word(letters.ptr[at]) && !char_is_digit(letters.ptr[at]))
		return at - 1;
	while (at < letters.len && char_is_word(letters.ptr[at]) && !char_is_digit(letters.ptr[at]) && !is_upper(letters.ptr[at]))
		at++;
	return at;
}

static const struct word_slot *words_find_lower(const struct scrub_words *w, struct str word)
{
	char lower[WORD_MOST];

	for (size_t i = 0; i < word.len && i < sizeof lower; i++)
		lower[i] = char_lower(word.ptr[i]);
	return words_slot(w, str_of(lower, word.len <= sizeof lower ? word.len : 0));
}

static size_t digits_length(struct str text)
{
	size_t at = 0;

	while (at < text.len && char_is_digit(text.ptr[at]))
		at++;
	return at;
}

/* A short number, a year or a day: "3", "2025", "20250305". */
static bool is_version(struct str digits, size_t most)
{
	return digits.len <= most || ((digits.len == 4 || digits.len == 8) && str_starts(digits, "20"));
}

bool scrub_is_word(const struct scrub_words *w, struct str value)
{
	char before = 0;

	if (value.len > VALUE_MOST)
		return false;
	while (value.len) {
		size_t digits_most = before == '=' ? 6 : 3; /* "rate=24000" */
		size_t digits = digits_length(value), letters = digits ? 0 : word_length(value);

		if (digits ? !is_version(str_head(value, digits), digits_most)
		           : letters ? !words_find_lower(w, str_head(value, letters))->protocol
		           : !strchr("_-.:/$[]+>;=, @", *value.ptr) || !*value.ptr)
			return false;
		before = *value.ptr;
		value = str_skip(value, digits + letters ? digits + letters : 1);
	}
	return true;
}

/* "4", "4o", "70b", "a22b", "0613", "20241022". */
static bool is_model_number(struct str word)
{
	size_t letter = word.len && !char_is_digit(*word.ptr), digits = digits_length(str_skip(word, letter));

	return digits && (!letter && digits == word.len ? is_version(word, 4) : digits < 4 && letter + digits + 1 >= word.len);
}

/* "gpt", "4o", "qwen3". */
static bool is_model_word(const struct scrub_words *w, struct str word)
{
	size_t letters = 0;

	while (letters < word.len && !char_is_digit(word.ptr[letters]))
		letters++;
	return is_model_number(word) || words_find_lower(w, word)->model ||
	       (words_find_lower(w, str_head(word, letters))->model && is_model_number(str_skip(word, letters)));
}

bool scrub_is_model(const struct scrub_words *w, struct str model)
{
	bool is_named = false;

	if (model.len > VALUE_MOST)
		return false;
	while (model.len) {
		size_t len = 0;

		while (len < model.len && char_is_word(model.ptr[len]))
			len++;
		struct str word = str_head(model, len);
		if (len ? !is_model_word(w, word) : !strchr("-_.:/@", *model.ptr) || !*model.ptr)
			return false;
		is_named |= len && !is_model_number(word);
		model = str_skip(model, len ? len : 1);
	}
	return is_named;
}

bool scrub_is_path(const struct scrub_words *w, struct str segment)
{
	struct str word;

	while (str_split(&segment, '-', &word))
		if (!words_slot(w, word)->path)
			return false;
	return true;
}

size_t scrub_id_front(const struct scrub_words *w, struct str id)
{
	size_t front = 0;

	for (;;) {
		struct str rest = str_skip(id, front);
		size_t len = 0;

		while (len < rest.len && char_is_word(rest.ptr[len]) && !char_is_digit(rest.ptr[len]))
			len++;
		if (len == rest.len || !strchr("_-:", rest.ptr[len]) || !rest.ptr[len] || !words_slot(w, str_head(rest, len))->id)
			return front;
		front += len + 1;
	}
}
