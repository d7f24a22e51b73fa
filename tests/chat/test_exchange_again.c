/* Requests sent again after temporary failures. The clock is set past the waits. */
#include "chat/exchange/exchange.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "chat/conversation/turn.h"
#include "support/check.h"
#include "support/faulty.h"
#include "talk.h"
#include "talk_tapes.h"

#define OVERLOADED "{\\\"error\\\":{\\\"message\\\":\\\"Overloaded.\\\",\\\"type\\\":\\\"overloaded_error\\\"}}"
#define BUSY(status, header) "{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":" #status ",\"content_type\":\"application/json\",\"headers\":{" header "}}}\n" \
	"{\"t\":1,\"body\":\"" OVERLOADED "\"}\n" END(2, "closed")

static struct talk talk;
static struct request request;
static struct exchange_options options;

static void begin(const struct protocol *protocol)
{
	talk_init(&talk);
	request = talk_request();
	options = talk_options(&talk, protocol, &request);
	options.retries = 2;
}

static void end(void)
{
	talk_fini(&talk);
}

static void a_busy_server_is_asked_again(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, BUSY(503, ""));
	talk_answer(&talk, BUSY(529, "\"retry-after\":\"7\""));
	talk_answer(&talk, HELLO);
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	CU_ASSERT_EQUAL(talk.asked, 3);
	CHECK(talk_said(&talk, "\"rule\":\"retried\",\"text\":\"HTTP 503 from box: Overloaded; asked again after"), "%s", buf_z(&talk.events));
	CHECK(talk_said(&talk, "\"rule\":\"retried\",\"text\":\"HTTP 529 from box: Overloaded; asked again after 7.0 s\""), "%s", buf_z(&talk.events));
	end();
}

static void the_last_refusal_is_the_answer(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, BUSY(503, ""));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CU_ASSERT_EQUAL(talk.asked, 3);
	CHECK(talk_said(&talk, "\"rule\":\"hint\",\"text\":\"HTTP 503 from box: Overloaded."), "%s", buf_z(&talk.events));
	end();
}

static void no_retry_when_turned_off(void)
{
	begin(&protocol_openai_chat);
	options.retries = 0;
	talk_answer(&talk, BUSY(503, ""));
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CU_ASSERT_EQUAL(talk.asked, 1);
	CHECK(!talk_said(&talk, "retried"), "%s", buf_z(&talk.events));
	end();
}

static void a_permanent_failure_is_not_retried(void)
{
	static const char *const answers[] = {
		BUSY(401, ""), BUSY(404, ""), BUSY(503, "\"x-should-retry\":\"false\""), BUSY(429, "\"retry-after\":\"3600\""),
		REFUSAL(429, "{\\\"error\\\":{\\\"message\\\":\\\"m\\\",\\\"code\\\":\\\"insufficient_quota\\\"}}"),
	};

	for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
		begin(&protocol_openai_chat);
		talk_answer(&talk, answers[i]);
		talk_run(&talk, &options);
		TALK_EXPECT(&talk, OUTCOME_ERROR, "");
		CHECK(talk.asked == 1, "case %zu: asked %zu times", i, talk.asked);
		end();
	}
	begin(&protocol_anthropic);
	talk_answer(&talk, BUSY(429, ""));
	talk_run(&talk, &options);
	CU_ASSERT_EQUAL(talk.asked, 1);
	end();
}

static void a_server_that_hangs_up_is_asked_again(void)
{
	begin(&protocol_openai_chat);
	talk_answer(&talk, "{\"weir_tape\":1}\n" END(1, "cut"));
	talk_answer(&talk, SSE END(1, "cut"));
	talk_answer(&talk, HELLO);
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	CU_ASSERT_EQUAL(talk.asked, 3);
	CHECK(talk_said(&talk, "closed the connection without an answer; asked again"), "%s", buf_z(&talk.events));
	end();
}

static void an_answer_that_began_is_never_asked_again(void)
{
	static const char *const answers[] = {
		SSE CHAT_TEXT(1, "Hel") END(2, "cut"),
		SSE "{\"t\":1,\"body\":\": hello\\n\\n\"}\n" END(2, "cut"),
		SSE "{\"t\":1,\"body\":\"data: {\\\"error\\\":{\\\"message\\\":\\\"busy\\\",\\\"type\\\":\\\"overloaded_error\\\"}}\\n\\n\"}\n" END(2, "closed"),
		SSE END(2, "closed"),
	};

	for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
		begin(&protocol_openai_chat);
		talk_answer(&talk, answers[i]);
		talk_run(&talk, &options);
		CHECK(talk.asked == 1, "case %zu: asked %zu times", i, talk.asked);
		end();
	}
}

static void no_connection_is_tried_again(void)
{
	begin(&protocol_openai_chat);
	talk_set(&talk, "base_url", "http://127.0.0.1:1");
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(strstr(strstr(buf_z(&talk.events), "retried") + 1, "retried"), "%s", buf_z(&talk.events));
	CHECK(talk_said(&talk, "cannot connect to 127.0.0.1:1"), "%s", buf_z(&talk.events));
	end();
}

