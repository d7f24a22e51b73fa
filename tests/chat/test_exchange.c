#include "chat/exchange/exchange.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"
#include "support/faulty.h"
#include "talk.h"
#include "talk_tapes.h"

static struct talk talk;
static struct request request;
static struct exchange_options options;

static void begin(const struct protocol *protocol)
{
	talk_init(&talk);
	request = talk_request();
	options = talk_options(&talk, protocol, &request);
}

static void end(void)
{
	talk_fini(&talk);
}

/* --- normal operation --- */

static void every_protocol_answers(void)
{
	static const struct { const struct protocol *protocol; const char *tape, *path; } rows[] = {
		{ &protocol_openai_chat, HELLO, "POST /chat/completions\n" },
		{ &protocol_openai_responses, SSE RESPONSES END(3, "closed"), "POST /responses\n" },
		{ &protocol_anthropic, SSE ANTHROPIC_START ANTHROPIC_STOP END(4, "closed"), "POST /v1/messages\n" },
		{ &protocol_gemini, SSE GEMINI END(4, "closed"), "POST /v1beta/models/m-1:streamGenerateContent?alt=sse\n" },
		{ &protocol_ollama, HEAD(200, "application/x-ndjson") OLLAMA END(3, "closed"), "POST /api/chat\n" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		begin(rows[i].protocol);
		talk_answer(&talk, rows[i].tape);
		talk_run(&talk, &options);
		TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
		CHECK(talk_asked(&talk, rows[i].path), "%s", buf_z(&talk.requests));
		CHECK(talk_asked(&talk, "\"hi\""), "%s", buf_z(&talk.requests));
		CU_ASSERT(exchange_state(talk.exchange) == EXCHANGE_OVER);
		CU_ASSERT_PTR_EQUAL(exchange_protocol(talk.exchange), rows[i].protocol);
		CHECK(!talk_said(&talk, "notice"), "%s", buf_z(&talk.events));
		end();
	}
}

static void goes_through_its_states(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "key_command", "echo sk-1");
	talk_answer(&talk, SSE CHAT_TEXT(150, "a") CHAT_DONE(300) END(300, "closed"));
	talk_start(&talk, &options);
	CU_ASSERT(exchange_state(talk.exchange) == EXCHANGE_KEY);
	while (exchange_state(talk.exchange) == EXCHANGE_KEY)
		talk_turn(&talk);
	CU_ASSERT(exchange_state(talk.exchange) == EXCHANGE_CONNECTING);
	while (exchange_state(talk.exchange) == EXCHANGE_CONNECTING)
		talk_turn(&talk);
	CU_ASSERT(exchange_state(talk.exchange) == EXCHANGE_WAITING);
	while (exchange_state(talk.exchange) == EXCHANGE_WAITING)
		talk_turn(&talk);
	CU_ASSERT(exchange_state(talk.exchange) == EXCHANGE_STREAMING);
	CU_ASSERT(exchange_quiet_ms(talk.exchange, clock_now_ms() + 1000) >= 900);
	talk_finish(&talk);
	CU_ASSERT(exchange_elapsed_ms(talk.exchange, clock_now_ms() + 60000) < 50000);
	end();
}

static void without_streaming(void)
{
	begin(&protocol_openai_chat);
	request.stream = false;
	talk_answer(&talk, "{\"id\":\"c1\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Hello\"},"
	                   "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2,\"total_tokens\":3}}");
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	CU_ASSERT(talk_said(&talk, "\"total_tokens\":3"));
	end();
}

/* The end mark ends the turn at once, even if the server keeps the connection open. */
static void the_end_mark_is_the_end(void)
{
	int64_t started = clock_now_ms();

	begin(&protocol_openai_chat);
	talk_answer(&talk, SSE CHAT_TEXT(1, "Hello") CHAT_STOP(1) CHAT_DONE(1) END(60000, "closed"));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	CHECK(clock_now_ms() - started < 60000, "it was waited for");
	CU_ASSERT(exchange_deadline(talk.exchange) != NO_DEADLINE);
	exchange_run(talk.exchange, clock_now_ms() + 10000);
	CU_ASSERT(exchange_deadline(talk.exchange) == NO_DEADLINE);
	CU_ASSERT(!http_is_busy(talk.http));
	end();
}

