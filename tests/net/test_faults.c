/* Failures below HTTP: for each kind, the callbacks and the error message. */
#include <string.h>

#include "loopback.h"
#include "support/check.h"
#include "support/faulty.h"

#define SSE "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
#define CHUNKED SSE "Transfer-Encoding: chunked\r\n\r\n"
#define HEAD "head 200 text/event-stream\n"
#define EARLY "closed the connection before the end of the answer"
#define NOTHING "closed the connection without an answer"
#define UNCONNECTED "Connection reset by peer (check that the server runs, and the base URL)"

struct fault_case {
	const char *what, *script;
	const char *log;    /* the recorder's log; "one|other": either (versions of libcurl) */
	const char *words;  /* contained in the message, for recorder_says(); there is one if the end is cut */
};

static const struct fault_case cases[] = {
	/* before the response */
	{ "closed at once", FAULTY_AT_ONCE, "end cut\n", NOTHING },
	{ "reset at once", FAULTY_AT_ONCE FAULTY_RESET, "end cut\n", NOTHING "|" UNCONNECTED }, /* the reset may come before curl has connected */
	{ "closed behind the request", "", "end cut\n", NOTHING },
	{ "reset behind the request", FAULTY_RESET, "end cut\n", NOTHING },
	{ "half closed behind the request", FAULTY_HALF, "end cut\n", NOTHING },

	/* the head */
	{ "closed in the status line", "HTTP/1.1 20", "end cut\n", NOTHING },
	{ "reset in the status line", "HTTP/1.1 20" FAULTY_REST FAULTY_RESET, "end cut\n", NOTHING },
	{ "closed in a header", SSE "X-Conte", "end cut\n", NOTHING },
	{ "reset in a header", SSE "X-Conte" FAULTY_REST FAULTY_RESET, "end cut\n", NOTHING },
	{ "no HTTP", "hello\n", "end cut\n", "does not answer in HTTP" },
	{ "an SSH server", FAULTY_AT_ONCE "SSH-2.0-OpenSSH_9.2\r\n", "end cut\n", "does not answer in HTTP" },
	{ "a TLS server's alert", "\025\003\003\0002\002\062", "end cut\n", "https://" },
	{ "no status", "HTTP/1.1\r\n\r\n", "end cut\n", "answer" },
	{ "a status that is none", "HTTP/1.1 abc OK\r\n\r\n", "end cut\n", "answer" },
	{ "another protocol", "ICY 200 OK\r\n\r\n", "end cut\n", "does not answer in HTTP" },
	{ "HTTP 9", "HTTP/9.1 200 OK\r\n\r\n", "end cut\n", "answer" },
	{ "a NUL in a header", SSE "X: a" FAULTY_NUL "b\r\n\r\ntext", "end cut\n", "answer" },
	{ "a header without end", SSE "X: " FAULTY_FILL(400000) "\r\n\r\ntext", "end cut\n", "a header is larger than" },
	{ "headers beyond 300 KB", SSE "X: " FAULTY_FILL(90000) "\r\nX: " FAULTY_FILL(90000) "\r\nX: " FAULTY_FILL(90000) "\r\nX: "
	  FAULTY_FILL(90000) "\r\n\r\ntext", "end cut\n", "its headers are larger than 300 KB" },
	{ "headers below 300 KB", SSE "X: " FAULTY_FILL(90000) "\r\nX: " FAULTY_FILL(90000) "\r\n\r\ntext", HEAD "body text\nend closed\n", "" },
	{ "byte by byte", FAULTY_BYTES SSE "\r\ntext", HEAD "body text\nend closed\n", "" },
	{ "slow headers", "HTTP/1.1 200 " FAULTY_REST "OK\r\nContent-Type:" FAULTY_REST " text/event-stream\r\n" FAULTY_REST "\r\n" FAULTY_REST "text",
	  HEAD "body text\nend closed\n", "" },
	{ "line ends without CR", "HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\ntext", HEAD "body text\nend closed\n", "" },
	{ "no reason phrase", "HTTP/1.1 200\r\nContent-Type: text/event-stream\r\n\r\ntext", HEAD "body text\nend closed\n", "" },
	{ "a header without a colon", SSE "nonsense\r\n\r\ntext", "end cut\n", "Header without colon" },
	{ "two content types", SSE "Content-Type: text/html\r\n\r\ntext", HEAD "body text\nend closed\n", "" },

	/* interim responses, responses without a body, redirects */
	{ "100 unasked", "HTTP/1.1 100 Continue\r\n\r\n" SSE "\r\ntext", HEAD "body text\nend closed\n", "" },
	{ "102, 103, then the answer", "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" SSE "\r\ntext", HEAD "body text\nend closed\n", "" },
	{ "100 and no more", "HTTP/1.1 100 Continue\r\n\r\n", "end cut\n", NOTHING },
	{ "101 unasked", "HTTP/1.1 101 Switching\r\n\r\n", "end cut\n", NOTHING },
	{ "204", "HTTP/1.1 204 No Content\r\nContent-Type: a/b\r\n\r\nignored", "head 204 a/b\nend closed\n", "" },
	{ "304", "HTTP/1.1 304 Not Modified\r\nContent-Type: a/b\r\n\r\nignored", "head 304 a/b\nend closed\n", "" },
	{ "302", "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Type: a/b\r\nContent-Length: 4\r\n\r\ngone",
	  "head 302 a/b\nbody gone\nend closed\n", "" },
	{ "307", "HTTP/1.1 307 Found\r\nLocation: //127.0.0.1:1/\r\nContent-Type: a/b\r\nContent-Length: 4\r\n\r\ngone",
	  "head 307 a/b\nbody gone\nend closed\n", "" },

	/* lengths */
	{ "a length, kept", SSE "Content-Length: 4\r\n\r\ntext", HEAD "body text\nend closed\n", "" },
	{ "a length too long", SSE "Content-Length: 9\r\n\r\nshort", HEAD "body short\nend cut\n", EARLY },
	{ "a length too short", SSE "Content-Length: 2\r\n\r\ntext", HEAD "body te\nend closed\n", "" },
	{ "a length of 0", SSE "Content-Length: 0\r\n\r\ntext", HEAD "end closed\n", "" },
	{ "a negative length", SSE "Content-Length: -4\r\n\r\ntext", "end cut\n", "Content-Length" },
	{ "a length that is no number", SSE "Content-Length: four\r\n\r\ntext", "end cut\n", "Content-Length" },
	{ "a length beyond 64 bits", SSE "Content-Length: 99999999999999999999\r\n\r\ntext", HEAD "body text\nend closed\n", "" },
	/* since libcurl 8.17 refused; before, the last one was the length */
	{ "two lengths", SSE "Content-Length: 4\r\nContent-Length: 3\r\n\r\ntext", HEAD "body tex\nend closed\n|end cut\n", "Content-Length" },
	{ "closed behind the head", SSE "Content-Length: 4\r\n\r\n", HEAD "end cut\n", EARLY },
	{ "reset behind the head", SSE "Content-Length: 4\r\n\r\n" FAULTY_REST FAULTY_RESET, HEAD "end cut\n", EARLY },
	{ "reset in the body", SSE "Content-Length: 9\r\n\r\ntext" FAULTY_REST FAULTY_RESET, HEAD "body text\nend cut\n", EARLY },
	{ "reset behind the length", SSE "Content-Length: 4\r\n\r\ntext" FAULTY_REST FAULTY_RESET, HEAD "body text\nend closed\n", "" },
	{ "no length: closed", SSE "\r\ntext", HEAD "body text\nend closed\n", "" },
	{ "no length: half closed", SSE "\r\ntext" FAULTY_HALF, HEAD "body text\nend closed\n", "" },
	{ "no length: reset", SSE "\r\ntext" FAULTY_REST FAULTY_RESET, HEAD "body text\nend cut\n", EARLY },
	{ "HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\ntext", HEAD "body text\nend closed\n", "" },

	/* chunks */
	{ "chunks", CHUNKED "2\r\nte\r\n2\r\nxt\r\n0\r\n\r\n", HEAD "body text\nend closed\n", "" },
	{ "chunks byte by byte", FAULTY_BYTES CHUNKED "2\r\nte\r\n2\r\nxt\r\n0\r\n\r\n", HEAD "body text\nend closed\n", "" },
	{ "a chunk with extensions", CHUNKED "4;a=b;c\r\ntext\r\n0\r\n\r\n", HEAD "body text\nend closed\n", "" },
	{ "sizes with zeros and capitals", CHUNKED "000A\r\n0123456789\r\n0\r\n\r\n", HEAD "body 0123456789\nend closed\n", "" },
	{ "trailers", CHUNKED "4\r\ntext\r\n0\r\nX-Late: y\r\n\r\n", HEAD "body text\nend closed\n", "" },
	{ "no last chunk", CHUNKED "4\r\ntext\r\n", HEAD "body text\nend cut\n", EARLY },
	{ "no last line", CHUNKED "4\r\ntext\r\n0\r\n", HEAD "body text\nend cut\n", EARLY },
	{ "closed in a chunk", CHUNKED "9\r\ntext", HEAD "body text\nend cut\n", EARLY },
	{ "reset in a chunk", CHUNKED "9\r\ntext" FAULTY_REST FAULTY_RESET, HEAD "body text\nend cut\n", EARLY },
	{ "closed in a size", CHUNKED "4\r\ntext\r\n1", HEAD "body text\nend cut\n", EARLY },
	{ "a size that is none", CHUNKED "4\r\ntext\r\nzz\r\n", HEAD "body text\nend cut\n", "hunk" },
	{ "an empty size", CHUNKED "4\r\ntext\r\n\r\n", HEAD "body text\nend cut\n", "hunk" },
	{ "a negative size", CHUNKED "-4\r\ntext\r\n0\r\n\r\n", HEAD "end cut\n", "hunk" },
	{ "a size beyond 64 bits", CHUNKED "11111111111111111\r\ntext\r\n0\r\n\r\n", HEAD "end cut\n", "hunk" },
	{ "a chunk longer than its size", CHUNKED "2\r\ntext\r\n0\r\n\r\n", HEAD "body te\nend cut\n", "hunk" },
	{ "garbage behind the last chunk", CHUNKED "4\r\ntext\r\n0\r\n\r\nHTTP/1.1 garbage", HEAD "body text\nend closed\n", "" },
	{ "a length and chunks", SSE "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ntext\r\n0\r\n\r\n", HEAD "body text\nend closed\n", "" },
	{ "an unknown transfer encoding", SSE "Transfer-Encoding: rot13\r\n\r\ntext", HEAD "end cut\n|end cut\n", "cannot be unpacked" },

	/* compressed without being requested */
	{ "an unknown content encoding", SSE "Content-Encoding: rot13\r\n\r\ntext", HEAD "end cut\n", "cannot be unpacked" },
	{ "no gzip in gzip", SSE "Content-Encoding: gzip\r\n\r\ntext", HEAD "end cut\n", "cannot be unpacked" },
	{ "identity", SSE "Content-Encoding: identity\r\n\r\ntext", HEAD "body text\nend closed\n", "" },
};