/* Runs until the exchange waits to retry. */
static void run_into_the_wait(void)
{
	talk_start(&talk, &options);
	for (int i = 0; i < 1000 && exchange_state(talk.exchange) != EXCHANGE_RETRYING; i++)
		talk_turn(&talk);
}

static void the_wait_can_be_seen_and_cancelled(void)
{
	struct exchange_retry retry;
	int64_t now_ms;

	begin(&protocol_openai_chat);
	talk_answer(&talk, BUSY(503, "\"retry-after\":\"40\""));
	run_into_the_wait();
	CU_ASSERT_FATAL(exchange_state(talk.exchange) == EXCHANGE_RETRYING);
	now_ms = exchange_deadline(talk.exchange) - 30000;
	CU_ASSERT_TRUE(exchange_retry(talk.exchange, now_ms, &retry));
	CU_ASSERT(retry.number == 1 && retry.most == 2 && retry.left_ms == 30000 && retry.wait_ms == 40000);
	CHECK_STR(retry.why, "HTTP 503 from box: Overloaded");
	exchange_run(talk.exchange, now_ms);
	CU_ASSERT(exchange_state(talk.exchange) == EXCHANGE_RETRYING && talk.asked == 1);
	exchange_cancel(talk.exchange, now_ms);
	TALK_EXPECT(&talk, OUTCOME_CANCELLED, "");
	CU_ASSERT_FALSE(exchange_retry(talk.exchange, now_ms, &retry));
	CU_ASSERT(exchange_deadline(talk.exchange) == NO_DEADLINE);
	CHECK(talk_said(&talk, "HTTP 503 from box: Overloaded; no further attempt was made"), "%s", buf_z(&talk.events));
	CHECK(!talk_said(&talk, "asked again"), "%s", buf_z(&talk.events));
	end();
}

/* The server's clock is far behind: its date must not be read as a time in the past. */
static void a_date_is_read_by_the_servers_clock(void)
{
	struct faulty *server = FAULTY_ONE("HTTP/1.1 503 Busy\r\nDate: Sat, 01 Jan 2000 12:00:00 GMT\r\n"
	                                   "Retry-After: Sat, 01 Jan 2000 12:00:40 GMT\r\nContent-Length: 0\r\n\r\n");
	struct exchange_retry retry;
	char url[64];

	begin(&protocol_openai_chat);
	snprintf(url, sizeof url, "http://127.0.0.1:%u", faulty_port(server));
	talk_set(&talk, "base_url", url);
	run_into_the_wait();
	CU_ASSERT_FATAL(exchange_retry(talk.exchange, 0, &retry));
	CHECK(retry.wait_ms == 40000, "%lld", (long long)retry.wait_ms);
	end();
	faulty_free(server);
}

static void the_tape_shows_each_attempt(void)
{
	char *path = talk_path("attempts");
	struct buf text = { 0 };
	struct error err;
	struct str all;

	begin(&protocol_openai_chat);
	talk_answer(&talk, "{\"weir_tape\":1}\n" END(1, "cut")); /* first: curl itself repeats a request that an idle connection did not answer */
	talk_answer(&talk, BUSY(503, "\"x-request-id\":\"req-1\""));
	talk_answer(&talk, HELLO);
	options.tape_path = path;
	talk_run(&talk, &options);
	exchange_free(talk.exchange);
	talk.exchange = NULL;
	CHECK(buf_read_file(&text, path, &err), "%s", err.text);
	all = buf_str(&text);
	CHECK(str_find(all, STR("\n{\"attempt\":{\"status\":503,\"headers\":{\"x-request-id\":\"req-1\"},\"body\":\"{\\\"error\\\"")) < all.len, "%s", buf_z(&text));
	CHECK(str_find(all, STR("\n{\"attempt\":{\"failure\":\"127.0.0.1")) < all.len, "%s", buf_z(&text));
	CHECK(str_find(all, STR("\"head\":{\"status\":503")) == all.len, "%s", buf_z(&text));
	CHECK(str_find(all, STR(TALK_KEY)) == all.len, "no key");
	buf_fini(&text);
	mem_free(path);
	end();
}

/* If the program is killed during the wait, the tape holds the refusal. */
static void the_tape_holds_the_refusal_while_it_waits(void)
{
	char *path = talk_path("refusal");
	struct tape *tape;
	struct error err;

	begin(&protocol_openai_chat);
	talk_answer(&talk, BUSY(503, "\"retry-after\":\"40\""));
	options.tape_path = path;
	run_into_the_wait();
	exchange_run(talk.exchange, exchange_deadline(talk.exchange) - 1);
	CHECK(tape_open(&tape, path, &err), "%s", err.text);
	CU_ASSERT(tape_at(tape, 0).head.status == 503);
	CU_ASSERT(str_has_nocase(tape_at(tape, 1).bytes, STR("Overloaded.")));
	tape_free(tape);
	mem_free(path);
	end();
}