static void base_url_of_the_options_counts(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "base_url", "http://127.0.0.1:1/nobody");
	talk_answer(&talk, HELLO);
	options.base_url = str_from(talk.base_url);
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	end();
}

/* --- headers and the key --- */

#define EMPTY "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

static void run_against(const struct faulty *server)
{
	char url[64];

	snprintf(url, sizeof url, "http://127.0.0.1:%u", faulty_port(server));
	options.base_url = str_from(url);
	talk_run(&talk, &options);
	options.base_url = STR("");
}

static bool got(struct faulty *server, const char *words)
{
	char *requests = faulty_requests(server);
	bool found = str_has_nocase(str_from(requests), str_from(words));

	mem_free(requests);
	return found;
}

static void sends_the_key_as_it_should(void)
{
	static const struct { const struct protocol *protocol; const char *auth, *header; } rows[] = {
		{ &protocol_openai_chat, NULL, "authorization: Bearer " TALK_KEY "\r\n" },
		{ &protocol_openai_responses, NULL, "authorization: Bearer " TALK_KEY "\r\n" },
		{ &protocol_anthropic, NULL, "x-api-key: " TALK_KEY "\r\n" },
		{ &protocol_gemini, NULL, "x-goog-api-key: " TALK_KEY "\r\n" },
		{ &protocol_ollama, NULL, "authorization: Bearer " TALK_KEY "\r\n" },
		{ &protocol_anthropic, "bearer", "authorization: Bearer " TALK_KEY "\r\n" },
		{ &protocol_openai_chat, "api-key", "api-key: " TALK_KEY "\r\n" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct faulty *server = FAULTY_ONE(EMPTY);

		begin(rows[i].protocol);
		if (rows[i].auth)
			talk_set(&talk, "auth", rows[i].auth);
		run_against(server);
		CHECK(got(server, rows[i].header), "case %zu", i);
		CHECK(got(server, "content-type: application/json\r\n") && got(server, "accept: text/event-stream\r\n"), "case %zu", i);
		CHECK(got(server, "anthropic-version: ") == (rows[i].protocol == &protocol_anthropic), "case %zu", i);
		faulty_free(server);
		end();
	}
}

static void sends_no_key_without_one(void)
{
	struct faulty *server = FAULTY_ONE(EMPTY);

	begin(&protocol_anthropic);
	talk_set(&talk, "auth", "none");
	talk_set(&talk, "header.X-Title", "weir");
	talk_set(&talk, "header.Anthropic-Version", "2029-01-01");
	run_against(server);
	CU_ASSERT(!got(server, "x-api-key") && !got(server, "authorization") && !got(server, TALK_KEY));
	CU_ASSERT(got(server, "x-title: weir\r\n") && got(server, "anthropic-version: 2029-01-01\r\n") && !got(server, "2023-06-01"));
	faulty_free(server);
	end();
}

static void key_of_a_command_and_of_a_file(void)
{
	char *path = talk_path("exchange-key");
	FILE *file = fopen(path, "w");
	struct faulty *server = FAULTY_ONE(EMPTY);

	fputs("sk-of-file\n", file);
	fclose(file);
	chmod(path, 0600);
	begin(&protocol_openai_chat);
	talk_set(&talk, "key_file", path);
	run_against(server);
	CU_ASSERT(got(server, "Bearer sk-of-file\r\n"));
	talk_set(&talk, "key_command", "sh -c \"sleep 0.1; echo sk-of-command\"");
	run_against(server);
	CU_ASSERT(got(server, "Bearer sk-of-command\r\n"));
	faulty_free(server);
	end();
	mem_free(path);
}

static void a_missing_key_is_an_error(void)
{
	begin(&protocol_openai_chat);
	talk_set_variable("BOX_API_KEY", NULL);
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(talk_said(&talk, "the variable BOX_API_KEY"), "%s", buf_z(&talk.events));
	CU_ASSERT_EQUAL(talk.asked, 0);
	end();
}

static void a_missing_base_url_is_an_error(void)
{
	struct provider *p;

	begin(&protocol_openai_chat);
	p = providers_find(talk.providers, STR("sansa"));
	talk_set_variable("SANSA_API_KEY", "k");
	options.provider = p;
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(talk_said(&talk, "SANSA_BASE_URL"), "%s", buf_z(&talk.events));
	end();
}

static void cancelled_while_the_key_is_looked_for(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "key_command", "sleep 100");
	talk_start(&talk, &options);
	talk_turn(&talk);
	CU_ASSERT(exchange_state(talk.exchange) == EXCHANGE_KEY);
	exchange_cancel(talk.exchange, clock_now_ms());
	CU_ASSERT_EQUAL(talk.ends, 1);
	TALK_EXPECT(&talk, OUTCOME_CANCELLED, "");
	CU_ASSERT(exchange_deadline(talk.exchange) == NO_DEADLINE);
	end();
}

