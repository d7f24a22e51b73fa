/* What an exchange leaves behind (tape and details, without the key), and how a tape is replayed. */
#include "chat/exchange/exchange.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "support/check.h"
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

/* --- the tape --- */

/* The replay must give the same summary as the live turn. */
static void check_replay(const char *path)
{
	struct error err = { "" };
	struct tape *tape = NULL;
	struct summary *again = summary_new();
	struct stream_options stream = { .asked.single_choice = true };
	struct stream *s;
	struct buf live = { 0 }, replayed = { 0 };

	CHECK(tape_open(&tape, path, &err), "%s", err.text);
	stream.protocol = protocol_find(tape_facts(tape)->protocol);
	stream.dialect = dialect_find(tape_facts(tape)->dialect);
	s = stream_new(&stream, summary_delta, again);
	tape_feed(tape, s, 0, NULL, NULL);
	summary_write(talk.summary, STR("p"), STR("d"), &live);
	summary_write(again, STR("p"), STR("d"), &replayed);
	CHECK_STR(buf_str(&live), buf_z(&replayed));
	stream_free(s);
	tape_free(tape);
	summary_free(again);
	buf_fini(&live);
	buf_fini(&replayed);
}

static void read_all(const char *path, struct buf *text)
{
	struct error err = { "" };

	CHECK(buf_read_file(text, path, &err), "%s", err.text);
}

static void a_tape_gives_the_same_summary(void)
{
	static const char *const tapes[] = {
		HELLO,
		SSE CHAT_TEXT(1, "Hel") END(2, "cut"),
		SSE CHAT_TEXT(1, "Hello") CHAT_STOP(2) END(60000, "stalled"),
		SSE CHAT_TEXT(1, "Hel") END(60000, "stalled"),
	};

	for (size_t i = 0; i < sizeof tapes / sizeof tapes[0]; i++) {
		char name[20];
		char *path;
		struct buf text = { 0 };

		snprintf(name, sizeof name, "turn-%zu", i);
		path = talk_path(name);
		begin(&protocol_openai_chat);
		talk_answer(&talk, tapes[i]);
		options.tape_path = path;
		talk_run(&talk, &options);
		CHECK_STR(exchange_tape_error(talk.exchange), "");
		exchange_free(talk.exchange);
		talk.exchange = NULL;
		check_replay(path);
		read_all(path, &text);
		CHECK(str_find(buf_str(&text), STR(TALK_KEY)) == text.len, "%s", buf_z(&text));
		CHECK(str_find(buf_str(&text), STR("\"provider\":\"box\"")) < text.len, "%s", buf_z(&text));
		CHECK(str_find(buf_str(&text), STR("\"stream\":true")) < text.len, "%s", buf_z(&text));
		buf_fini(&text);
		mem_free(path);
		end();
	}
}

static void sending_again_starts_the_tape_over(void)
{
	char *path = talk_path("repaired");
	struct buf text = { 0 };

	begin(&protocol_openai_chat);
	talk_answer(&talk, REFUSAL(400, ERROR_JSON("Unknown parameter: 'stream_options'.")));
	talk_answer(&talk, HELLO);
	options.tape_path = path;
	talk_run(&talk, &options);
	exchange_free(talk.exchange);
	talk.exchange = NULL;
	read_all(path, &text);
	CHECK(str_find(buf_str(&text), STR("\"stream_options\":")) == text.len, "%s", buf_z(&text));
	CHECK(str_find(buf_str(&text), STR("{\"attempt\":{\"status\":400,")) < text.len, "%s", buf_z(&text));
	CHECK(str_find(buf_str(&text), STR("\"end\":\"closed\"")) < text.len, "%s", buf_z(&text));
	buf_fini(&text);
	mem_free(path);
	end();
}

#define LARGE ((size_t)5 << 20) /* more than is made at once */

