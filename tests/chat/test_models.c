#include "chat/exchange/models.h"

#include <string.h>

#include "base/array.h"
#include "support/check.h"
#include "talk.h"

static struct talk talk;
static struct models *models;

static void begin(const struct protocol *protocol)
{
	talk_init(&talk);
	models = models_new(talk.http, talk.provider, protocol, STR(""), talk_environment, false);
}

static void end(void)
{
	models_free(models);
	talk_fini(&talk);
}

static void fetch(void)
{
	models_fetch(models, clock_now_ms());
	while (models_state(models) == MODELS_FETCHING) {
		struct pollfd fds[1];

		talk_wait(&talk, fds, models_fds(models, fds), models_deadline(models));
		models_run(models, clock_now_ms());
	}
}

static void reads_the_lists_of_all_protocols(void)
{
	static const struct { const struct protocol *protocol; const char *body, *path; } rows[] = {
		{ &protocol_openai_chat, "{\"object\":\"list\",\"data\":[{\"id\":\"m-1\"},{\"id\":\"m-2\"}]}", "GET /models\n" },
		{ &protocol_openai_responses, "{\"data\":[{\"id\":\"m-1\"},{\"id\":\"m-2\"}]}", "GET /models\n" },
		{ &protocol_anthropic, "{\"data\":[{\"id\":\"m-1\",\"display_name\":\"M one\"},{\"id\":\"m-2\"}],\"has_more\":false}", "GET /v1/models?limit=1000\n" },
		{ &protocol_gemini, "{\"models\":[{\"name\":\"models/m-1\",\"supportedGenerationMethods\":[\"generateContent\"]},"
		                    "{\"name\":\"models/m-2\",\"supportedGenerationMethods\":[\"generateContent\"]}]}", "GET /v1beta/models?pageSize=1000\n" },
		{ &protocol_ollama, "{\"models\":[{\"name\":\"m-1\"},{\"name\":\"m-2\"}]}", "GET /api/tags\n" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		begin(rows[i].protocol);
		CU_ASSERT(models_state(models) == MODELS_IDLE && models_fetched_ms(models) == 0);
		talk_answer(&talk, rows[i].body);
		fetch();
		CHECK(models_state(models) == MODELS_READY, "%s", models_error(models)->text);
		CU_ASSERT_EQUAL(models_count(models), 2);
		if (models_count(models) == 2)
			CHECK_STR(str_from(models_at(models, 1)->id), "m-2");
		CU_ASSERT_PTR_NULL(models_at(models, 2));
		CU_ASSERT(models_fetched_ms(models) > 0);
		CHECK(talk_asked(&talk, rows[i].path), "%s", buf_z(&talk.requests));
		end();
	}
}

static void follows_pages(void)
{
	begin(&protocol_anthropic);
	talk_answer(&talk, "{\"data\":[{\"id\":\"m-1\"}],\"has_more\":true,\"last_id\":\"m-1\"}");
	talk_answer(&talk, "{\"data\":[{\"id\":\"m-2\"}],\"has_more\":false,\"last_id\":\"m-2\"}");
	fetch();
	CU_ASSERT_EQUAL(models_count(models), 2);
	CHECK(talk_asked(&talk, "after_id=m-1"), "%s", buf_z(&talk.requests));
	end();
}

/* A page token is not a secret, and the next one may begin with it. */
static void tokens_of_pages_are_not_hidden(void)
{
	begin(&protocol_gemini);
	talk_answer(&talk, "{\"models\":[{\"name\":\"models/m-1\"}],\"nextPageToken\":\"token-0001\"}");
	talk_answer(&talk, "{\"models\":[{\"name\":\"models/m-2\"}],\"nextPageToken\":\"token-0001-2\"}");
	talk_answer(&talk, "{\"models\":[{\"name\":\"models/m-3\"}]}");
	fetch();
	CU_ASSERT_EQUAL(models_count(models), 3);
	CHECK(talk_asked(&talk, "pageToken=token-0001-2"), "%s", buf_z(&talk.requests));
	end();
}

/* The server refers to the same page without end. */
static void pages_have_an_end(void)
{
	begin(&protocol_anthropic);
	talk_answer(&talk, "{\"data\":[{\"id\":\"m-1\"}],\"has_more\":true,\"last_id\":\"m-1\"}");
	fetch();
	CU_ASSERT(models_state(models) == MODELS_READY);
	CHECK(talk.asked <= 100, "%zu pages", talk.asked);
	CU_ASSERT_TRUE(models_are_cut(models));
	end();
}

/* Fetches a list of `count` models, with or without another page. */
static void fetch_many(const struct protocol *protocol, size_t count, bool has_more)
{
	bool is_ollama = protocol == &protocol_ollama;
	struct buf list = { 0 };

	buf_printf(&list, "{\"%s\":[", is_ollama ? "models" : "data");
	for (size_t i = 0; i < count; i++)
		buf_printf(&list, "%s{\"%s\":\"m-%zu\"}", i ? "," : "", is_ollama ? "name" : "id", i);
	buf_printf(&list, "],\"has_more\":%s,\"last_id\":\"m\"}", has_more ? "true" : "false");
	begin(protocol);
	talk_answer(&talk, buf_z(&list));
	fetch();
	CHECK(models_state(models) == MODELS_READY, "%s", models_error(models)->text);
	buf_fini(&list);
}

static void a_list_that_is_cut_is_known_to_be(void)
{
	fetch_many(&protocol_anthropic, MODELS_MOST, false);
	CU_ASSERT_EQUAL(models_count(models), MODELS_MOST);
	CU_ASSERT_FALSE(models_are_cut(models));
	end();
	fetch_many(&protocol_anthropic, MODELS_MOST + 1, false);
	CU_ASSERT_EQUAL(models_count(models), MODELS_MOST);
	CU_ASSERT_TRUE(models_are_cut(models));
	talk_answer(&talk, "{\"data\":[{\"id\":\"m-1\"}],\"has_more\":false}");
	fetch();
	CU_ASSERT_EQUAL(models_count(models), 1);
	CU_ASSERT_FALSE(models_are_cut(models));
	end();
	fetch_many(&protocol_anthropic, MODELS_MOST, true);
	CU_ASSERT_EQUAL(talk.asked, 1);
	CU_ASSERT_TRUE(models_are_cut(models));
	end();
}

/* Small models: their tree would be a hundred times the text. What stands behind them counts too. */
static void a_long_list_of_small_models_is_read(void)
{
	static const struct protocol *const protocols[] = { &protocol_anthropic, &protocol_ollama };

	for (size_t i = 0; i < ARRAY_LEN(protocols); i++) {
		fetch_many(protocols[i], 150000, false);
		CHECK(models_count(models) == MODELS_MOST, "%s: %zu", protocols[i]->name, models_count(models));
		CU_ASSERT_TRUE(models_are_cut(models));
		CHECK(!strcmp(models_at(models, 0)->id, "m-0") && !strcmp(models_at(models, MODELS_MOST - 1)->id, "m-19999"), "%s", models_at(models, MODELS_MOST - 1)->id);
		end();
	}
}

/* Each page is below the limit, their sum is above. */
static void pages_have_one_limit(void)
{
	struct buf page = { 0 };
	char *note;

	buf_add_z(&page, "{\"data\":[{\"id\":\"m-1\",\"display_name\":\"");
	note = buf_extend(&page, (size_t)9 << 18);
	memset(note, 'x', (size_t)9 << 18);
	buf_add_z(&page, "\"}],\"has_more\":true,\"last_id\":\"m-1\"}");
	begin(&protocol_anthropic);
	talk_answer(&talk, buf_z(&page));
	fetch();
	CU_ASSERT(models_state(models) == MODELS_FAILED);
	CHECK(strstr(models_error(models)->text, "the model list of box is larger than 8 MB") != NULL, "%s", models_error(models)->text);
	CU_ASSERT_EQUAL(talk.asked, 4);
	buf_fini(&page);
	end();
}

static void a_list_stays_until_the_new_one_is_whole(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, "{\"data\":[{\"id\":\"m-1\"}]}");
	talk_answer(&talk, "{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":503}}\n{\"t\":1,\"body\":\"busy\"}\n{\"t\":2,\"end\":\"closed\"}\n");
	fetch();
	fetch();
	CU_ASSERT(models_state(models) == MODELS_FAILED);
	CHECK(strstr(models_error(models)->text, "HTTP 503 from box") != NULL, "%s", models_error(models)->text);
	CU_ASSERT_EQUAL(models_count(models), 1);
	end();
}