/* --- plain http --- */

static void a_key_does_not_go_over_plain_http(void)
{
	begin(&protocol_openai_chat);
	options.base_url = STR("http://192.0.2.1/v1");
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(talk_said(&talk, "192.0.2.1") && talk_said(&talk, "--allow-http"), "%s", buf_z(&talk.events));
	options.base_url = STR("http://127.0.0.1.example.invalid/v1");
	talk_run(&talk, &options);
	CHECK(talk_said(&talk, "--allow-http"), "%s", buf_z(&talk.events));
	options.base_url = STR("HTTP://localhost.example.invalid/v1");
	talk_run(&talk, &options);
	CHECK(talk_said(&talk, "--allow-http"), "%s", buf_z(&talk.events));
	end();
}

static void without_a_key_plain_http_has_a_notice(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "auth", "none");
	talk_set(&talk, "connect", "0.05");
	options.base_url = STR("http://192.0.2.1/v1");
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(talk_said(&talk, "\"rule\":\"plain-http\""), "%s", buf_z(&talk.events));
	end();
}

static void plain_http_can_be_allowed(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "connect", "0.05");
	options.base_url = STR("http://192.0.2.1/v1");
	options.allow_http = true;
	talk_run(&talk, &options);
	CHECK(!talk_said(&talk, "--allow-http"), "%s", buf_z(&talk.events));
	end();
}

/* --- endings --- */

#define ADVICE "check that the server runs, and the base URL"

static void cut_and_refused(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, SSE CHAT_TEXT(1, "Hel") END(2, "cut"));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_CUT, "Hel");
	options.base_url = STR("http://127.0.0.1:1");
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(talk_said(&talk, "cannot connect to 127.0.0.1") && talk_said(&talk, "refused (" ADVICE ")\""), "%s", buf_z(&talk.events));
	end();
}

static void closed_without_an_answer(void)
{
	struct faulty *server = FAULTY_ONE("");

	begin(&protocol_openai_chat);
	run_against(server);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(talk_said(&talk, "without an answer (" ADVICE ")\""), "%s", buf_z(&talk.events));
	faulty_free(server);
	end();
}

static void the_first_byte_has_a_limit(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "first_byte", "59");
	talk_answer(&talk, SSE CHAT_TEXT(60000, "late") END(60000, "closed"));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_STALLED, "");
	CU_ASSERT(!http_is_busy(talk.http));
	end();
}

static void without_streaming_the_limit_is_another(void)
{
	begin(&protocol_openai_chat);
	request.stream = false;
	talk_start(&talk, &options);
	CU_ASSERT(exchange_deadline(talk.exchange) > clock_now_ms() + 500000);
	exchange_cancel(talk.exchange, clock_now_ms());
	end();
}

static void silence_has_a_limit(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, SSE CHAT_TEXT(1, "Hel") END(60000, "stalled"));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_STALLED, "Hel");
	end();
}