static void the_key_is_kept_for_the_next_attempt(void)
{
	struct faulty *server = FAULTY_ONE("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9\r\n\r\n");
	char url[64], *requests;
	const char *first;

	begin(&protocol_openai_chat);
	snprintf(url, sizeof url, "http://127.0.0.1:%u", faulty_port(server));
	talk_set(&talk, "base_url", url);
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_CUT, "");
	requests = faulty_requests(server);
	first = strstr(requests, "Bearer " TALK_KEY);
	CHECK(first && strstr(first + 1, "Bearer " TALK_KEY), "%s", requests);
	mem_free(requests);
	faulty_free(server);
	end();
}

/* --- the rest of an answer --- */

static const struct request_part ask_input_part = { .kind = PART_TEXT, .text = { "hi", 2 } };
static const struct request_part answer_part = { .kind = PART_TEXT, .text = { "One, two \n", 10 } };
static const struct request_message broken[] = {
	{ .role = TURN_USER, .parts = &ask_input_part, .part_count = 1 }, { .role = TURN_ASSISTANT, .parts = &answer_part, .part_count = 1 },
};

static void begin_broken(const struct protocol *protocol)
{
	begin(protocol);
	request.messages = broken;
	request.message_count = 2;
	request.continues = CONTINUE_TEXT;
}

#define ANTHROPIC_ANSWER SSE ANTHROPIC_START ANTHROPIC_STOP END(4, "closed")

static void a_beginning_is_given_where_it_can_be(void)
{
	begin_broken(&protocol_anthropic);
	talk_answer(&talk, ANTHROPIC_ANSWER);
	talk_run(&talk, &options);
	CU_ASSERT(exchange_way(talk.exchange) == CONTINUATION_BEGINNING);
	CHECK(talk_asked(&talk, "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"One, two\"}]}]"), "%s", buf_z(&talk.requests));
	end();
}

static void elsewhere_words_ask_for_the_rest(void)
{
	static const struct { const struct protocol *protocol; const char *tape; } rows[] = {
		{ &protocol_openai_chat, HELLO },
		{ &protocol_openai_responses, SSE RESPONSES END(3, "closed") },
		{ &protocol_gemini, SSE GEMINI END(4, "closed") },
		{ &protocol_ollama, HEAD(200, "application/x-ndjson") OLLAMA END(3, "closed") },
		{ &protocol_anthropic, ANTHROPIC_ANSWER },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		begin_broken(rows[i].protocol);
		request.reasoning = rows[i].protocol == &protocol_anthropic ? REASONING_LEVEL_LOW : REASONING_LEVEL_UNSET;
		talk_answer(&talk, rows[i].tape);
		talk_run(&talk, &options);
		CHECK(exchange_way(talk.exchange) == CONTINUATION_WORDS, "%s", rows[i].protocol->name);
		CHECK(talk_asked(&talk, "One, two \\n") && talk_asked(&talk, CONTINUE_WORDS), "%s", buf_z(&talk.requests));
		end();
	}
}

static void a_model_that_takes_no_beginning_is_asked_in_words(void)
{
	begin_broken(&protocol_anthropic);
	talk_answer(&talk, REFUSAL(400, "{\\\"error\\\":{\\\"message\\\":\\\"This model does not support assistant message prefill. The conversation must end with a user message.\\\"}}"));
	talk_answer(&talk, ANTHROPIC_ANSWER);
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	CU_ASSERT(exchange_way(talk.exchange) == CONTINUATION_WORDS);
	CHECK(talk_said(&talk, "does not continue a given beginning: sent again with a message"), "%s", buf_z(&talk.events));
	CU_ASSERT_EQUAL(talk.asked, 2);
	end();
}

static void a_paused_turn_goes_back_unchanged(void)
{
	begin_broken(&protocol_anthropic);
	request.continues = CONTINUE_PAUSED;
	request.reasoning = REASONING_LEVEL_LOW;
	talk_answer(&talk, ANTHROPIC_ANSWER);
	talk_run(&talk, &options);
	CU_ASSERT(exchange_way(talk.exchange) == CONTINUATION_UNCHANGED);
	CHECK(!talk_asked(&talk, "Go on from") && talk_asked(&talk, "One, two \\n"), "%s", buf_z(&talk.requests));
	end();
}

const struct suite suite_exchange_again = { "exchange_again", (const struct test[]){
	TEST(a_busy_server_is_asked_again),
	TEST(the_last_refusal_is_the_answer),
	TEST(no_retry_when_turned_off),
	TEST(a_permanent_failure_is_not_retried),
	TEST(a_server_that_hangs_up_is_asked_again),
	TEST(an_answer_that_began_is_never_asked_again),
	TEST(no_connection_is_tried_again),
	TEST(the_wait_can_be_seen_and_cancelled),
	TEST(a_date_is_read_by_the_servers_clock),
	TEST(the_tape_shows_each_attempt),
	TEST(the_tape_holds_the_refusal_while_it_waits),
	TEST(the_key_is_kept_for_the_next_attempt),
	TEST(a_beginning_is_given_where_it_can_be),
	TEST(elsewhere_words_ask_for_the_rest),
	TEST(a_model_that_takes_no_beginning_is_asked_in_words),
	TEST(a_paused_turn_goes_back_unchanged),
	{ 0 },
} };