static void fails_with(const char *body, const char *words)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, body);
	fetch();
	CU_ASSERT(models_state(models) == MODELS_FAILED);
	CHECK(strstr(models_error(models)->text, words) != NULL, "%s", models_error(models)->text);
	CHECK(strstr(models_error(models)->text, TALK_KEY) == NULL, "%s", models_error(models)->text);
	end();
}

static void failures_are_sentences(void)
{
	fails_with("<html>hello</html>", "no model list");
	fails_with("{\"greeting\":\"hello\"}", "no model list");
	fails_with("{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":401}}\n{\"t\":1,\"body\":\"{\\\"error\\\":\\\"no\\\"}\"}\n{\"t\":2,\"end\":\"closed\"}\n",
	           "the key came from the variable BOX_API_KEY");
	fails_with("{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":403}}\n{\"t\":1,\"body\":\"{\\\"error\\\":\\\"not " TALK_KEY "\\\"}\"}\n{\"t\":2,\"end\":\"closed\"}\n",
	           "not ****");
	fails_with("{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":200}}\n{\"t\":1,\"body\":\"{\\\"data\\\":[\"}\n{\"t\":2,\"end\":\"cut\"}\n",
	           "before the end");
}

static void no_server_no_key_no_url(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "base_url", "http://127.0.0.1:1");
	fetch();
	CHECK(strstr(models_error(models)->text, "cannot connect to 127.0.0.1") != NULL, "%s", models_error(models)->text);
	talk_set_variable("BOX_API_KEY", NULL);
	fetch();
	CHECK(strstr(models_error(models)->text, "BOX_API_KEY") != NULL, "%s", models_error(models)->text);
	provider_set_base_url(talk.provider, STR_NONE);
	talk_set_variable("BOX_API_KEY", "k");
	fetch();
	CHECK(strstr(models_error(models)->text, "BOX_BASE_URL") != NULL, "%s", models_error(models)->text);
	end();
}