static void a_long_limit_is_reported_in_whole_seconds(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "first_byte", "1800");
	talk_answer(&talk, "{\"weir_tape\":1}\n" END(60000, "stalled"));
	talk_start(&talk, &options);
	talk_settle(&talk);
	exchange_run(talk.exchange, clock_now_ms() + 1801000);
	CU_ASSERT_TRUE(exchange_is_over(talk.exchange));
	CHECK(talk_said(&talk, "nothing arrived for 1800 s (the setting first_byte)"), "%s", buf_z(&talk.events));
	end();
}

static void comments_count_as_activity(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "idle", "0.9");
	talk_answer(&talk, SSE CHAT_TEXT(1, "Hel") "{\"t\":400,\"body\":\": ping\\n\\n\"}\n{\"t\":800,\"body\":\": ping\\n\\n\"}\n"
	                   CHAT_TEXT(1200, "lo") CHAT_DONE(1210) END(1210, "closed"));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	end();
}

static void quiet_after_a_finish_is_complete(void)
{
	static const struct { const struct protocol *protocol; const char *tape; } rows[] = {
		{ &protocol_openai_chat, SSE CHAT_TEXT(1, "Hello") CHAT_STOP(2) END(60000, "stalled") },
		{ &protocol_gemini, SSE GEMINI END(60000, "stalled") },
		{ &protocol_anthropic, SSE ANTHROPIC_START END(60000, "stalled") },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		begin(rows[i].protocol);
		talk_answer(&talk, rows[i].tape);
		talk_run(&talk, &options);
		TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
		CU_ASSERT(!http_is_busy(talk.http));
		end();
	}
}

/* Comments count as activity during an answer, but do not delay the end of a finished one. */
static void comments_after_a_finish_do_not_count(void)
{
	struct buf tape = { 0 };
	int64_t started = clock_now_ms();

	begin(&protocol_openai_chat);
	talk_set(&talk, "finish_quiet", "0.3");
	buf_add_z(&tape, SSE CHAT_TEXT(1, "Hello") CHAT_STOP(2));
	for (int at = 50; at < 20000; at += 50)
		buf_printf(&tape, "{\"t\":%d,\"body\":\": ping\\n\\n\"}\n", at);
	buf_add_z(&tape, END(20000, "closed"));
	talk_answer(&talk, buf_z(&tape));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	CHECK(clock_now_ms() - started < 15000, "it was waited for");
	buf_fini(&tape);
	end();
}

static void cancelled_while_it_streams(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, SSE CHAT_TEXT(1, "Hel") CHAT_TEXT(60000, "lo") END(60000, "closed"));
	talk.cancel_at = "text";
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_CANCELLED, "Hel");
	CU_ASSERT(!http_is_busy(talk.http));
	exchange_cancel(talk.exchange, clock_now_ms());
	CU_ASSERT_EQUAL(talk.ends, 1);
	end();
}

/* --- refusals --- */

static void a_refused_key_names_its_source(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, REFUSAL(401, ERROR_JSON("Wrong key.")));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK_STR(summary_error(talk.summary)->message, "Wrong key.");
	CU_ASSERT_EQUAL(summary_error(talk.summary)->status, 401);
	CHECK(talk_said(&talk, "HTTP 401 from box: Wrong key (request id req-7; the key came from the variable BOX_API_KEY)"), "%s",
	      buf_z(&talk.events));
	CHECK_STR(buf_str(&talk.kinds), "begin notice error end");
	CU_ASSERT_EQUAL(talk.asked, 1);
	end();
}

static void a_404_names_the_url(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "path", "/nowhere?key=sk-in-the-url&v=1");
	talk_answer(&talk, REFUSAL(404, "{\\\"detail\\\":\\\"Not Found\\\"}"));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(talk_said(&talk, "/nowhere?key=...&v=1"), "%s", buf_z(&talk.events));
	CHECK(!talk_said(&talk, "sk-in-the-url"), "%s", buf_z(&talk.events));
	CU_ASSERT(!exchange_model_unknown(talk.exchange));
	end();
}

