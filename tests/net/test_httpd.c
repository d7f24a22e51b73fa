#include "net/httpd.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/os/other_end.h"
#include "support/check.h"
#include "support/connect.h"

#define HOST "Host: localhost\r\n"

/* A server whose answers the test gives, and a raw client. One request at a time. */
struct room {
	struct httpd *httpd;
	int client;
	struct buf seen;
	bool closed;
	/* of the last request */
	struct visit *visit;      /* NULL: there is none, or it is over */
	struct buf body, trailers;
	unsigned begun, wholes, rooms;
	bool keeps, takes;        /* whether its body is kept, and taken as it comes */
};

static void *room_begin(void *ctx, struct visit *v, const struct request_head *head)
{
	struct room *room = ctx;

	(void)head;
	room->visit = v;
	room->begun++;
	buf_clear(&room->body);
	buf_clear(&room->trailers);
	if (room->keeps)
		CU_ASSERT_TRUE(visit_keep(v));
	return room;
}

static void room_take(struct room *room)
{
	char bytes[1000];
	size_t count;

	while ((count = visit_take(room->visit, bytes, sizeof bytes)))
		buf_add(&room->body, str_of(bytes, count));
}

static void room_body(void *answer, struct str bytes)
{
	struct room *room = answer;

	CU_ASSERT(bytes.len > 0);
	if (room->takes)
		room_take(room);
}

static void room_whole(void *answer, struct str trailers)
{
	struct room *room = answer;

	room->wholes++;
	buf_add(&room->trailers, trailers);
}

static void room_room(void *answer)
{
	((struct room *)answer)->rooms++;
}

static void room_free(void *answer)
{
	((struct room *)answer)->visit = NULL;
}

static const struct httpd_ops ops = { .begin = room_begin, .body = room_body, .whole = room_whole, .room = room_room, .free = room_free };

static void room_open(struct room *room)
{
	struct error err;

	*room = (struct room){ .takes = true };
	CU_ASSERT_FATAL(httpd_open(&room->httpd, 0, &ops, room, &err));
	room->client = connect_to(httpd_port(room->httpd));
}

static void room_close(struct room *room)
{
	close(room->client);
	httpd_free(room->httpd);
	CU_ASSERT_PTR_NULL(room->visit);
	buf_fini(&room->seen);
	buf_fini(&room->body);
	buf_fini(&room->trailers);
}

