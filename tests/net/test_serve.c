#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os/other_end.h"
#include "loopback.h"
#include "net/httpd.h"
#include "support/check.h"
#include "support/clock.h"
#include "support/connect.h"

/* A raw client beside a server with a clock set by the test: what has been sent at a given time is exact. */
struct room {
	struct serve *serve;
	struct tape *tape;
	int client;
	struct buf seen;
	bool closed;
	bool crowded; /* other clients leave bytes unread, or no descriptor is free: the kernel's tables do not tell */
};

static const struct tape *always(void *ctx, const struct serve_request *request)
{
	(void)request;
	return ctx;
}

static void open_room(struct room *room, const char *tape, double speed)
{
	struct error err;

	*room = (struct room){ .tape = tape ? tape_of(tape) : NULL };
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

/* Runs the server once at this time if it is due, as an event loop would, and reads. Returns true when there may be more. */
static bool turn(struct room *room, int64_t now_ms)
{
	struct pollfd fds[WATCH_MOST];
	char bytes[65536];
	ssize_t count;
	bool moved = poll(fds, serve_fds(room->serve, fds, WATCH_MOST), 1) > 0;

	if (moved || serve_deadline(room->serve) <= now_ms)
		serve_run(room->serve, now_ms);
	while ((count = recv(room->client, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
		buf_add(&room->seen, str_of(bytes, (size_t)count));
		moved = true;
	}
	room->closed |= count == 0;
	return moved || (!room->closed && !room->crowded && !clock_is_safe_to_turn());
}

/* Runs until nothing changes any more. */
static void at(struct room *room, int64_t now_ms)
{
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;

	for (int quiet = 0, most = room->crowded ? 20 : 3; quiet < most && check_now_ms() < give_up_ms;)
		quiet = turn(room, now_ms) ? 0 : quiet + 1;
}

/* Waits for the server to close the connection: nothing else reports it. */
static bool closes(struct room *room, int64_t now_ms)
{
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;

	while (!room->closed && check_now_ms() < give_up_ms)
		turn(room, now_ms);
	return room->closed;
}

static bool saw(const struct room *room, const char *text)
{
	return str_find(buf_str(&room->seen), str_from(text)) < room->seen.len;
}

#define GET "GET /any?x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
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
	CU_ASSERT_EQUAL(serve_deadline(room.serve), 1040 + HTTPD_IDLE_MS);
	close_room(&room);
}

static void answers_again_on_the_same_connection(void)
{
	struct room room;

	open_room(&room, FIRST HEAD BODIES "{\"t\":40,\"end\":\"closed\"}\n", 0);
	for (int i = 0; i < 3; i++) {
		buf_clear(&room.seen);
		ask(&room, i == 1 ? "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc" : GET);
		at(&room, 5);
		CU_ASSERT(saw(&room, "HTTP/1.1 207 ") && saw(&room, "onetwo") && str_ends(buf_str(&room.seen), "0\r\n\r\n"));
	}
	close_room(&room);
}

/* The tape's end as the client sees it: the connection is closed, and the last chunk is sent only if the stream was complete. */
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
		CHECK(cases[i].closed ? closes(&room, 100) : !room.closed, "case %zu", i);
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
		CHECK(cases[i].closed ? closes(&room, 7) : !room.closed, "%s", cases[i].end);
		close_room(&room);
	}
}

static void notices_that_the_client_left(void)
{
	static const char *const tapes[] = {
		FIRST "{\"t\":99999,\"head\":{\"status\":200}}\n", FIRST HEAD "{\"t\":99999,\"body\":\"x\"}\n", FIRST "{\"t\":99999,\"end\":\"stalled\"}\n",
	};

	if (!other_end_is_known) {
		check_skip("POSIX has no table of sockets: the next write tells");
		return;
	}
	for (size_t i = 0; i < sizeof tapes / sizeof tapes[0]; i++) {
		int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;
		struct room room;

		open_room(&room, tapes[i], 1.0);
		ask(&room, GET);
		at(&room, 0);
		at(&room, 10);
		CHECK(serve_answer_deadline(room.serve) == 99999, "tape %zu", i);
		close(room.client);
		room.client = -1;
		while (serve_answer_deadline(room.serve) != NO_DEADLINE && check_now_ms() < give_up_ms)
			serve_run(room.serve, 20);
		CHECK(serve_deadline(room.serve) == NO_DEADLINE, "tape %zu", i);
		close_room(&room);
	}
}