static void an_unknown_model_is_known_as_such(void)
{
	static const char *const bodies[] = {
		REFUSAL(404, ERROR_JSON("The model `m-1` does not exist.")),
		REFUSAL(400, ERROR_JSON("m-1 is not a valid model ID")),
		REFUSAL(404, "{\\\"error\\\":\\\"model 'm-1' not found\\\"}"),
	};

	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		begin(&protocol_openai_chat);
		talk_answer(&talk, bodies[i]);
		talk_run(&talk, &options);
		TALK_EXPECT(&talk, OUTCOME_ERROR, "");
		CHECK(exchange_model_unknown(talk.exchange), "%s", bodies[i]);
		end();
	}
}

static void a_body_that_is_not_json_is_still_one_error(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, HEAD(502, "text/html") "{\"t\":1,\"body\":\"<html><h1>Bad gateway</h1></html>\"}\n" END(2, "closed"));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(talk_said(&talk, "HTTP 502 from box: a web page instead of an explanation (request id req-7)"), "%s", buf_z(&talk.events));
	end();
}

static void a_body_of_plain_text_is_reported(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "retries", "0");
	talk_answer(&talk, HEAD(502, "text/plain") "{\"t\":1,\"body\":\"no healthy upstream\\n\"}\n" END(2, "closed"));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(talk_said(&talk, "HTTP 502 from box: no healthy upstream"), "%s", buf_z(&talk.events));
	end();
}

/* The status shows that there is no answer, so the limit for silence is shorter. */
static void a_refusal_that_falls_silent_is_reported(void)
{
	static const char *const tapes[] = {
		HEAD(400, "application/json") "{\"t\":1,\"body\":\"{\\\"error\\\":{\\\"mess\"}\n" END(60000, "stalled"),
		HEAD(400, "application/json") END(60000, "stalled"),
	};

	for (size_t i = 0; i < sizeof tapes / sizeof tapes[0]; i++) {
		begin(&protocol_openai_chat);
		talk_answer(&talk, tapes[i]);
		talk_run(&talk, &options);
		TALK_EXPECT(&talk, OUTCOME_ERROR, "");
		CHECK(talk_said(&talk, "HTTP 400 from box"), "%s", buf_z(&talk.events));
		CU_ASSERT(!http_is_busy(talk.http));
		end();
	}
}

static void a_redirect_is_not_followed(void)
{
	struct faulty *server = FAULTY_ONE("HTTP/1.1 307 Moved\r\nLocation: https://elsewhere.example/v1\r\nContent-Length: 0\r\n\r\n");

	begin(&protocol_openai_chat);
	run_against(server);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(talk_said(&talk, "redirects are not followed, this one leads to https://elsewhere.example/v1"), "%s", buf_z(&talk.events));
	faulty_free(server);
	end();
}

static void a_long_refusal_comes_through(void)
{
	struct buf tape = { 0 };

	begin(&protocol_openai_chat);
	buf_add_z(&tape, HEAD(500, "text/plain"));
	for (int i = 0; i < 40; i++) {
		buf_add_z(&tape, "{\"t\":1,\"body\":\"");
		for (int j = 0; j < 3000; j++)
			buf_add_byte(&tape, 'x');
		buf_add_z(&tape, "\"}\n");
	}
	buf_add_z(&tape, END(2, "closed"));
	talk_answer(&talk, buf_z(&tape));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CU_ASSERT_EQUAL(summary_error(talk.summary)->status, 500);
	buf_fini(&tape);
	end();
}

/* --- a body that is given --- */

#define GIVEN "{\n  \"model\": \"m-9\",\n  \"p\": \"it's\",\t\"n\":1.50 }\n"

/* Byte for byte, also when it is sent again because a failure may pass. It is not repaired. */
static void a_given_body_is_sent_as_it_is(void)
{
	begin(&protocol_openai_chat);
	options.body = STR(GIVEN);
	options.retries = 1;
	talk_answer(&talk, REFUSAL(503, ERROR_JSON("Busy.")));
	talk_answer(&talk, HELLO);
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	CHECK_STR(buf_str(&talk.requests), "POST /chat/completions\n" GIVEN "\nPOST /chat/completions\n" GIVEN "\n");
	end();
	begin(&protocol_openai_chat);
	options.body = STR(GIVEN);
	talk_answer(&talk, REFUSAL(400, ERROR_JSON("Unknown parameter: 'stream_options'.")));
	talk_run(&talk, &options);
	CU_ASSERT_EQUAL(talk.asked, 1);
	CHECK(!talk_said(&talk, "sent-again"), "%s", buf_z(&talk.events));
	end();
}

