#include "wire/scrub.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#define SEED 7

static void check_text(const char *text, const char *expected)
{
	struct buf out = { 0 };

	scrub_text(str_from(text), &out);
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
}

static void letters_and_digits_are_replaced(void)
{
	check_text("", "");
	check_text("Hello, World 42!\n\tok", "Xxxxx, Xxxxx 77!\n\txx");
	check_text("Stra\xC3\x9F" "e", "Xxxx\xC3\xA4x");
	check_text("\xE4\xBD\xA0\xE5\xA5\xBD\xE3\x80\x82", "\xE5\xAD\x97\xE5\xAD\x97\xE3\x80\x82"); /* wide letters, and a full stop that stays */
	check_text("\xE0\xA4\xA8", "\xE2\x84\xB5");
	check_text("\xF0\x9F\x90\xB1", "\xF0\x9F\x98\x80");
	check_text("<think>ab</think>cd", "<think>xx</think>xx");
	check_text("a\xFFz\xE2\x82z", "x\xFFx\xE2\x9Fx");
}

/* Scrubs a body and checks its length, and the text if it is not NULL. */
static void check_body(const char *body, const char *expected)
{
	struct scrub *scrub = scrub_new(SEED);
	struct buf out = { 0 };

	scrub_body(scrub, str_from(body), &out);
	CHECK(out.len == strlen(body), "%s became %s", body, buf_z(&out));
	if (expected)
		CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
	scrub_free(scrub);
}

static void check_stays(const char *body)
{
	check_body(body, body);
}

static void what_the_protocols_say_stays(void)
{
	check_body("data: {\"type\":\"text_delta\",\"role\":\"assistant\",\"text\":\"Hi you\",\"index\":12,\"strict\":true}\n\n",
	           "data: {\"type\":\"text_delta\",\"role\":\"assistant\",\"text\":\"Xx xxx\",\"index\":12,\"strict\":true}\n\n");
	check_body("event: message_stop\nretry: 10\n: hello\ndata: [DONE]\n\n", "event: message_stop\nretry: 10\n: xxxxx\ndata: [DONE]\n\n");
	check_stays("{\"choices\":[{\"index\":0,\"finish_reason\":\"tool_calls\",\"delta\":{\"role\":\"assistant\",\"content\":null}}],\"object\":\"chat.completion.chunk\"}");
	check_stays("{\"usage\":{\"prompt_tokens\":1204,\"cost\":0.0021,\"prompt_tokens_details\":{\"cached_tokens\":7}},\"created\":1770000000,\"eval_duration\":81234567}");
	check_stays("{\"created_at\":\"2026-01-02T03:04:05.678Z\",\"retryDelay\":\"48s\",\"total_duration\":900}");
	check_stays("{\"error\":{\"type\":\"invalid_request_error\",\"code\":\"model_not_found\",\"status\":\"RESOURCE_EXHAUSTED\"}}");
	check_stays("{\"error\":{\"code\":429,\"param\":\"max_tokens\"}}");
	check_stays("{\"finishReason\":\"MALFORMED_FUNCTION_CALL\",\"category\":\"HARM_CATEGORY_HARASSMENT\",\"mimeType\":\"image/png\"}");
	check_stays("{\"type\":\"response.function_call_arguments.delta\",\"tools\":[{\"type\":\"web_search_20250305\"}],\"code\":\"RateLimitReached\"}");
	check_body("{\"content\":\"ab\"}\r\n{\"content\":\"cd\"}\n", "{\"content\":\"xx\"}\r\n{\"content\":\"xx\"}\n");
	check_body("{\n  \"content\": \"ab\"\n}", "{\n  \"content\": \"xx\"\n}");
	check_body("[{\"content\":\"ab\"},\n{\"content\":\"cd\"}]", "[{\"content\":\"xx\"},\n{\"content\":\"xx\"}]");
}