/* It waits for the answer, and has nothing more to send. */
static void answers_a_client_that_has_closed_its_sending_half(void)
{
	struct room room;

	open_room(&room, FIRST HEAD "{\"t\":5000,\"body\":\"late\"}\n{\"t\":5000,\"end\":\"closed\"}\n", 1.0);
	room.crowded = true; /* half a connection is never at rest in the kernel's table */
	ask(&room, GET);
	shutdown(room.client, SHUT_WR);
	for (int64_t now_ms = 0; now_ms <= 6000; now_ms += 500)
		at(&room, now_ms);
	CHECK(saw(&room, "late") && closes(&room, 6000), "%s", buf_z(&room.seen));
	close_room(&room);
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
		CHECK(str_ends(buf_str(&room.seen), cases[i].body) && closes(&room, 0), "%s", cases[i].body);
		close_room(&room);
	}
}

static void answers_404_without_a_tape(void)
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

/* --- access --- */

static void only_loopback_hosts_are_answered(void)
{
	static const struct { const char *request; const char *status; } cases[] = {
		{ "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "207" },
		{ "GET / HTTP/1.1\r\nHost: LocalHost:80\r\n\r\n", "207" },
		{ "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "207" },
		{ "GET / HTTP/1.1\r\nhost:127.9.8.7:65535 \r\n\r\n", "207" },
		{ "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "207" },
		{ "GET / HTTP/1.1\r\nHost: [0:0:0:0:0:0:0:1]\r\n\r\n", "207" },
		{ "GET / HTTP/1.0\r\n\r\n", "207" },
		{ "GET / HTTP/1.1\r\n\r\n", "400" },
		{ "GET / HTTP/1.1\r\nHost:\r\n\r\n", "421" },
		{ "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421" },
		{ "GET / HTTP/1.0\r\nHost: evil.example\r\n\r\n", "421" },
		{ "GET / HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", "421" },
		{ "GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n\r\n", "421" },
		{ "GET / HTTP/1.1\r\nHost: localhost:80@evil.example\r\n\r\n", "421" },
		{ "GET / HTTP/1.1\r\nHost: 128.0.0.1\r\n\r\n", "421" },
		{ "GET / HTTP/1.1\r\nHost: 0.0.0.0\r\n\r\n", "421" },
		{ "GET / HTTP/1.1\r\nHost: [::2]\r\n\r\n", "421" },
		{ "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", "421" },
		{ "GET / HTTP/1.1\r\nHost: [::1].evil.example\r\n\r\n", "421" },
		{ "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", "400" },
		{ "POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}", "421" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct room room;
		bool answered = strcmp(cases[i].status, "207") == 0;

		open_room(&room, FIRST HEAD BODIES "{\"t\":40,\"end\":\"closed\"}\n", 0);
		ask(&room, cases[i].request);
		at(&room, 0);
		CHECK(str_starts(str_skip(buf_str(&room.seen), sizeof "HTTP/1.1" - 1), " ") &&
		      str_starts(str_skip(buf_str(&room.seen), sizeof "HTTP/1.1 " - 1), cases[i].status), "%s%s", cases[i].request, buf_z(&room.seen));
		CHECK(saw(&room, "two") == answered, "%s%s", cases[i].request, buf_z(&room.seen));
		if (strcmp(cases[i].status, "421") == 0)
			CHECK(saw(&room, "the header Host names another host"), "%s", buf_z(&room.seen));
		close_room(&room);
	}
}

/* A browser would let a page of another origin ask, and hide the response from it unless a header allows it. None does. */
static void pages_of_other_origins_are_not_answered(void)
{
	static const char *const requests[] = {
		"GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n\r\n",
		"OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n",
	};

	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
		struct room room;

		open_room(&room, FIRST "{\"t\":1,\"head\":{\"status\":200,\"headers\":{\"access-control-allow-origin\":\"*\"}}}\n", 0);
		ask(&room, requests[i]);
		at(&room, 0);
		CHECK(saw(&room, "HTTP/1.1 403 ") && !str_has_nocase(buf_str(&room.seen), STR("access-control")), "%s", buf_z(&room.seen));
		close_room(&room);
	}
}

/* --- idle connections --- */

static void closes_connections_without_a_request(void)
{
	static const struct { const char *name, *first, *last; bool ends; } cases[] = {
		{ "no byte", "", "", true },
		{ "half a head", "GET / HT", "", true },
		{ "a head that drips", "GET / HT", "TP/1.1\r\n", true },
		{ "half a body", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc", "", true },
		{ "a body that goes on", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc", "def", false },
		{ "after an answer", GET, "", true },
		{ "after another answer", GET, GET, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct room room;

		open_room(&room, "data: x\n\n", 0);
		at(&room, 0);
		ask(&room, cases[i].first);
		at(&room, 0);
		CHECK(serve_deadline(room.serve) == HTTPD_IDLE_MS, "%s", cases[i].name);
		at(&room, HTTPD_IDLE_MS - 1);
		CHECK(!room.closed, "%s", cases[i].name);
		ask(&room, cases[i].last);
		at(&room, HTTPD_IDLE_MS - 1);
		at(&room, HTTPD_IDLE_MS);
		CHECK(room.closed == cases[i].ends, "%s", cases[i].name);
		at(&room, 2 * HTTPD_IDLE_MS);
		CHECK(room.closed, "%s", cases[i].name);
		CHECK(serve_deadline(room.serve) == NO_DEADLINE, "%s", cases[i].name);
		close_room(&room);
	}
}

static void never_ends_an_answer_that_waits(void)
{
	struct room room;

	open_room(&room, FIRST HEAD "{\"t\":9000000,\"body\":\"late\"}\n{\"t\":9000000,\"end\":\"stalled\"}\n", 1.0);
	ask(&room, GET);
	at(&room, 0);
	at(&room, 8999999);
	CU_ASSERT_FALSE(room.closed);
	at(&room, 9000000);
	CU_ASSERT(saw(&room, "late"));
	at(&room, 99000000);
	CU_ASSERT_FALSE(room.closed);
	close_room(&room);
}

/* --- no room for connections --- */

#define FILES_MOST 1000

/* While it lasts, only `count` descriptors can be opened, and those that are closed. */
struct shortage {
	struct rlimit before;
	int plugs[FILES_MOST]; /* fill the free descriptors below the limit */
	size_t count;
};

static void begin_shortage(struct shortage *s, unsigned left)
{
	int last = FILES_MOST;

	*s = (struct shortage){ .count = 0 };
	getrlimit(RLIMIT_NOFILE, &s->before);
	while (fcntl(last, F_GETFD) < 0)
		last--;
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)last + 1, s->before.rlim_max });
	while ((s->plugs[s->count] = dup(STDERR_FILENO)) >= 0)
		s->count++;
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)last + 1 + left, s->before.rlim_max }), 0);
}

