#include "support/hand.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"

#define LIMIT ((size_t)64 << 20)

struct hand {
	int listener, connection, aside;
	unsigned port;
	bool holds;
	struct buf request, body, settings, scratch, held;
};

struct hand *hand_new(void)
{
	struct hand *h = mem_new(sizeof *h);
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof at;

	h->connection = h->aside = -1;
	h->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(h->listener, (struct sockaddr *)&at, sizeof at) || listen(h->listener, 8) || getsockname(h->listener, (struct sockaddr *)&at, &len))
		abort();
	h->port = ntohs(at.sin_port);
	buf_init(&h->request, LIMIT);
	buf_init(&h->body, LIMIT);
	buf_init(&h->settings, LIMIT);
	buf_init(&h->scratch, LIMIT);
	buf_init(&h->held, LIMIT);
	return h;
}

void hand_free(struct hand *h)
{
	if (!h)
		return;
	hand_close(h);
	hand_swap(h);
	hand_close(h);
	close(h->listener);
	buf_fini(&h->request);
	buf_fini(&h->body);
	buf_fini(&h->settings);
	buf_fini(&h->scratch);
	buf_fini(&h->held);
	mem_free(h);
}

unsigned hand_port(const struct hand *h) { return h->port; }
const char *hand_head(const struct hand *h) { return buf_z(&h->request); }
const char *hand_body(const struct hand *h) { return buf_z(&h->body); }

bool hand_head_has(const struct hand *h, const char *line)
{
	struct str rest = buf_str(&h->request), one;

	while (str_split(&rest, '\n', &one))
		if (str_is_nocase(str_trim(one), line))
			return true;
	return false;
}

/* --- requests --- */

static bool is_readable(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	return fd >= 0 && poll(&wait, 1, CHECK_PATIENCE_MS) > 0;
}

static bool read_more(struct hand *h)
{
	char bytes[16384];

	if (!is_readable(h->connection))
		return false;
	ssize_t n = recv(h->connection, bytes, sizeof bytes, 0);
	return n > 0 && buf_add(&h->request, str_of(bytes, (size_t)n));
}

static size_t announced_length(const struct hand *h)
{
	const char *at = strcasestr(buf_z(&h->request), "\r\nContent-Length:");

	return at ? (size_t)strtoul(at + 17, NULL, 10) : 0;
}

static bool read_request(struct hand *h)
{
	static const char blank[] = "\r\n\r\n";
	size_t end;

	buf_clear(&h->request);
	buf_clear(&h->body);
	while ((end = str_find(buf_str(&h->request), STR("\r\n\r\n"))) == h->request.len)
		if (!read_more(h))
			return false;
	end += sizeof blank - 1;
	size_t length = announced_length(h);
	if (length && strcasestr(buf_z(&h->request), "Expect: 100-continue"))
		hand_send(h, "HTTP/1.1 100 Continue\r\n\r\n");
	while (h->request.len < end + length)
		if (!read_more(h))
			return false;
	buf_add(&h->body, str_skip(buf_str(&h->request), end));
	buf_remove(&h->request, end, h->request.len - end);
	return true;
}

/* It was closed before its first byte. */
static bool is_port_probe(int fd)
{
	char byte;

	return is_readable(fd) && recv(fd, &byte, 1, MSG_PEEK) <= 0;
}

bool hand_accept(struct hand *h)
{
	bool came;

	do { /* a connection that carried nothing was a port probe (net/port_probe.h) */
		hand_close(h);
		came = is_readable(h->listener);
		h->connection = came ? accept(h->listener, NULL, NULL) : -1;
	} while (h->connection >= 0 && is_port_probe(h->connection));
	if (came) {
		came = h->connection >= 0 && read_request(h);
		/* A client that never reads fails a test, but must not block it for ever. */
		setsockopt(h->connection, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){ .tv_sec = CHECK_PATIENCE_MS / 1000 }, sizeof(struct timeval));
	}
	CU_ASSERT_TRUE(came);
	return came;
}

void hand_swap(struct hand *h)
{
	int connection = h->connection;

	h->connection = h->aside;
	h->aside = connection;
}

bool hand_is_left(struct hand *h)
{
	char bytes[256];
	bool left = false;

	while (!left && is_readable(h->connection))
		left = recv(h->connection, bytes, sizeof bytes, 0) <= 0;
	CU_ASSERT_TRUE(left);
	return left;
}