static void words_of_users_do_not_stay(void)
{
	check_body("data: {\"finish_reason\":\"I, Claudius\"}\n\n", "data: {\"finish_reason\":\"X, Xxxxxxxx\"}\n\n");
	check_body("event: divorced\ndata: {\"status\":\"divorced\",\"code\":\"ACME\",\"reason\":\"stop-acme\"}\n\n",
	           "event: xxxxxxxx\ndata: {\"status\":\"xxxxxxxx\",\"code\":\"XXXX\",\"reason\":\"xxxx-xxxx\"}\n\n");
	check_body("{\"code\":20231,\"code\":\"20231\",\"created\":\"by Ann\",\"index\":\"Ann\"}", "{\"code\":11111,\"code\":\"77777\",\"created\":\"xx Xxx\",\"index\":\"Xxx\"}");
	check_body("data: 5551234\n\n", "data: 1111111\n\n");
}

#define TOOLS_OF_ACME \
	"{\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"acme\",\"parameters\":{\"type\":\"object\",\"title\":\"Acme\",\"properties\":{\"acme\":{\"type\":\"string\"," \
	"\"enum\":[\"divorced\"],\"default\":\"bob\",\"pattern\":\"acme\",\"minimum\":5551234}},\"required\":[\"acme\"],\"acme\":1}}}]}"

/* Secrets where nobody looks for them; none of them stays. */
static void nothing_planted_stays(void)
{
	static const char *const secrets[] = { "acme", "Acme", "ACME", "5551234", "divorced", "bob", "Ann", "aGVsbG8" };
	static const char *const bodies[] = {
		"{\"functionCall\":{\"name\":\"call_acme\",\"args\":{\"acme\":{\"phone\":5551234,\"list\":[5551234,-5551234.5,\"Ann\"],\"status\":\"divorced\"}}}}",
		"{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"acme\",\"arguments\":{\"acme_id\":5551234,\"role\":\"divorced\"}}}]}}",
		"{\"type\":\"tool_use\",\"id\":\"toolu_acme\",\"input\":{\"type\":\"acme\",\"model\":\"acme\",\"5551234\":1}}",
		"{\"functionResponse\":{\"name\":\"x\",\"response\":{\"status\":\"divorced\",\"index\":5551234,\"acme\":true}}}",
		"{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"acme-call_1\",\"function\":{\"name\":\"acme\",\"arguments\":\"{\\\"acme\\\":5551234,\\\"b\\\":{\\\"divorced\\\":\\\"Ann\\\"}}\"}}]}}",
		"{\"content\":\"{\\\"acme\\\":{\\\"phone\\\":5551234,\\\"s\\\":\\\"divorced\\\"}}\"}",
		"{\"model\":\"acct/acme/my-ft-model\"}", "{\"model\":\"ft:gpt-4o:acme::9x7\"}", "{\"model\":\"accounts/acme/models/llama\"}", "{\"model\":\"gpt-acme\"}",
		"{\"model\":\"gpt-4o-5551234\"}", "{\"modelVersion\":\"acme-1\",\"routed_model\":\"openai/acme\"}", "{\"models\":[\"acme/gpt-4o\"]}",
		"{\"user\":\"bob-5551234\"}", "{\"user\":\"acme:bob\"}", "{\"user\":5551234}", "{\"system_fingerprint\":\"acme_5551234\"}", "{\"id\":\"acme-5551234\"}",
		"{\"id\":\"org:acme:call_5551234\"}", "{\"safety_identifier\":\"bob\",\"prompt_cache_key\":\"acme-bob\"}", "{\"provider\":\"Acme\",\"owned_by\":\"acme\"}",
		"{\"url\":\"https://acme.example/bob?id=5551234#Ann\",\"image_url\":{\"url\":\"data:image/png;base64,aGVsbG8\"}}", "{\"uri\":\"gs://acme/bob\"}",
		"{\"url\":\"https:\\/\\/acme.example\\/bob\"}", "{\"server_url\":\"https://mcp.acme.example/v1/bob\",\"server_label\":\"acme\"}",
		"{\"error\":{\"message\":\"Organization acme has no quota for bob\",\"type\":\"acme_error\",\"code\":\"acme\",\"param\":\"bob\"}}",
		"{\"error\":{\"code\":400,\"metadata\":{\"raw\":\"acme\",\"provider_name\":\"Acme\",\"acme\":5551234}}}", "{\"detail\":\"acme\"}", "{\"error\":\"acme\"}",
		"{\"x_acme_team\":\"bob\",\"acme\":{\"type\":\"text\",\"index\":5551234,\"id\":\"call_bob\"},\"usage\":{\"acme_tokens\":5551234}}",
		"{\"metadata\":{\"customer\":\"acme\",\"role\":\"divorced\",\"created\":5551234},\"logit_bias\":{\"5551234\":-100},\"seed\":5551234}",
		TOOLS_OF_ACME,
		"{\"logprobs\":{\"content\":[{\"token\":\"bob\",\"logprob\":-0.5551234,\"bytes\":[98,111,98]}]},\"context\":[5551234]}",
		"{\"stop_sequence\":\"bob\",\"stop\":[\"acme\"],\"suffix\":\"Ann\",\"keep_alive\":5551234}", "{\"signature\":\"aGVsbG8\",\"encrypted_content\":\"aGVsbG8\"}",
		"{\"annotations\":[{\"type\":\"url_citation\",\"title\":\"Acme\",\"url\":\"http://acme/\"}]}", "{\"\\u0061cme\":\"bob\",\"acme\":\"bob\"}",
		"{\"partialArgs\":[{\"jsonPath\":\"$.acme[0].bob\",\"stringValue\":\"Ann\",\"numberValue\":5551234}]}",
		"event: acme_ping\nid: acme-bob\n: acme\nx-acme: bob\ndata: {\"choices\":[]}\n\n", "acme: bob\n\n", "<html>Acme bob 5551234</html>",
	};

	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		struct scrub *scrub = scrub_new(SEED + i);
		struct buf out = { 0 };

		scrub_body(scrub, str_from(bodies[i]), &out);
		CU_ASSERT_EQUAL(out.len, strlen(bodies[i]));
		for (size_t k = 0; k < sizeof secrets / sizeof *secrets; k++)
			CHECK(!strstr(buf_z(&out), secrets[k]), "%s is left: %s", secrets[k], buf_z(&out));
		buf_fini(&out);
		scrub_free(scrub);
	}
	check_body("{\"logprobs\":{\"content\":[{\"bytes\":[98,111]}]},\"context\":[104,7]}", "{\"logprobs\":{\"content\":[{\"bytes\":[11,111]}]},\"context\":[111,1]}");
}