static void silence_has_a_limit(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, "{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":200}}\n{\"t\":60000,\"end\":\"stalled\"}\n");
	fetch();
	CU_ASSERT(models_state(models) == MODELS_FAILED);
	CU_ASSERT(!http_is_busy(talk.http));
	end();
}

/* The status of a refusal is reported, however long the refusal is and whether or not it ends. */
static void a_refusal_without_end_is_reported(void)
{
	struct buf tape;

	begin(&protocol_openai_chat);
	talk_answer(&talk, "{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":403}}\n{\"t\":1,\"body\":\"Go away.\"}\n{\"t\":60000,\"end\":\"stalled\"}\n");
	fetch();
	CHECK(strstr(models_error(models)->text, "HTTP 403 from box: Go away") != NULL, "%s", models_error(models)->text);
	CU_ASSERT(!http_is_busy(talk.http));
	end();
	begin(&protocol_openai_chat);
	talk_set(&talk, "finish_quiet", "0");
	buf_init(&tape, 1 << 20);
	buf_add_z(&tape, "{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":500}}\n{\"t\":1,\"body\":\"Too much.");
	for (int i = 0; i < 7000; i++)
		buf_add_z(&tape, " and more");
	buf_add_z(&tape, "\"}\n");
	for (int i = 0; i < 50; i++)
		buf_add_z(&tape, "{\"t\":2,\"body\":\" and more of it and of it and of it and of it and of it and of it and of it\"}\n");
	buf_add_z(&tape, "{\"t\":60000,\"end\":\"stalled\"}\n");
	talk_answer(&talk, buf_z(&tape));
	fetch();
	CHECK(strstr(models_error(models)->text, "HTTP 500 from box: Too much.") != NULL, "%s", models_error(models)->text);
	CU_ASSERT(!http_is_busy(talk.http));
	buf_fini(&tape);
	end();
}