static void end_shortage(struct shortage *s)
{
	setrlimit(RLIMIT_NOFILE, &s->before);
	while (s->count)
		close(s->plugs[--s->count]);
}

static bool is_closed(int fd)
{
	char byte;

	return recv(fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) == 0;
}

static bool is_answered(struct room *room, int64_t now_ms)
{
	buf_clear(&room->seen);
	ask(room, GET);
	at(room, now_ms);
	return saw(room, "HTTP/1.1 200 ");
}

#define MANY 90

/* Descriptors run out and all clients leave: the next client is answered. */
static void accepts_again_when_descriptors_are_free(void)
{
	for (int left = 0; left < 12; left++) {
		struct room room;
		struct shortage shortage;
		int clients[MANY];

		open_room(&room, "data: x\n\n", 0);
		for (size_t i = 0; i < MANY; i++)
			clients[i] = connect_to(serve_port(room.serve));
		begin_shortage(&shortage, (unsigned)left);
		serve_run(room.serve, 0);
		for (size_t i = 0; i < MANY; i++) {
			if (i % 8 == 0)
				serve_run(room.serve, 0);
			shutdown(clients[i], SHUT_RDWR);
		}
		end_shortage(&shortage);
		for (size_t i = 0; i < MANY; i++)
			close(clients[i]);
		CHECK(is_answered(&room, 1000), "%d descriptors", left);
		close_room(&room);
	}
}

static void the_longest_idle_is_closed(void)
{
	struct room room;
	struct shortage shortage;
	int old, young;

	open_room(&room, "data: x\n\n", 0);
	room.crowded = true;
	at(&room, 0);
	old = connect_to(serve_port(room.serve));
	at(&room, 10);
	young = connect_to(serve_port(room.serve));
	at(&room, 20);
	CU_ASSERT(is_answered(&room, 30));
	close(room.client);
	at(&room, 40);
	room.client = connect_to(serve_port(room.serve));
	begin_shortage(&shortage, 0);
	buf_clear(&room.seen);
	ask(&room, GET);
	at(&room, 10 + HTTPD_GRACE_MS - 1);
	CU_ASSERT(!room.seen.len && !is_closed(old) && !is_closed(young));
	CU_ASSERT_EQUAL(serve_deadline(room.serve), 10 + HTTPD_GRACE_MS);
	at(&room, 10 + HTTPD_GRACE_MS);
	CU_ASSERT(is_closed(old) && !is_closed(young));
	CU_ASSERT(saw(&room, "HTTP/1.1 200 "));
	end_shortage(&shortage);
	close(old);
	close(young);
	close_room(&room);
}