static void models_stay_if_their_names_are_public(void)
{
	static const char *const public[] = {
		"gpt-4o-mini-2024-07-18", "claude-sonnet-4-20250514", "anthropic/claude-sonnet-4", "gemini-2.5-flash-preview-09-2025", "meta-llama/Llama-3.3-70B-Instruct",
		"deepseek/deepseek-chat:free", "qwen3:4b", "o3-mini", "Qwen/Qwen3.5-397B-A17B-FP8", "gpt-oss:120b", "openrouter/auto", "kimi-k2-0711-preview", "mixtral-8x7b",
	};

	for (size_t i = 0; i < sizeof public / sizeof *public; i++) {
		struct scrub *scrub = scrub_new(SEED);
		struct buf out = { 0 };

		scrub_model(scrub, str_from(public[i]), &out);
		CHECK_STR(buf_str(&out), public[i]);
		buf_fini(&out);
		scrub_free(scrub);
	}
}

static void schemas_keep_their_words(void)
{
	struct scrub *scrub = scrub_new(SEED);
	struct buf out = { 0 }, name = { 0 }, expected = { 0 };

	scrub_name(scrub, STR("city"), &name);
	buf_printf(&expected, "{\"input_schema\":{\"type\":\"object\",\"properties\":{\"%s\":{\"type\":[\"string\",\"null\"],\"description\":\"Xxx xxxx\"}},"
	           "\"required\":[\"%s\"],\"additionalProperties\":false}}", buf_z(&name), buf_z(&name));
	scrub_json(scrub, STR("{\"input_schema\":{\"type\":\"object\",\"properties\":{\"city\":{\"type\":[\"string\",\"null\"],\"description\":\"The city\"}},"
	                       "\"required\":[\"city\"],\"additionalProperties\":false}}"), &out);
	CHECK_STR(buf_str(&out), buf_z(&expected));
	buf_fini(&out);
	buf_fini(&name);
	buf_fini(&expected);
	scrub_free(scrub);
}