/* --- responses --- */

void hand_hold(struct hand *h)
{
	h->holds = true;
}

void hand_release(struct hand *h)
{
	h->holds = false;
	hand_send_bytes(h, buf_str(&h->held));
	buf_clear(&h->held);
}

void hand_send_bytes(struct hand *h, struct str bytes)
{
	if (h->holds) {
		buf_add(&h->held, bytes);
		return;
	}
	while (bytes.len && h->connection >= 0) {
		ssize_t n = send(h->connection, bytes.ptr, bytes.len, MSG_NOSIGNAL);

		CHECK(n >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK), "the client does not read");
		if (n < 0 && errno != EINTR)
			return;
		bytes = str_skip(bytes, n > 0 ? (size_t)n : 0);
	}
}

void hand_send(struct hand *h, const char *bytes)
{
	hand_send_bytes(h, str_from(bytes));
}

void hand_close(struct hand *h)
{
	if (h->connection >= 0)
		close(h->connection);
	h->connection = -1;
}

void hand_answer(struct hand *h, int status, const char *content_type)
{
	buf_clear(&h->scratch);
	buf_printf(&h->scratch, "HTTP/1.1 %d Answer\r\nContent-Type: %s\r\nConnection: close\r\n\r\n", status, content_type);
	hand_send_bytes(h, buf_str(&h->scratch));
}

void hand_reply(struct hand *h, int status, const char *content_type, const char *body)
{
	hand_answer(h, status, content_type);
	hand_send(h, body);
	hand_close(h);
}

void hand_begin(struct hand *h)
{
	hand_answer(h, 200, "text/event-stream");
	hand_delta(h, "{\"role\":\"assistant\",\"content\":\"\"}");
}

void hand_delta(struct hand *h, const char *json)
{
	struct buf frame;

	buf_init(&frame, LIMIT);
	buf_printf(&frame, "data: {\"id\":\"chatcmpl-hand\",\"object\":\"chat.completion.chunk\",\"model\":\"m-1\","
	                   "\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":null}]}\n\n", json);
	hand_send_bytes(h, buf_str(&frame));
	buf_fini(&frame);
}

static void send_member(struct hand *h, const char *name, const char *text)
{
	struct buf delta;

	buf_init(&delta, LIMIT);
	buf_printf(&delta, "{\"%s\":\"", name);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\' || (unsigned char)*text < 0x20)
			buf_printf(&delta, "\\u%04x", *text);
		else
			buf_add_byte(&delta, *text);
	}
	buf_add_z(&delta, "\"}");
	hand_delta(h, buf_z(&delta));
	buf_fini(&delta);
}

void hand_text(struct hand *h, const char *text) { send_member(h, "content", text); }
void hand_reasoning(struct hand *h, const char *text) { send_member(h, "reasoning_content", text); }

void hand_finish(struct hand *h, const char *reason)
{
	buf_clear(&h->scratch);
	buf_printf(&h->scratch, "data: {\"id\":\"chatcmpl-hand\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"%s\"}]}\n\n"
	                        "data: {\"id\":\"chatcmpl-hand\",\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":34,\"total_tokens\":46}}\n\n"
	                        "data: [DONE]\n\n", reason);
	hand_send_bytes(h, buf_str(&h->scratch));
	hand_close(h);
}

void hand_whole(struct hand *h, const char *text, const char *reason)
{
	hand_begin(h);
	hand_text(h, text);
	hand_finish(h, reason);
}

void hand_counted(struct hand *h, const char *text, const char *end)
{
	hand_begin(h);
	hand_text(h, text);
	hand_send(h, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
	hand_send(h, end);
	hand_close(h);
}

void hand_say(struct hand *h, const char *text)
{
	if (hand_accept(h))
		hand_whole(h, text, "stop");
}

const char *hand_settings(const struct hand *h, const char *more)
{
	struct buf *out = (struct buf *)&h->settings;

	buf_clear(out);
	buf_printf(out, "provider = hand\n[provider hand]\nprotocols = openai-chat, anthropic\nbase_url = http://127.0.0.1:%u/v1\n"
	                "auth = none\nmodel = m-1\nretries = 0\n%s", h->port, more);
	return buf_z(out);
}
