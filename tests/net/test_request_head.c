#include "net/request_head.h"

#include <stdio.h>
#include <string.h>

#include "support/check.h"

#define TEXT(literal) { literal, sizeof(literal) - 1 }

#define HOST "Host: localhost\r\n"
#define GET "GET / HTTP/1.1\r\n" HOST

/* The status with which a head is refused; 0: it is accepted. */
static unsigned status_of(struct str text)
{
	struct request_refusal refusal = { 0 };
	struct request_head head;
	bool good = request_head_read(&head, text, &refusal);

	request_head_fini(&head);
	CHECK(good == !refusal.status && good == !refusal.sentence, "%.*s", STR_ARG(text));
	return refusal.status;
}

static void what_can_be_read_in_two_ways_is_refused(void)
{
	static const struct { unsigned status; struct str head; } cases[] = {
		{ 0, TEXT(GET "\r\n") },
		{ 0, TEXT(GET "Content-Length: 12\r\n\r\n") },
		{ 0, TEXT(GET "transfer-ENCODING: Chunked \r\n\r\n") },
		{ 0, TEXT(GET "X-Empty:\r\nX_Under: a\tb \xC3\xA4\r\n\r\n") },
		{ 0, TEXT("M-SEARCH!#$%&'*+.^_`|~9 /%20?a=b&c=\"<> HTTP/1.1\r\n" HOST "\r\n") },
		{ 0, TEXT("GET / HTTP/1.0\r\n\r\n") },
		/* blanks and folds */
		{ 400, TEXT(GET "Transfer-Encoding : chunked\r\n\r\n") },
		{ 400, TEXT(GET "Content-Length\t: 4\r\n\r\n") },
		{ 400, TEXT(GET "X: a\r\n b\r\n\r\n") },
		{ 400, TEXT(GET "X: a\r\n\tTransfer-Encoding: chunked\r\n\r\n") },
		{ 400, TEXT("GET / HTTP/1.1\r\n " HOST "\r\n") },
		{ 400, TEXT(GET " \r\n\r\n") },
		{ 400, TEXT(" GET / HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GET  / HTTP/1.1\r\n" HOST "\r\n") },
		{ 505, TEXT("GET / HTTP/1.1 \r\n" HOST "\r\n") },
		{ 400, TEXT("GET\t/ HTTP/1.1\r\n" HOST "\r\n") },
		/* names and methods */
		{ 400, TEXT("GE\001T / HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GE(T / HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("G\xC3\x84T / HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GE\0T / HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT(GET ": a\r\n\r\n") },
		{ 400, TEXT(GET "X(): a\r\n\r\n") },
		{ 400, TEXT(GET "X\0: a\r\n\r\n") },
		{ 400, TEXT(GET "X\x80: a\r\n\r\n") },
		{ 400, TEXT(GET "\"X\": a\r\n\r\n") },
		{ 400, TEXT(GET "no colon\r\n\r\n") },
		/* values */
		{ 400, TEXT(GET "X: a\0b\r\n\r\n") },
		{ 400, TEXT(GET "X: a\x7F\r\n\r\n") },
		{ 400, TEXT(GET "X: a\x1B[2J\r\n\r\n") },
		{ 400, TEXT("CONNECT / HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("connect /v1 HTTP/1.1\r\n" HOST "\r\n") },
		/* line ends */
		{ 400, TEXT("GET / HTTP/1.1\nHost: localhost\r\n\r\n") },
		{ 400, TEXT(GET "X: a\nY: b\r\n\r\n") },
		{ 400, TEXT(GET "X: a\rY: b\r\n\r\n") },
		{ 400, TEXT(GET "X: a\r\r\n\r\n") },
		{ 400, TEXT(GET "X: a\r\n\n") },
		/* how long the body is */
		{ 400, TEXT(GET "Content-Length: 1\r\nContent-Length: 1\r\n\r\n") },
		{ 400, TEXT(GET "Content-Length: 1\r\nContent-Length: 2\r\n\r\n") },
		{ 400, TEXT(GET "Content-Length: 1, 1\r\n\r\n") },
		{ 400, TEXT(GET "Content-Length: +1\r\n\r\n") },
		{ 400, TEXT(GET "Content-Length: -1\r\n\r\n") },
		{ 400, TEXT(GET "Content-Length: 0x1\r\n\r\n") },
		{ 400, TEXT(GET "Content-Length: 1 2\r\n\r\n") },
		{ 400, TEXT(GET "Content-Length:\r\n\r\n") },
		{ 400, TEXT(GET "Content-Length: 9999999999999999999\r\n\r\n") },
		{ 400, TEXT(GET "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n") },
		{ 400, TEXT(GET "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n") },
		{ 400, TEXT(GET "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n") },
		{ 501, TEXT(GET "Transfer-Encoding: chunked, chunked\r\n\r\n") },
		{ 501, TEXT(GET "Transfer-Encoding: gzip, chunked\r\n\r\n") },
		{ 501, TEXT(GET "Transfer-Encoding: identity\r\n\r\n") },
		{ 501, TEXT(GET "Transfer-Encoding: xchunked\r\n\r\n") },
		{ 501, TEXT(GET "Transfer-Encoding:\r\n\r\n") },
		{ 400, TEXT(GET "Content_Length: 4\r\n\r\n") },
		{ 400, TEXT(GET "transfer_ENCODING: chunked\r\n\r\n") },
		{ 400, TEXT("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") },
		/* targets */
		{ 400, TEXT("GET localhost:80 HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("OPTIONS * HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GET @evil/ HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GET https://localhost/ HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GET http://localhost HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GET /a#b HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GET /\xC3\xA4 HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GET /\x7F HTTP/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GET  HTTP/1.1\r\n" HOST "\r\n") },
		/* hosts */
		{ 400, TEXT("GET / HTTP/1.1\r\n\r\n") },
		{ 400, TEXT(GET HOST "\r\n") },
		{ 400, TEXT(GET "hOST: evil\r\n\r\n") },
		/* versions */
		{ 505, TEXT("GET / HTTP/2.0\r\n" HOST "\r\n") },
		{ 505, TEXT("GET / HTTP/1.2\r\n" HOST "\r\n") },
		{ 505, TEXT("GET / HTTP/01.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GET / http/1.1\r\n" HOST "\r\n") },
		{ 400, TEXT("GET /\r\n" HOST "\r\n") },
		{ 417, TEXT(GET "Expect: 200-ok\r\n\r\n") },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK(status_of(cases[i].head) == cases[i].status, "%.*s: %u", STR_ARG(cases[i].head), status_of(cases[i].head));
}

/* The head is found complete at the same byte, however it comes; a line with another end completes it, so that it is refused at once. */
static void its_end_is_found_at_every_cut(void)
{
	static const struct { struct str bytes; size_t length; } cases[] = {
		{ TEXT(GET "\r\nGET"), sizeof GET - 1 + 2 }, { TEXT(GET "X: a\n\r\n"), sizeof GET - 1 + 5 }, { TEXT("\nGET"), 1 }, { TEXT(GET "\r"), 0 }, { TEXT(GET "\n\r\n"), sizeof GET },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct str all = cases[i].bytes;

		for (size_t cut = 0; cut <= all.len; cut++) {
			size_t early = request_head_length(str_head(all, cut), 0), length = early ? early : request_head_length(all, cut);

			CHECK(length == cases[i].length, "case %zu, cut %zu: %zu", i, cut, length);
		}
	}
}

static void parts_are_told(void)
{
	static const char text[] = "POST http://127.0.0.1:80/a/b?c HTTP/1.1\r\nhost: localhost\r\nEXPECT: 100-Continue\r\nConnection: x, Close\r\nContent-Length: 007\r\nX-A: \t1 2\t \r\n\r\n";
	struct request_refusal refusal = { 0 };
	struct request_head head;

	CU_ASSERT_TRUE(request_head_read(&head, str_from(text), &refusal));
	CHECK_STR(head.method, "POST");
	CHECK_STR(head.path, "/a/b?c");
	CHECK_STR(head.authority, "127.0.0.1:80");
	CHECK_STR(head.host, "localhost");
	CHECK_STR(request_head_value(&head, "x-a"), "1 2");
	CU_ASSERT(head.minor == 1 && head.has_body && !head.is_chunked && head.length == 7 && !head.keeps && head.expects);
	request_head_fini(&head);
}

static void there_may_not_be_too_many_headers(void)
{
	struct buf text = { 0 };

	buf_add_z(&text, GET);
	for (int i = 0; i < REQUEST_FIELDS_MOST; i++)
		buf_printf(&text, "X-%d: a\r\n", i);
	buf_add_z(&text, "\r\n");
	CU_ASSERT_EQUAL(status_of(buf_str(&text)), 431);
	buf_fini(&text);
}

const struct suite suite_request_head = { "request_head", (const struct test[]){
	TEST(what_can_be_read_in_two_ways_is_refused), TEST(its_end_is_found_at_every_cut), TEST(parts_are_told),
	TEST(there_may_not_be_too_many_headers), { 0 } } };
