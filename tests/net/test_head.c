#include <string.h>

#include "net/head.h"
#include "support/check.h"

/* Feeds lines separated by LF. Returns true when the last one completes a head. */
static bool feed(struct head_reader *reader, const char *lines, struct response_head *head)
{
	struct str rest = str_from(lines), line;
	bool whole = false;

	head_reader_init(reader);
	while (str_split(&rest, '\n', &line))
		whole = head_reader_line(reader, line, head);
	return whole;
}

static void reads_a_head(void)
{
	struct head_reader reader;
	struct response_head head;

	CU_ASSERT(feed(&reader, "HTTP/1.1 429 Too Many\r\nContent-Type:  text/event-stream \r\nX-REQUEST-ID:r1\r\nEmpty:\r\nno colon\r\n folded\r\n\r\n", &head));
	CU_ASSERT_EQUAL(head.status, 429);
	CHECK_STR(head.content_type, "text/event-stream");
	CHECK_STR(head_value(&head, "x-request-id"), "r1");
	CU_ASSERT_PTR_NOT_NULL(head_value(&head, "empty").ptr);
	CU_ASSERT_EQUAL(head.header_count, 3);
	CU_ASSERT_PTR_NULL(head_value(&head, "absent").ptr);
	head_reader_fini(&reader);
}

static void finds_the_request_id(void)
{
	static const struct { const char *head, *id; } rows[] = {
		{ "HTTP/1.1 200\ncf-ray: 7\nrequest-id: r\n\n", "r" }, { "HTTP/1.1 200\ncf-ray: 7\nx-request-id:\n\n", "7" },
		{ "HTTP/1.1 200\nx-should-retry: yes\n\n", "" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct head_reader reader;
		struct response_head head;

		CU_ASSERT(feed(&reader, rows[i].head, &head));
		CHECK_STR(head_request_id(&head), rows[i].id);
		head_reader_fini(&reader);
	}
}

static void skips_interim_heads_and_trailers(void)
{
	struct head_reader reader;
	struct response_head head;

	CU_ASSERT(feed(&reader, "HTTP/1.1 100 Continue\r\nA: 1\r\n\r\nHTTP/1.1 103 Early\r\n\r\nHTTP/2 200\r\nB: 2\r\n\r\n", &head));
	CU_ASSERT_EQUAL(head.status, 200);
	CU_ASSERT_EQUAL(head.header_count, 1);
	CU_ASSERT_FALSE(head_reader_line(&reader, STR("Trailer: x\r\n"), &head));
	CU_ASSERT_FALSE(head_reader_line(&reader, STR("\r\n"), &head));
	CHECK_STR(head_value(&head, "b"), "2");
	head_reader_fini(&reader);
}

static void needs_a_status(void)
{
	struct head_reader reader;
	struct response_head head;

	CU_ASSERT_FALSE(feed(&reader, "HTTP/1.1 nothing\r\nA: 1\r\n\r\n", &head));
	head_reader_fini(&reader);
	CU_ASSERT_FALSE(feed(&reader, "A: 1\r\n\r\n", &head));
	head_reader_fini(&reader);
}

static void stops_at_the_ceiling(void)
{
	static char line[70000];
	struct head_reader reader;
	struct response_head head;

	memset(line, 'v', sizeof line - 1);
	line[0] = 'N';
	line[1] = ':';
	head_reader_init(&reader);
	head_reader_line(&reader, STR("HTTP/1.1 200 OK\r\n"), &head);
	for (int i = 0; i < 10; i++)
		head_reader_line(&reader, str_from(line), &head);
	CU_ASSERT(head_reader_line(&reader, STR("\r\n"), &head));
	CU_ASSERT_EQUAL(head.header_count, HEAD_LIMIT / (sizeof line - 2));
	head_reader_fini(&reader);
}

static void lists_what_may_be_kept(void)
{
	static const char *const kept[] = { "x-request-id", "request-id", "retry-after-ms", "x-ratelimit-remaining-tokens",
		                            "anthropic-ratelimit-requests-reset", "cf-ray" };
	static const char *const dropped[] = { "set-cookie", "authorization", "x-api-key", "date", "x-request-id-2", "x-ratelimit", "" };

	static const char *const sending[] = { "cache-control", "content-encoding", "content-length", "x-accel-buffering" };

	for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
		CHECK(head_is_listed(str_from(kept[i])) && head_is_taped(str_from(kept[i])), "%s", kept[i]);
	for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++)
		CHECK(!head_is_listed(str_from(dropped[i])) && !head_is_taped(str_from(dropped[i])), "%s", dropped[i]);
	for (size_t i = 0; i < sizeof sending / sizeof sending[0]; i++)
		CHECK(head_is_taped(str_from(sending[i])) && !head_is_listed(str_from(sending[i])), "%s", sending[i]);
}

const struct suite suite_head = { "head", (const struct test[]){
	TEST(reads_a_head), TEST(finds_the_request_id), TEST(skips_interim_heads_and_trailers), TEST(needs_a_status), TEST(stops_at_the_ceiling),
	TEST(lists_what_may_be_kept), { 0 } } };