static bool is_one_of(struct str log, const char *expected)
{
	struct str rest = str_from(expected), one;
	bool is = false;

	while (str_split(&rest, '|', &one))
		is |= str_equal(log, one);
	return is;
}

static void check_case(struct http *http, const struct fault_case *c)
{
	struct faulty *server = FAULTY_ONE(c->script);
	struct loop loop = { .http = http };
	struct recorder r;
	struct source *source;

	recorder_init(&r);
	source = loop_post(&loop, faulty_port(server), "/secret?key=K", STR("{}"), &r);
	loop_until(&loop, &r.ends, 1);
	source_free(source);
	CHECK(is_one_of(buf_str(&r.log), c->log), "%s: %s", c->what, buf_z(&r.log));
	CHECK(!r.detail.len == str_ends(buf_str(&r.log), "end closed\n"), "%s: %s", c->what, buf_z(&r.detail));
	CHECK(!r.detail.len || (*c->words && recorder_says(&r, c->words)), "%s: %s", c->what, buf_z(&r.detail));
	CHECK(!r.detail.len || strstr(buf_z(&r.detail), "127.0.0.1:"), "%s: %s", c->what, buf_z(&r.detail));
	CHECK(!strstr(buf_z(&r.detail), "secret"), "%s: %s", c->what, buf_z(&r.detail));
	CHECK(faulty_accepted(server) == 1, "%s: %u connections", c->what, faulty_accepted(server));
	recorder_fini(&r);
	faulty_free(server);
}

static void every_fault_ends_as_it_should(void)
{
	struct http *http = http_new();

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check_case(http, &cases[i]);
	http_free(http);
}

const struct suite suite_faults = { "faults", (const struct test[]){ TEST(every_fault_ends_as_it_should), { 0 } } };