/* --- repairs --- */

static void a_refused_parameter_is_left_out_once(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, REFUSAL(400, ERROR_JSON("Unknown parameter: 'stream_options'.")));
	talk_answer(&talk, HELLO);
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	CU_ASSERT_EQUAL(talk.asked, 2);
	CHECK(talk_said(&talk, "\"rule\":\"sent-again\"") && talk_said(&talk, "stream_options"), "%s", buf_z(&talk.events));
	CU_ASSERT(talk.provider->refuses_usage_opt_in);
	talk.tape_count = 2;
	talk_run(&talk, &options); /* the provider remembers it, so the second request is answered by the first tape */
	CHECK(!talk_asked(&talk, "stream_options"), "%s", buf_z(&talk.requests));
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CU_ASSERT_EQUAL(talk.asked, 1);
	end();
}

static void the_maximum_of_tokens_gets_its_other_name(void)
{
	struct str requests;

	begin(&protocol_openai_chat);
	talk_answer(&talk, REFUSAL(400, ERROR_JSON("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")));
	talk_answer(&talk, HELLO);
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	requests = buf_str(&talk.requests);
	requests = str_skip(requests, str_find(str_skip(requests, 1), STR("POST")));
	CU_ASSERT(str_find(requests, STR("max_completion_tokens")) < requests.len && str_find(requests, STR("\"max_tokens\"")) == requests.len);
	end();
}

static void the_new_name_gives_way_to_the_old_one(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "max_tokens_field", "max_completion_tokens");
	talk_answer(&talk, REFUSAL(422, "{\\\"detail\\\":[{\\\"type\\\":\\\"extra_forbidden\\\",\\\"loc\\\":[\\\"body\\\",\\\"max_completion_tokens\\\"],\\\"msg\\\":\\\"Extra inputs are not permitted\\\"}]}"));
	talk_answer(&talk, HELLO);
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	CU_ASSERT(talk_asked(&talk, "\"max_tokens\":100"));
	end();
}

static void temperature_and_effort_are_left_out(void)
{
	begin(&protocol_openai_chat);
	request.temperature = 0.5;
	request.reasoning = REASONING_LEVEL_HIGH;
	talk_answer(&talk, REFUSAL(400, ERROR_JSON("Unsupported value: 'temperature' does not support 0.5 with this model.")));
	talk_answer(&talk, REFUSAL(400, ERROR_JSON("Unrecognized request argument supplied: reasoning_effort")));
	talk_answer(&talk, HELLO);
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	CU_ASSERT_EQUAL(talk.asked, 3);
	CU_ASSERT(talk.provider->refuses_temperature && talk.provider->refuses_reasoning);
	talk_run(&talk, &options);
	CU_ASSERT(!talk_asked(&talk, "temperature") && !talk_asked(&talk, "reasoning_effort"));
	end();
}

static void a_repair_that_does_not_help_is_the_last(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, REFUSAL(400, ERROR_JSON("Unknown parameter: 'max_tokens'.")));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CU_ASSERT_EQUAL(talk.asked, 2);
	end();
}

static void what_was_not_sent_is_not_repaired(void)
{
	static const char *const bodies[] = {
		REFUSAL(400, ERROR_JSON("Unknown parameter: 'temperature'.")),
		REFUSAL(400, ERROR_JSON("max_tokens is too large: 100.")),
		REFUSAL(400, ERROR_JSON("Invalid signature in thinking block")),
		REFUSAL(500, ERROR_JSON("Unknown parameter: 'stream_options'.")),
	};

	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		begin(&protocol_openai_chat);
		talk_answer(&talk, bodies[i]);
		talk_run(&talk, &options);
		TALK_EXPECT(&talk, OUTCOME_ERROR, "");
		CHECK(talk.asked == 1, "%s", bodies[i]);
		end();
	}
}