/* A large prompt with a line break and a quote every now and then. Returns its text, on the heap. */
static char *ask_much(struct request_part *part, struct request_message *message)
{
	char *text = mem_new(LARGE);

	for (size_t i = 0; i < LARGE; i++)
		text[i] = i % 101 == 7 ? '\n' : i % 211 == 9 ? '"' : (char)('a' + i % 26);
	*part = (struct request_part){ .kind = PART_TEXT, .text = str_of(text, LARGE) };
	*message = (struct request_message){ .role = TURN_USER, .parts = part, .part_count = 1 };
	request.messages = message;
	return text;
}

/* The loop runs while it is made. It is sent and recorded in full, also when it is sent again. */
static void a_large_request_is_made_in_parts(void)
{
	char *path = talk_path("large"), *text;
	struct request_part part;
	struct request_message message;
	struct buf body = { 0 };
	struct error err = { "" };
	struct tape *tape = NULL;
	unsigned turns = 0;

	begin(&protocol_openai_chat);
	talk_answer(&talk, REFUSAL(400, ERROR_JSON("Unknown parameter: 'stream_options'.")));
	talk_answer(&talk, HELLO);
	text = ask_much(&part, &message);
	options.tape_path = path;
	talk_start(&talk, &options);
	for (; exchange_deadline(talk.exchange) == 0; turns++) {
		CU_ASSERT_EQUAL(talk.asked, 0);
		CU_ASSERT_EQUAL(exchange_state(talk.exchange), EXCHANGE_CONNECTING);
		exchange_run(talk.exchange, clock_now_ms());
	}
	CHECK(turns >= 4, "%u turns", turns);
	talk_finish(&talk);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	exchange_free(talk.exchange);
	talk.exchange = NULL;
	CU_ASSERT_EQUAL(talk.asked, 2);
	request.sending.usage_opt_in = false;
	CU_ASSERT(protocol_build(&protocol_openai_chat, &request, &body));
	CHECK(talk_asked(&talk, buf_z(&body)), "the second request");
	CU_ASSERT(tape_open(&tape, path, &err));
	CU_ASSERT(tape && str_equal(tape_facts(tape)->request, buf_str(&body)));
	tape_free(tape);
	buf_fini(&body);
	mem_free(text);
	mem_free(path);
	end();
}

static void stopped_while_it_is_made_it_is_not_recorded(void)
{
	char *path = talk_path("stopped"), *text;
	struct request_part part;
	struct request_message message;
	struct error err = { "" };
	struct tape *tape = NULL;

	begin(&protocol_openai_chat);
	talk_answer(&talk, HELLO);
	text = ask_much(&part, &message);
	options.tape_path = path;
	talk_start(&talk, &options);
	exchange_run(talk.exchange, clock_now_ms());
	exchange_cancel(talk.exchange, clock_now_ms());
	CU_ASSERT_EQUAL(exchange_state(talk.exchange), EXCHANGE_OVER);
	CHECK_STR(buf_str(&talk.kinds), "begin end");
	exchange_free(talk.exchange);
	talk.exchange = NULL;
	CU_ASSERT_EQUAL(talk.asked, 0);
	CHECK(tape_open(&tape, path, &err), "%s", err.text);
	CU_ASSERT(tape && !tape_facts(tape)->request.len && tape_length(tape) == 1 && tape_at(tape, 0).how == END_CANCELLED);
	tape_free(tape);
	mem_free(text);
	mem_free(path);
	end();
}

static void a_tape_is_never_overwritten(void)
{
	char *path = talk_path("precious");
	struct buf text;
	FILE *file = fopen(path, "w");

	fputs("precious", file);
	fclose(file);
	begin(&protocol_openai_chat);
	talk_answer(&talk, HELLO);
	options.tape_path = path;
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	CHECK(talk_said(&talk, "never overwritten"), "%s", buf_z(&talk.events));
	CU_ASSERT_EQUAL(talk.asked, 0);
	buf_init(&text, 1000);
	read_all(path, &text);
	CHECK_STR(buf_str(&text), "precious");
	buf_fini(&text);
	mem_free(path);
	end();
}