static void addresses_keep_what_is_public(void)
{
	static const struct { const char *url; bool host_stays; const char *begins, *ends; } urls[] = {
		{ "https://api.openai.com/v1/chat/completions", true, "https://api.openai.com/v1/chat/completions", "" },
		{ "https://g.example/v1/accounts/acme/models/gpt-4o", true, "https://g.example/v1/accounts/", "/models/gpt-4o" },
		{ "https://x.example/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse&key=acme", false, "https://", "/models/gemini-2.0-flash:streamGenerateContent?alt=sse&" },
		{ "https://x.example/openai/deployments/acme/chat/completions?api-version=2024-10-21", false, "https://", "/chat/completions?api-version=2024-10-21" },
		{ "acme", false, "xxxx", "" },
	};

	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
		struct scrub *scrub = scrub_new(SEED);
		struct buf out = { 0 };

		scrub_url(scrub, str_from(urls[i].url), urls[i].host_stays, &out);
		CHECK(out.len == strlen(urls[i].url) && str_starts(buf_str(&out), urls[i].begins) && strstr(buf_z(&out), urls[i].ends) && !strstr(buf_z(&out), "acme"),
		      "%s", buf_z(&out));
		buf_fini(&out);
		scrub_free(scrub);
	}
}

static void what_is_no_json_is_text(void)
{
	check_body("<html>Bad gateway</html>", "<xxxx>Xxx xxxxxxx</xxxx>");
	check_body("data: {\"content\":\"unfinished\n\n", "data: {\"content\":\"xxxxxxxxxx\n\n");
	check_body("data: {oops: \"secret\", \"type\":\"secret\"}\n\n", "data: {xxxx: \"xxxxxx\", \"xxxx\":\"xxxxxx\"}\n\n");
	check_body("data: \"type\n\n", "data: \"xxxx\n\n");
	check_body("data: {\xE4\xBD\xA0\xE5\xA5\xBD: 1}\n\n", "data: {\xE5\xAD\x97\xE5\xAD\x97: 7}\n\n");
}

static void escapes_stay_escapes(void)
{
	check_body("data: {\"content\":\"a\\n\\\"b\\\\ \\u00e9\\u4f60\\ud83d\\udc31\\ud83dz\"}\n\n",
	           "data: {\"content\":\"x\\n\\\"x\\\\ \\u00e4\\u5b57\\ud83d\\ude00\\ud83dx\"}\n\n");
}

#define PIECE(index, text) "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":" index ",\"function\":{\"arguments\":\"" text "\"}}]}}]}\n\n"

static void arguments_stay_json_in_pieces(void)
{
	check_body(PIECE("0", "{\\\"city\\\":\\\"To") PIECE("1", "{\\\"n\\\":4") PIECE("0", "kyo\\\\n\\\\u00") PIECE("1", "2,\\\"b\\\":tr")
	           PIECE("0", "e9\\\"}") PIECE("1", "ue}"),
	           PIECE("0", "{\\\"xxxx\\\":\\\"Xx") PIECE("1", "{\\\"x\\\":7") PIECE("0", "xxx\\\\n\\\\u00") PIECE("1", "7,\\\"x\\\":tr")
	           PIECE("0", "78\\\"}") PIECE("1", "ue}"));
}

