#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loopback.h"
#include "support/check.h"

/*
 * A raw client beside a server that runs on a clock of the test's own: what is on the wire at a given time is exact.
 */
struct room {
	struct serve *serve;
	struct tape *tape;
	int client;
	struct buf seen;
	bool closed;
};

static const struct tape *always(void *ctx, const struct serve_request *request)
{
	(void)request;
	return ctx;
}

static int connect_to(unsigned port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	CU_ASSERT_FATAL(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
	return fd;
}

static void open_room(struct room *room, const char *tape, double speed)
{
	struct error err;

	*room = (struct room){ .tape = tape ? tape_of(tape) : NULL };
	buf_init(&room->seen, BUF_LIMIT_DEFAULT);
	CU_ASSERT_FATAL(serve_open(&room->serve, 0, speed, always, room->tape, &err));
	room->client = connect_to(serve_port(room->serve));
}

static void close_room(struct room *room)
{
	if (room->client >= 0)
		close(room->client);
	serve_free(room->serve);
	tape_free(room->tape);
	buf_fini(&room->seen);
}

static void ask(struct room *room, const char *request)
{
	CU_ASSERT_EQUAL(send(room->client, request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
}

/* Runs the server at this time, several times, as an event loop would; then reads what there is. */
static void at(struct room *room, int64_t now_ms)
{
	char bytes[65536];
	ssize_t count;

	for (int i = 0; i < 6; i++) {
		struct pollfd fd = { .fd = serve_fd(room->serve), .events = POLLIN };

		poll(&fd, 1, 1);
		serve_run(room->serve, now_ms);
		while ((count = recv(room->client, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
			buf_add(&room->seen, str_of(bytes, (size_t)count));
		room->closed |= count == 0;
	}
}

static bool saw(const struct room *room, const char *text)
{
	return str_find(buf_str(&room->seen), str_from(text)) < room->seen.len;
}

#define GET "GET /any?x=1 HTTP/1.1\r\nHost: h\r\n\r\n"
#define FIRST "{\"weir_tape\":1}\n"
#define HEAD "{\"t\":10,\"head\":{\"status\":207,\"content_type\":\"a/b\",\"headers\":{\"cf-ray\":\"7\",\"retry-after\":\"a\\nb\"}}}\n"
#define BODIES "{\"t\":20,\"body\":\"one\"}\n{\"t\":30,\"body\":\"two\"}\n"

static void sends_each_piece_when_it_is_due(void)
{
	struct room room;

	open_room(&room, FIRST HEAD BODIES "{\"t\":40,\"end\":\"closed\"}\n", 1.0);
	CU_ASSERT_EQUAL(serve_deadline(room.serve), NO_DEADLINE);
	ask(&room, GET);
	at(&room, 1000);
	CHECK_STR(buf_str(&room.seen), "");
	CU_ASSERT_EQUAL(serve_deadline(room.serve), 1010);
	at(&room, 1010);
	CU_ASSERT(str_starts(buf_str(&room.seen), "HTTP/1.1 207 "));
	CU_ASSERT(saw(&room, "content-type: a/b\r\n") && saw(&room, "cf-ray: 7\r\n") && str_ends(buf_str(&room.seen), "\r\n\r\n"));
	CU_ASSERT_FALSE(saw(&room, "retry-after"));
	CU_ASSERT_EQUAL(serve_deadline(room.serve), 1020);
	at(&room, 1019);
	CU_ASSERT(str_ends(buf_str(&room.seen), "\r\n\r\n"));
	at(&room, 1020);
	CU_ASSERT(str_ends(buf_str(&room.seen), "\r\n\r\n3\r\none\r\n"));
	at(&room, 1030);
	CU_ASSERT(str_ends(buf_str(&room.seen), "one\r\n3\r\ntwo\r\n"));
	at(&room, 1040);
	CU_ASSERT(str_ends(buf_str(&room.seen), "two\r\n0\r\n\r\n"));
	CU_ASSERT_FALSE(room.closed);
	CU_ASSERT_EQUAL(serve_deadline(room.serve), NO_DEADLINE);
	close_room(&room);
}

static void answers_again_on_the_same_connection(void)
{
	struct room room;

	open_room(&room, FIRST HEAD BODIES "{\"t\":40,\"end\":\"closed\"}\n", 0);
	for (int i = 0; i < 3; i++) {
		buf_clear(&room.seen);
		ask(&room, i == 1 ? "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" : GET);
		at(&room, 5);
		CU_ASSERT(saw(&room, "HTTP/1.1 207 ") && saw(&room, "onetwo") && str_ends(buf_str(&room.seen), "0\r\n\r\n"));
	}
	close_room(&room);
}

/* The tape's end, and what the client sees of it: the connection closed, and never the last chunk unless all was well. */
static void ends_as_the_tape_does(void)
{
	static const struct { const char *end; bool closed; } cases[] = {
		{ "{\"t\":40,\"end\":\"cut\"}\n", true }, { "{\"t\":40,\"end\":\"cancelled\"}\n", true }, { "", true },
		{ "{\"t\":40,\"end\":\"stalled\"}\n", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[500];
		struct room room;

		snprintf(text, sizeof text, FIRST HEAD BODIES "%s", cases[i].end);
		open_room(&room, text, 1.0);
		ask(&room, GET);
		for (int64_t now_ms = 0; now_ms < 100; now_ms += 10)
			at(&room, now_ms);
		CHECK(saw(&room, "3\r\ntwo\r\n") && !saw(&room, "0\r\n\r\n"), "case %zu", i);
		CHECK(room.closed == cases[i].closed, "case %zu", i);
		CHECK(serve_deadline(room.serve) == NO_DEADLINE, "case %zu", i);
		close_room(&room);
	}
}

static void may_end_before_any_answer(void)
{
	static const struct { const char *end; bool closed; } cases[] = { { "cut", true }, { "stalled", false } };

	for (size_t i = 0; i < 2; i++) {
		char text[100];
		struct room room;

		snprintf(text, sizeof text, FIRST "{\"t\":7,\"end\":\"%s\"}\n", cases[i].end);
		open_room(&room, text, 1.0);
		ask(&room, GET);
		at(&room, 0);
		CU_ASSERT_FALSE(room.closed);
		at(&room, 7);
		CHECK_STR(buf_str(&room.seen), "");
		CHECK(room.closed == cases[i].closed, "%s", cases[i].end);
		close_room(&room);
	}
}

/* MHD does not look at a suspended connection: that the client left must be seen all the same, at once. */
static void notices_that_the_client_left(void)
{
	static const char *const tapes[] = {
		FIRST "{\"t\":99999,\"head\":{\"status\":200}}\n", FIRST HEAD "{\"t\":99999,\"body\":\"x\"}\n", FIRST "{\"t\":1,\"end\":\"stalled\"}\n",
	};

	for (size_t i = 0; i < sizeof tapes / sizeof tapes[0]; i++) {
		struct room room;

		open_room(&room, tapes[i], 1.0);
		ask(&room, GET);
		at(&room, 0);
		at(&room, 10);
		CU_ASSERT_FALSE(room.closed);
		shutdown(room.client, SHUT_WR);
		at(&room, 20);
		CHECK(room.closed, "tape %zu", i);
		CU_ASSERT_EQUAL(serve_deadline(room.serve), NO_DEADLINE);
		close_room(&room);
	}
}

static void sniffs_the_type_of_plain_files(void)
{
	static const struct { const char *body, *type; } cases[] = {
		{ "data: {}\n\n", "text/event-stream" }, { ": hello\n", "text/event-stream" }, { "{\"a\":1}\n", "application/json" },
		{ " {\"a\":1}\n{\"b\":2}\n", "application/x-ndjson" }, { "[{\"a\":1}", "application/json" },
		{ "\xEF\xBB\xBF<html>", "text/html; charset=utf-8" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char header[100];
		struct room room;

		open_room(&room, cases[i].body, 1.0);
		ask(&room, "DELETE /x HTTP/1.0\r\n\r\n");
		at(&room, 0);
		snprintf(header, sizeof header, "content-type: %s\r\n", cases[i].type);
		CHECK(saw(&room, header) && saw(&room, " 200 "), "%s: %s", cases[i].body, buf_z(&room.seen));
		CHECK(str_ends(buf_str(&room.seen), cases[i].body) && room.closed, "%s", cases[i].body);
		close_room(&room);
	}
}

static void says_that_nothing_is_here(void)
{
	struct room room;

	open_room(&room, NULL, 1.0);
	ask(&room, GET);
	at(&room, 0);
	CU_ASSERT(saw(&room, "HTTP/1.1 404 ") && saw(&room, "application/json") && saw(&room, "{\"error\":{\"message\":"));
	close_room(&room);
}

static void stops_with_clients_connected(void)
{
	struct room room;

	open_room(&room, FIRST HEAD "{\"t\":99999,\"body\":\"x\"}\n", 1.0);
	ask(&room, GET);
	at(&room, 0);
	at(&room, 10);
	CU_ASSERT_EQUAL(serve_deadline(room.serve), 99999);
	serve_free(room.serve);
	room.serve = NULL;
	close_room(&room);
}

static void says_that_a_port_is_taken(void)
{
	struct room room;
	struct serve *second = NULL;
	struct error err = { "" };

	open_room(&room, NULL, 1.0);
	CU_ASSERT_FALSE(serve_open(&second, serve_port(room.serve), 1.0, always, NULL, &err));
	CU_ASSERT(str_has_nocase(str_from(err.text), STR("Address already in use")));
	CU_ASSERT_FALSE(serve_open(&second, 65536, 1.0, always, NULL, &err));
	CU_ASSERT(str_has_nocase(str_from(err.text), STR("65536")));
	close_room(&room);
}

const struct suite suite_serve = { "serve", (const struct test[]){
	TEST(sends_each_piece_when_it_is_due), TEST(answers_again_on_the_same_connection), TEST(ends_as_the_tape_does),
	TEST(may_end_before_any_answer), TEST(notices_that_the_client_left), TEST(sniffs_the_type_of_plain_files),
	TEST(says_that_nothing_is_here), TEST(stops_with_clients_connected), TEST(says_that_a_port_is_taken), { 0 } } };