/* Half of the descriptors are for connections; other files of the process use the other half. */
static void answers_do_not_close_idle_connections(void)
{
	enum { DESCRIPTORS = 40, PLACES = DESCRIPTORS / 2 };
	struct room room;
	struct rlimit before;
	int clients[PLACES];

	getrlimit(RLIMIT_NOFILE, &before);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ DESCRIPTORS, before.rlim_max }), 0);
	open_room(&room, FIRST HEAD "{\"t\":1,\"end\":\"stalled\"}\n", 0);
	room.crowded = true;
	setrlimit(RLIMIT_NOFILE, &before);
	ask(&room, GET);
	for (size_t i = 1; i < PLACES; i++) {
		clients[i] = connect_to(serve_port(room.serve));
		CU_ASSERT_EQUAL(send(clients[i], GET, strlen(GET), MSG_NOSIGNAL), (ssize_t)strlen(GET));
	}
	at(&room, 0);
	clients[0] = connect_to(serve_port(room.serve));
	CU_ASSERT_EQUAL(send(clients[0], GET, strlen(GET), MSG_NOSIGNAL), (ssize_t)strlen(GET));
	at(&room, 99000000);
	CU_ASSERT_FALSE(room.closed);
	CU_ASSERT(recv(clients[0], (char[1]){ 0 }, 1, MSG_DONTWAIT | MSG_PEEK) < 0);
	CU_ASSERT_EQUAL(serve_deadline(room.serve), NO_DEADLINE);
	close(clients[1]);
	at(&room, 99000000);
	CU_ASSERT(recv(clients[0], (char[1]){ 0 }, 1, MSG_DONTWAIT | MSG_PEEK) == 1);
	for (size_t i = 0; i < PLACES; i++)
		if (i != 1)
			close(clients[i]);
	close_room(&room);
}

/* --- large requests --- */

static void upload(struct room *room, int fd, size_t bytes)
{
	char *block = mem_new((size_t)1 << 20);

	while (bytes) {
		ssize_t sent = send(fd, block, bytes < (size_t)1 << 20 ? bytes : (size_t)1 << 20, MSG_DONTWAIT | MSG_NOSIGNAL);

		bytes -= sent > 0 ? (size_t)sent : 0;
		serve_run(room->serve, 0);
	}
	mem_free(block);
}

/* Sends bytes, then runs the server until it responds: the kernel delays what was sent. */
static void upload_and_wait(struct room *room, int fd, size_t bytes)
{
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;

	upload(room, fd, bytes);
	while (!saw(room, "\r\n\r\n") && check_now_ms() < give_up_ms)
		turn(room, 0);
}

static bool answers(struct room *room, int fd)
{
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;
	bool came = false;

	while (!came && check_now_ms() < give_up_ms) {
		turn(room, 0);
		came = recv(fd, (char[1]){ 0 }, 1, MSG_DONTWAIT) == 1;
	}
	return came;
}

#define POST_40_MB "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 41943040\r\n\r\n"

static void bodies_have_a_limit_together(void)
{
	struct room room;
	int other;

	open_room(&room, "data: x\n\n", 0);
	room.crowded = true;
	other = connect_to(serve_port(room.serve));
	CU_ASSERT_EQUAL(send(other, POST_40_MB, strlen(POST_40_MB), MSG_NOSIGNAL), (ssize_t)strlen(POST_40_MB));
	upload(&room, other, 41943039);
	at(&room, 0);
	ask(&room, POST_40_MB);
	upload_and_wait(&room, room.client, 41943040);
	CHECK(saw(&room, "HTTP/1.1 503 ") && saw(&room, "larger than 64 MB together"), "%s", buf_z(&room.seen));
	upload(&room, other, 1);
	CU_ASSERT_TRUE(answers(&room, other));
	buf_clear(&room.seen);
	close(room.client); /* it was refused in the middle of its body */
	room.client = connect_to(serve_port(room.serve));
	ask(&room, POST_40_MB);
	upload_and_wait(&room, room.client, 41943040);
	CHECK(saw(&room, "HTTP/1.1 200 "), "%s", buf_z(&room.seen));
	close(other);
	close_room(&room);
}

const struct suite suite_serve = { "serve", (const struct test[]){
	TEST(sends_each_piece_when_it_is_due), TEST(answers_again_on_the_same_connection), TEST(ends_as_the_tape_does),
	TEST(may_end_before_any_answer), TEST(notices_that_the_client_left), TEST(answers_a_client_that_has_closed_its_sending_half), TEST(sniffs_the_type_of_plain_files),
	TEST(answers_404_without_a_tape), TEST(stops_with_clients_connected), TEST(says_that_a_port_is_taken),
	TEST(only_loopback_hosts_are_answered), TEST(pages_of_other_origins_are_not_answered), TEST(closes_connections_without_a_request),
	TEST(never_ends_an_answer_that_waits), TEST(accepts_again_when_descriptors_are_free), TEST(the_longest_idle_is_closed),
	TEST(answers_do_not_close_idle_connections), TEST(bodies_have_a_limit_together), { 0 } } };