/* Bytes after the end mark are on the tape, too. */
static void the_tape_goes_on_behind_the_end_mark(void)
{
	char *path = talk_path("behind");
	struct buf text = { 0 };

	begin(&protocol_openai_chat);
	talk_answer(&talk, SSE "{\"t\":1,\"body\":\"data: {\\\"error\\\":{\\\"message\\\":\\\"broken\\\"}}\\n\\n\"}\n" CHAT_DONE(100) END(101, "closed"));
	options.tape_path = path;
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_ERROR, "");
	while (http_is_busy(talk.http))
		talk_turn(&talk);
	exchange_free(talk.exchange);
	talk.exchange = NULL;
	read_all(path, &text);
	CHECK(str_find(buf_str(&text), STR("[DONE]")) < text.len, "%s", buf_z(&text));
	buf_fini(&text);
	mem_free(path);
	end();
}

static char long_answer[500000];

/* The turn continues; only the tape is cut. */
static void a_full_tape_breaks_off(void)
{
	char *path = talk_path("full");
	struct error err = { "" };
	struct tape *tape = NULL;

	begin(&protocol_openai_chat);
	strcpy(long_answer, SSE);
	for (int i = 0; i < 2000; i++)
		strcat(long_answer, CHAT_TEXT(1, "Hello"));
	strcat(long_answer, CHAT_STOP(2) CHAT_DONE(3) END(4, "closed"));
	talk_answer(&talk, long_answer);
	options.tape_path = path;
	options.tape_bytes = 3000;
	talk_run(&talk, &options);
	CU_ASSERT_EQUAL(summary_outcome(talk.summary), OUTCOME_COMPLETE);
	CU_ASSERT_EQUAL(summary_text(talk.summary).len, 10000);
	CHECK(talk_said(&talk, "the tape is full"), "%s", buf_z(&talk.events));
	CHECK_STR(exchange_tape_error(talk.exchange), "");
	CHECK_STR(exchange_tape_path(talk.exchange), path);
	CHECK(tape_open(&tape, path, &err), "%s", err.text);
	CU_ASSERT(tape_length(tape) >= 3 && tape_length(tape) < 1000);
	CU_ASSERT_EQUAL(tape_at(tape, tape_length(tape) - 1).how, END_CUT);
	tape_free(tape);
	mem_free(path);
	end();
}

/* The exchange does not wait for what the server sends after the answer. */
/* How much of it comes before the connection is closed depends on the machine. */
static void a_flood_behind_the_end_is_not_awaited(void)
{
	char *path = talk_path("flood");
	struct buf text = { 0 };

	begin(&protocol_openai_chat);
	strcpy(long_answer, SSE CHAT_TEXT(1, "Hello") CHAT_STOP(2) CHAT_DONE(3) "{\"t\":4,\"body\":\"");
	memset(long_answer + strlen(long_answer), 'x', 400000);
	strcat(long_answer, "\"}\n" END(100000, "closed"));
	talk_answer(&talk, long_answer);
	options.tape_path = path;
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "Hello");
	while (http_is_busy(talk.http))
		talk_turn(&talk);
	CHECK_STR(exchange_tape_error(talk.exchange), "");
	read_all(path, &text);
	CHECK(text.len < 200000 && str_ends(buf_str(&text), "\"end\":\"closed\"}\n"), "%zu bytes", text.len);
	buf_fini(&text);
	mem_free(path);
	end();
}