static void scrub_one_id(const char *id, uint64_t seed, struct buf *out)
{
	struct scrub *scrub = scrub_new(seed);

	buf_clear(out);
	scrub_id(scrub, str_from(id), out);
	scrub_free(scrub);
}

/* As members of an object they would become one. */
static void names_stay_different(void)
{
	struct scrub *scrub = scrub_new(SEED);
	bool seen[26 * 26] = { false };

	for (unsigned i = 0; i < 26 * 26; i++) {
		const char name[2] = { (char)('a' + i / 26), (char)('a' + i % 26) };
		struct buf out = { 0 };

		scrub_name(scrub, str_of(name, 2), &out);
		unsigned number = out.len == 2 ? (unsigned)(out.ptr[0] - 'a') * 26 + (unsigned)(out.ptr[1] - 'a') : 0;
		CHECK(number < 26 * 26 && !seen[number], "%.2s became %s", name, buf_z(&out));
		seen[number % (26 * 26)] = true;
		buf_fini(&out);
	}
	scrub_free(scrub);
}

static void ids_are_the_same_each_time(void)
{
	static const char *const fronts[][2] = { { "call_abc1", "call_" }, { "chatcmpl-XY9", "chatcmpl-" }, { "stream:chat:8f3a", "stream:chat:" }, { "abcde", "" }, { "acme-call_1", "" } };
	struct buf once = { 0 }, again = { 0 }, other = { 0 };

	for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
		scrub_one_id(fronts[i][0], SEED, &once);
		scrub_one_id(fronts[i][0], SEED, &again);
		scrub_one_id(fronts[i][0], SEED + 1, &other);
		CHECK(str_equal(buf_str(&once), buf_str(&again)), "%s", buf_z(&again));
		CHECK(!str_equal(buf_str(&once), buf_str(&other)), "%s: the seed changes nothing", buf_z(&once));
		CHECK(!str_is(buf_str(&once), fronts[i][0]) && str_starts(buf_str(&once), fronts[i][1]) && once.len == strlen(fronts[i][0]), "%s", buf_z(&once));
	}
	scrub_one_id("call_abc2", SEED, &other);
	scrub_one_id("call_abc1", SEED, &once);
	CHECK(!str_equal(buf_str(&once), buf_str(&other)), "two ids became %s", buf_z(&other));
	buf_fini(&once);
	buf_fini(&again);
	buf_fini(&other);
}

/* Reads keep their bytes only if every byte has one that stands for it. */
static void any_bytes_keep_their_length(void)
{
	static const char *const bits[] = { "data: ", "{", "}", "[", "]", "\"", ":", ",", "\\", "\\u12", "secret", "\n", "\r\n", "\n\n", "7", "\xE2", "\x82", "null",
		"\"arguments\":\"", "\"index\":1", "error: ", "event: ", "\"\":", "\"acme\":", "\"url\":\"https://", "\"model\":\"", "\"tools\":", "\"parameters\":",
		"\"jsonPath\":\"$.", "-1.50e+", "id: ", "\x00" };
	unsigned seed = 1;

	for (int round = 0; round < 3000; round++) {
		struct buf body = { 0 };

		for (unsigned n = check_random(&seed) % 20; n; n--)
			buf_add_z(&body, bits[check_random(&seed) % (sizeof bits / sizeof *bits)]);
		check_body(buf_z(&body), NULL);
		buf_fini(&body);
	}
}

const struct suite suite_scrub = { "scrub", (const struct test[]){
	TEST(letters_and_digits_are_replaced), TEST(what_the_protocols_say_stays), TEST(words_of_users_do_not_stay),
	TEST(nothing_planted_stays), TEST(models_stay_if_their_names_are_public), TEST(schemas_keep_their_words), TEST(addresses_keep_what_is_public),
	TEST(what_is_no_json_is_text), TEST(escapes_stay_escapes),
	TEST(arguments_stay_json_in_pieces), TEST(names_stay_different), TEST(ids_are_the_same_each_time),
	TEST(any_bytes_keep_their_length), { 0 },
} };