static void key_of_a_command(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "key_command", "sh -c \"sleep 0.05; echo sk-1\"");
	talk_answer(&talk, "{\"data\":[{\"id\":\"m-1\"}]}");
	fetch();
	CU_ASSERT(models_state(models) == MODELS_READY);
	end();
}

/* A key that was typed is sent, and only that time; a refusal does not say that it came from elsewhere. */
static void a_typed_key_is_tried(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "key_command", "sh -c \"exit 3\"");
	talk_answer(&talk, "{\"data\":[{\"id\":\"m-1\"}]}");
	models_fetch_with(models, STR("sk-typed-4711"), clock_now_ms());
	while (models_state(models) == MODELS_FETCHING) {
		struct pollfd fds[1];

		talk_wait(&talk, fds, models_fds(models, fds), models_deadline(models));
		models_run(models, clock_now_ms());
	}
	CHECK(models_state(models) == MODELS_READY, "%s", models_error(models)->text);
	CU_ASSERT_EQUAL(models_status(models), 200);
	fetch();
	CHECK(models_state(models) == MODELS_FAILED && strstr(models_error(models)->text, "exit status 3"), "%s", models_error(models)->text);
	models_fetch_with(models, STR("not a key"), clock_now_ms());
	CHECK(models_state(models) == MODELS_FAILED && strstr(models_error(models)->text, "is not a key"), "%s", models_error(models)->text);
	CHECK(!strstr(models_error(models)->text, "not a key of"), "%s", models_error(models)->text);
	end();
}

static void facts_are(struct model model, const char *expected)
{
	struct buf text;

	buf_init(&text, 1000);
	model_facts_text(&model, &text);
	CHECK_STR(buf_str(&text), expected);
	buf_fini(&text);
}

static void facts_are_short(void)
{
	const struct known_model known = { .input = 1, .output = 2, .context_tokens = 9000 };
	char note[] = "8B Q4";

	facts_are((struct model){ .context_tokens = 400000, .prices.of = { [USAGE_PROMPT] = MONEY(0.25), [USAGE_COMPLETION] = MONEY(2) } }, "400 k context   $0.25 / $2.00");
	facts_are((struct model){ .context_tokens = 1048576 }, "1.05 M context");
	facts_are((struct model){ .context_tokens = -1, .prices.of = { [USAGE_PROMPT] = MONEY(0.075), [USAGE_COMPLETION] = MONEY(0) } }, "$0.075 / $0.00");
	facts_are((struct model){ .context_tokens = 512, .note = note }, "512 context   8B Q4");
	facts_are((struct model){ .context_tokens = -1 }, "");
	facts_are((struct model){ .context_tokens = -1, .known = &known }, "~9 k context   ~$1.00 / $2.00");
	facts_are((struct model){ .context_tokens = 8000, .known = &known }, "8 k context   ~$1.00 / $2.00");
	facts_are((struct model){ .context_tokens = -1, .note = note }, "8B Q4");
}

static void an_unknown_fact_keeps_its_place_in_a_row(void)
{
	struct model model = { .context_tokens = -1, .prices.of = { [USAGE_PROMPT] = MONEY(1), [USAGE_COMPLETION] = MONEY(2) } };
	struct buf text = { 0 };

	model_facts_row(&model, &text);
	CHECK_STR(buf_str(&text), "   $1.00 / $2.00   ");
	buf_fini(&text);
}

const struct suite suite_models = { "models",
	(const struct test[]){
		TEST(reads_the_lists_of_all_protocols),
		TEST(follows_pages),
		TEST(tokens_of_pages_are_not_hidden),
		TEST(pages_have_an_end),
		TEST(a_list_that_is_cut_is_known_to_be), TEST(a_long_list_of_small_models_is_read),
		TEST(pages_have_one_limit),
		TEST(a_list_stays_until_the_new_one_is_whole),
		TEST(failures_are_sentences),
		TEST(no_server_no_key_no_url),
		TEST(silence_has_a_limit),
		TEST(a_refusal_without_end_is_reported),
		TEST(key_of_a_command),
		TEST(a_typed_key_is_tried),
		TEST(facts_are_short), TEST(an_unknown_fact_keeps_its_place_in_a_row),
		{ 0 },
	} };