static void the_details_hold_no_key(void)
{
	struct buf details = { 0 };

	begin(&protocol_openai_chat);
	talk_set(&talk, "path", "/x?key=sk-in-the-url");
	talk_answer(&talk, REFUSAL(401, ERROR_JSON("Wrong key.")));
	talk_run(&talk, &options);
	exchange_details(talk.exchange, &details);
	CHECK(str_find(buf_str(&details), STR("HTTP 401\n")) < details.len, "%s", buf_z(&details));
	CHECK(str_find(buf_str(&details), STR("x-request-id: req-7\n")) < details.len, "%s", buf_z(&details));
	CHECK(str_find(buf_str(&details), STR("Wrong key.")) < details.len, "%s", buf_z(&details));
	CHECK(str_find(buf_str(&details), STR("sk-")) == details.len, "%s", buf_z(&details));
	CU_ASSERT(!talk_said(&talk, "sk-"));
	buf_fini(&details);
	end();
}

/* The server repeats the key, split between two reads. */
static void a_repeated_key_is_hidden(void)
{
	char *path = talk_path("repeated");
	struct buf text = { 0 };

	begin(&protocol_openai_chat);
	talk_answer(&talk, HEAD(401, "application/json") "{\"t\":1,\"body\":\"{\\\"error\\\":\\\"no: " TALK_KEY ", sk-test-01234567\"}\n"
	                   "{\"t\":150,\"body\":\"89abcdef!\\\"}\"}\n" END(151, "closed"));
	options.tape_path = path;
	talk_run(&talk, &options);
	CHECK_STR(summary_error(talk.summary)->message, "no: ************************, ************************!");
	CHECK(!talk_said(&talk, TALK_KEY), "%s", buf_z(&talk.events));
	exchange_details(talk.exchange, &text);
	CHECK(str_find(buf_str(&text), STR("sk-test")) == text.len, "%s", buf_z(&text));
	exchange_free(talk.exchange);
	talk.exchange = NULL;
	read_all(path, &text);
	CHECK(str_find(buf_str(&text), STR("no: ********")) < text.len, "%s", buf_z(&text));
	CHECK(str_find(buf_str(&text), STR("sk-test")) == text.len && str_find(buf_str(&text), STR("89abcdef")) == text.len, "%s", buf_z(&text));
	buf_fini(&text);
	mem_free(path);
	end();
}

/* The same within an answer. */
static void a_key_in_an_answer_is_hidden(void)
{
	char *path = talk_path("said");
	struct buf text = { 0 };

	begin(&protocol_openai_chat);
	talk_answer(&talk, HEAD(200, "text/event-stream")
	                   "{\"t\":1,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"it is sk-test-01234567\"}\n"
	                   "{\"t\":50,\"body\":\"89abcdef.\\\"},\\\"finish_reason\\\":\\\"stop\\\"}]}\\n\\ndata: [DONE]\\n\\n\"}\n"
	                   END(51, "closed"));
	options.tape_path = path;
	talk_run(&talk, &options);
	TALK_EXPECT(&talk, OUTCOME_COMPLETE, "it is ************************.");
	exchange_free(talk.exchange);
	talk.exchange = NULL;
	read_all(path, &text);
	CHECK(str_find(buf_str(&text), STR("sk-test")) == text.len && str_find(buf_str(&text), STR("89abcdef")) == text.len, "%s", buf_z(&text));
	buf_fini(&text);
	mem_free(path);
	end();
}

const struct suite suite_exchange_tape = { "exchange_tape", (const struct test[]){
	TEST(a_tape_gives_the_same_summary),
	TEST(sending_again_starts_the_tape_over),
	TEST(a_large_request_is_made_in_parts),
	TEST(stopped_while_it_is_made_it_is_not_recorded),
	TEST(a_tape_is_never_overwritten),
	TEST(the_tape_goes_on_behind_the_end_mark),
	TEST(a_full_tape_breaks_off),
	TEST(a_flood_behind_the_end_is_not_awaited),
	TEST(the_details_hold_no_key),
	TEST(a_repeated_key_is_hidden),
	TEST(a_key_in_an_answer_is_hidden),
	{ 0 },
} };