static void refused_signatures_are_left_out(void)
{
	const struct request_part thought[] = {
		{ .kind = PART_REASONING, .text = STR("Hmm.") },
		{ .kind = PART_OPAQUE, .name = STR(OPAQUE_ANTHROPIC_SIGNATURE), .text = STR("c2lnbmVk") },
		{ .kind = PART_TEXT, .text = STR("first answer") },
	};
	const struct request_part only_opaque = { .kind = PART_OPAQUE, .name = STR(OPAQUE_ANTHROPIC_REDACTED), .text = STR("cmVk") };
	const struct request_part words = { .kind = PART_TEXT, .text = STR("next question") };
	const struct request_message messages[] = {
		{ TURN_USER, &words, 1 }, { TURN_ASSISTANT, thought, 3 }, { TURN_USER, &words, 1 }, { TURN_ASSISTANT, &only_opaque, 1 }, { TURN_USER, &words, 1 },
	};
	struct str again;

	begin(&protocol_anthropic);
	request.messages = messages;
	request.message_count = 5;
	talk_answer(&talk, REFUSAL(400, "{\\\"type\\\":\\\"error\\\",\\\"error\\\":{\\\"type\\\":\\\"invalid_request_error\\\",\\\"message\\\":\\\"Invalid `signature` in `thinking` block\\\"}}"));
	talk_answer(&talk, SSE ANTHROPIC_START ANTHROPIC_STOP END(4, "closed"));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	CU_ASSERT_EQUAL(talk.asked, 2);
	CU_ASSERT(talk_asked(&talk, "c2lnbmVk"));
	again = str_skip(buf_str(&talk.requests), 1);
	again = str_skip(again, str_find(again, STR("POST")));
	CU_ASSERT(str_find(again, STR("c2lnbmVk")) == again.len && str_find(again, STR("cmVk")) == again.len);
	CU_ASSERT(str_find(again, STR("first answer")) < again.len);
	CHECK(talk_said(&talk, "sent-again"), "%s", buf_z(&talk.events));
	end();
}

const struct suite suite_exchange = { "exchange",
	(const struct test[]){
		TEST(every_protocol_answers),
		TEST(goes_through_its_states),
		TEST(without_streaming),
		TEST(the_end_mark_is_the_end),
		TEST(base_url_of_the_options_counts),
		TEST(sends_the_key_as_it_should),
		TEST(sends_no_key_without_one),
		TEST(key_of_a_command_and_of_a_file),
		TEST(a_missing_key_is_an_error),
		TEST(a_missing_base_url_is_an_error),
		TEST(cancelled_while_the_key_is_looked_for),
		TEST(a_key_does_not_go_over_plain_http),
		TEST(without_a_key_plain_http_has_a_notice),
		TEST(plain_http_can_be_allowed),
		TEST(cut_and_refused),
		TEST(closed_without_an_answer),
		TEST(the_first_byte_has_a_limit),
		TEST(without_streaming_the_limit_is_another),
		TEST(silence_has_a_limit),
		TEST(a_long_limit_is_reported_in_whole_seconds),
	TEST(comments_count_as_activity),
		TEST(quiet_after_a_finish_is_complete),
		TEST(comments_after_a_finish_do_not_count),
		TEST(cancelled_while_it_streams),
		TEST(a_refused_key_names_its_source),
		TEST(a_404_names_the_url),
		TEST(an_unknown_model_is_known_as_such),
		TEST(a_body_that_is_not_json_is_still_one_error),
		TEST(a_body_of_plain_text_is_reported),
		TEST(a_refusal_that_falls_silent_is_reported),
		TEST(a_redirect_is_not_followed),
		TEST(a_long_refusal_comes_through),
		TEST(a_refused_parameter_is_left_out_once),
		TEST(the_maximum_of_tokens_gets_its_other_name),
		TEST(the_new_name_gives_way_to_the_old_one),
		TEST(temperature_and_effort_are_left_out),
		TEST(a_given_body_is_sent_as_it_is),
		TEST(a_repair_that_does_not_help_is_the_last),
		TEST(what_was_not_sent_is_not_repaired),
		TEST(refused_signatures_are_left_out),
		{ 0 },
	} };