static void ask(const struct room *room, const char *request)
{
	CU_ASSERT_EQUAL(send(room->client, request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
}

static void turn(struct room *room)
{
	struct pollfd fds[1 + WATCH_MOST] = { { .fd = room->client, .events = POLLIN } };
	size_t fd_count = 1 + httpd_fds(room->httpd, fds + 1, WATCH_MOST);
	char bytes[65536];
	ssize_t count;

	poll(fds, fd_count, 1);
	httpd_run(room->httpd, 0);
	while ((count = recv(room->client, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
		buf_add(&room->seen, str_of(bytes, (size_t)count));
	room->closed |= count == 0;
}

/* Runs until `condition` holds. */
#define AWAIT(room, condition) \
	do { \
		int64_t until_ms = check_now_ms() + CHECK_PATIENCE_MS; \
		while (!(condition) && check_now_ms() < until_ms) \
			turn(room); \
		CHECK((condition), "%s", buf_z(&(room)->seen)); \
	} while (0)

static bool saw(const struct room *room, const char *text)
{
	return str_find(buf_str(&room->seen), str_from(text)) < room->seen.len;
}

static const struct response_header fields[] = { { { "Date", 4 }, { "now", 3 } }, { { "X-A", 3 }, { "b", 1 } } };
static const struct response_header trailer[] = { { { "X-T", 3 }, { "t", 1 } } };

static void answer(struct room *room, unsigned status, int64_t length, const char *body)
{
	visit_send_interim(room->visit, &(struct visit_head){ .status = 103, .length = -1 });
	visit_send_head(room->visit, &(struct visit_head){ .status = status, .fields = fields, .field_count = 2, .length = length });
	visit_send(room->visit, str_from(body));
	visit_end(room->visit, trailer, 1);
}

/* --- responses --- */

static void the_end_of_a_response_is_told(void)
{
	static const struct { const char *request; unsigned status; int64_t length; const char *body, *seen; } cases[] = {
		{ "GET / HTTP/1.1\r\n", 200, 4, "body", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nDate: now\r\nX-A: b\r\nContent-Length: 4\r\n\r\nbody" },
		{ "GET / HTTP/1.1\r\n", 299, -1, "body",
		  "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 299 \r\nDate: now\r\nX-A: b\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nX-T: t\r\n\r\n" },
		{ "GET / HTTP/1.1\r\nConnection: close\r\n", 200, 4, "body and more",
		  "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nDate: now\r\nX-A: b\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody" },
		{ "GET / HTTP/1.0\r\nConnection: keep-alive\r\n", 200, -1, "body", "HTTP/1.1 200 OK\r\nDate: now\r\nX-A: b\r\nConnection: close\r\n\r\nbody" },
		{ "HEAD / HTTP/1.1\r\n", 200, 4, "body", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nDate: now\r\nX-A: b\r\nContent-Length: 4\r\n\r\n" },
		{ "HEAD / HTTP/1.1\r\n", 200, -1, "body", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nDate: now\r\nX-A: b\r\n\r\n" },
		{ "GET / HTTP/1.1\r\n", 204, 4, "body", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\nDate: now\r\nX-A: b\r\n\r\n" },
		{ "GET / HTTP/1.1\r\n", 304, 4, "body", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 304 Not Modified\r\nDate: now\r\nX-A: b\r\nContent-Length: 4\r\n\r\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct room room;
		bool closes = strstr(cases[i].request, "1.0") || strstr(cases[i].request, "close");

		room_open(&room);
		ask(&room, cases[i].request);
		ask(&room, HOST "\r\n");
		AWAIT(&room, room.visit);
		answer(&room, cases[i].status, cases[i].length, cases[i].body);
		AWAIT(&room, !room.visit && room.seen.len >= strlen(cases[i].seen) && room.closed == closes);
		CHECK_STR(buf_str(&room.seen), cases[i].seen);
		room_close(&room);
	}
}

/* Names and values of others: what is no field, or concerns one connection, or is for a browser, is left out. */
static void heads_hold_what_they_may(void)
{
	const struct response_header odd[] = { { STR("X Y"), STR("a") }, { STR("X"), STR("a\r\nSet-Cookie: b") }, { STR("connection"), STR("close") }, { STR("Content-Length"), STR("7") },
		{ STR("transfer-encoding"), STR("gzip") }, { STR("SET-COOKIE"), STR("a") }, { STR("Access-Control-Allow-Origin"), STR("*") }, { STR("date"), STR("then") } };
	struct room room;

	room_open(&room);
	ask(&room, "GET / HTTP/1.1\r\n" HOST "\r\n");
	AWAIT(&room, room.visit);
	visit_send_head(room.visit, &(struct visit_head){ .status = 200, .reason = STR("a\nb"), .fields = odd, .field_count = 8, .length = 0 });
	visit_end(room.visit, NULL, 0);
	AWAIT(&room, saw(&room, "\r\n\r\n"));
	CHECK_STR(buf_str(&room.seen), "HTTP/1.1 200 OK\r\ndate: then\r\nContent-Length: 0\r\n\r\n");
	room_close(&room);
}

/* A response that ends early is not complete for the client. */
static void what_breaks_off_is_not_ended(void)
{
	for (int i = 0; i < 3; i++) {
		struct room room;

		room_open(&room);
		ask(&room, "GET / HTTP/1.1\r\n" HOST "\r\n");
		AWAIT(&room, room.visit);
		visit_send_head(room.visit, &(struct visit_head){ .status = 200, .length = i ? -1 : 9 });
		visit_send(room.visit, STR("half"));
		if (i == 0)
			visit_end(room.visit, NULL, 0);
		else
			visit_break(room.visit, i == 2);
		AWAIT(&room, room.closed || i == 2);
		if (i == 2) {
			int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;
			char byte;

			while (room.visit && check_now_ms() < give_up_ms)
				httpd_run(room.httpd, 0);
			while (recv(room.client, &byte, 1, 0) > 0)
				buf_add_byte(&room.seen, byte);
			CU_ASSERT_FALSE(room.closed); /* but reset */
		}
		CHECK(saw(&room, "half") && !saw(&room, "0\r\n\r\n"), "%s", buf_z(&room.seen));
		room_close(&room);
	}
}

static void a_client_that_does_not_read_is_told_of(void)
{
	static char block[65536];
	struct room room;
	size_t sent = 0, read = 0;
	ssize_t count;

	memset(block, 'x', sizeof block);
	room_open(&room);
	ask(&room, "GET / HTTP/1.0\r\n\r\n");
	AWAIT(&room, room.visit);
	visit_send_head(room.visit, &(struct visit_head){ .status = 200, .length = -1 });
	while (!visit_is_full(room.visit)) {
		visit_send(room.visit, str_of(block, sizeof block));
		visit_flush(room.visit);
		sent += sizeof block;
	}
	CU_ASSERT_EQUAL(room.rooms, 0);
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;
	while (!room.rooms && check_now_ms() < give_up_ms) {
		count = recv(room.client, block, sizeof block, MSG_DONTWAIT);
		read += count > 0 ? (size_t)count : 0;
		httpd_run(room.httpd, 0);
	}
	CU_ASSERT(room.rooms == 1 && !visit_is_full(room.visit));
	visit_end(room.visit, NULL, 0);
	httpd_run(room.httpd, 0);
	do {
		httpd_run(room.httpd, 0);
		count = recv(room.client, block, sizeof block, room.visit ? MSG_DONTWAIT : 0);
		read += count > 0 ? (size_t)count : 0;
	} while (count);
	CHECK(read > sent && read < sent + 200, "%zu of %zu", read, sent);
	room_close(&room);
}

/* --- requests --- */

static void requests_come_one_after_the_other(void)
{
	struct room room;

	room_open(&room);
	ask(&room, "\r\nPOST /1 HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\nX-T: t\r\n\r\nGET /2 HTTP/1.1\r\n" HOST "\r\nPOST /3 HTTP/1.1\r\n" HOST
	           "Content-Length: 5\r\n\r\nthree");
	AWAIT(&room, room.wholes == 1);
	CHECK_STR(buf_str(&room.body), "one");
	CHECK_STR(buf_str(&room.trailers), "X-T: t\r\n");
	turn(&room);
	CU_ASSERT_EQUAL(room.begun, 1);
	answer(&room, 200, 1, "1");
	AWAIT(&room, room.wholes == 2);
	answer(&room, 200, 1, "2");
	AWAIT(&room, room.wholes == 3);
	CHECK_STR(buf_str(&room.body), "three");
	answer(&room, 200, 1, "3");
	AWAIT(&room, saw(&room, "\r\n\r\n3"));
	CU_ASSERT_FALSE(room.closed);
	room_close(&room);
}

/* More than the kernel and the server hold: it waits in the client, and comes when it is taken. */
static void a_body_waits_until_it_is_taken(void)
{
	enum { BYTES = 30000000 };
	static const char head[] = "POST / HTTP/1.1\r\n" HOST "Content-Length: 30000000\r\n\r\n";
	static char block[65536];
	struct room room;
	size_t sent = 0, taken = 0;
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;

	room_open(&room);
	room.takes = false;
	ask(&room, head);
	AWAIT(&room, room.visit);
	fcntl(room.client, F_SETFL, O_NONBLOCK);
	for (int quiet = 0; quiet < 100; quiet++) {
		ssize_t count = send(room.client, block, sizeof block, MSG_NOSIGNAL);

		sent += count > 0 ? (size_t)count : 0;
		quiet = count > 0 ? 0 : quiet;
		httpd_run(room.httpd, 0);
	}
	CHECK(sent < BYTES && !room.wholes, "%zu", sent);
	while (taken < BYTES && check_now_ms() < give_up_ms) {
		size_t rest = BYTES - sent;
		ssize_t count = rest ? send(room.client, block, rest < sizeof block ? rest : sizeof block, MSG_NOSIGNAL) : 0;

		sent += count > 0 ? (size_t)count : 0;
		httpd_run(room.httpd, 0);
		taken += visit_take(room.visit, block, sizeof block);
	}
	CU_ASSERT(taken == BYTES && room.wholes == 1 && visit_is_whole(room.visit));
	room_close(&room);
}

static void a_body_may_be_taken_again(void)
{
	struct room room;

	room_open(&room);
	room.keeps = true;
	ask(&room, "POST / HTTP/1.1\r\n" HOST "Content-Length: 8\r\n\r\nonly");
	AWAIT(&room, room.body.len == 4);
	CU_ASSERT_TRUE(visit_take_again(room.visit));
	ask(&room, "once");
	AWAIT(&room, room.wholes == 1);
	CHECK_STR(buf_str(&room.body), "onlyonlyonce");
	visit_forget(room.visit);
	CU_ASSERT_FALSE(visit_take_again(room.visit));
	room_close(&room);
}

static void what_is_no_request_is_refused_once(void)
{
	struct buf large = { 0 };
	struct room room;

	buf_add_z(&large, "GET / HTTP/1.1\r\nX: ");
	while (large.len < 2 * REQUEST_HEAD_BYTES_MOST)
		buf_add_byte(&large, 'x');
	for (int i = 0; i < 2; i++) {
		room_open(&room);
		ask(&room, i ? "GET / HTTP/1.1\nGET / HTTP/1.1\r\n" HOST "\r\n" : buf_z(&large));
		AWAIT(&room, saw(&room, "}}"));
		CHECK(saw(&room, i ? "HTTP/1.1 400 Bad Request\r\n" : "HTTP/1.1 431 Request Header Fields Too Large\r\n") && !room.begun, "%s", buf_z(&room.seen));
		shutdown(room.client, SHUT_WR);
		AWAIT(&room, room.closed);
		CHECK(str_find(str_skip(buf_str(&room.seen), 1), STR("HTTP/1.1")) == room.seen.len - 1, "%s", buf_z(&room.seen));
		room_close(&room);
	}
	buf_fini(&large);
}

/* The client has not sent all of its request, and sends on: it sees the response before the connection is closed. */
static void an_early_answer_is_not_lost(void)
{
	static char block[65536];
	struct room room;

	room_open(&room);
	room.takes = false;
	ask(&room, "POST / HTTP/1.1\r\n" HOST "Content-Length: 10000000\r\n\r\n");
	AWAIT(&room, room.visit);
	visit_refuse(room.visit, 403, "no");
	for (int i = 0; i < 20; i++) {
		CU_ASSERT(send(room.client, block, sizeof block, MSG_NOSIGNAL) > 0);
		httpd_run(room.httpd, 0);
	}
	AWAIT(&room, room.closed);
	CHECK(saw(&room, "HTTP/1.1 403 Forbidden\r\n") && saw(&room, "{\"error\":{\"message\":\"no\"}}"), "%s", buf_z(&room.seen));
	room_close(&room);
}

/* --- the other end --- */

/* An IPv6 socket that speaks IPv4. */
static int connect_mapped(unsigned port)
{
	struct sockaddr_in6 to = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port), .sin6_addr = { { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1 } } } };
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void a_client_that_left_is_told_from_one_that_waits(void)
{
	if (!other_end_is_known) {
		check_skip("POSIX has no table of sockets");
		return;
	}
	for (int mapped = 0; mapped < 2; mapped++) {
		struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
		socklen_t size = sizeof at;
		int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), client, server;
		char byte;

		CU_ASSERT_FATAL(bind(listener, (struct sockaddr *)&at, size) == 0 && listen(listener, 1) == 0 && getsockname(listener, (struct sockaddr *)&at, &size) == 0);
		client = mapped ? connect_mapped(ntohs(at.sin_port)) : connect_to(ntohs(at.sin_port));
		if (client < 0) {
			close(listener);
			check_skip("this machine has no IPv6");
			return;
		}
		server = accept(listener, NULL, NULL);
		CU_ASSERT_FALSE(other_end_is_closed(server));
		shutdown(client, SHUT_WR);
		CU_ASSERT_EQUAL(recv(server, &byte, 1, 0), 0);
		CU_ASSERT_FALSE(other_end_is_closed(server));
		close(client);
		CU_ASSERT_TRUE(other_end_is_closed(server));
		close(server);
		close(listener);
	}
}

const struct suite suite_httpd = { "httpd", (const struct test[]){
	TEST(the_end_of_a_response_is_told), TEST(heads_hold_what_they_may), TEST(what_breaks_off_is_not_ended),
	TEST(a_client_that_does_not_read_is_told_of), TEST(requests_come_one_after_the_other), TEST(a_body_waits_until_it_is_taken),
	TEST(a_body_may_be_taken_again), TEST(what_is_no_request_is_refused_once), TEST(an_early_answer_is_not_lost),
	TEST(a_client_that_left_is_told_from_one_that_waits), { 0 } } };
