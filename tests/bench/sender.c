#include "bench/sender.h"

#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base64.h"
#include "bench/bench.h"
#include "bench/decode_streams.h"

#define REQUEST_MOST ((size_t)256 << 20)
#define SETTLE_NS 30000000 /* time for the program to process the last token before its CPU time is read */

static const char stream_head[] =
	"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n";
static const char model_list[] =
	"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"object\":\"list\",\"data\":[{\"id\":\"bench\"}]}";

/* An answer of Responses: a picture that is drawn, and text. */
#define RESPONSES_FIRST                                                                                                        \
	"data: {\"type\":\"response.created\",\"response\":{\"id\":\"r\",\"status\":\"in_progress\",\"output\":[]}}\n\n"                \
	"data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"id\":\"ig_1\",\"type\":\"image_generation_call\"}}\n\n" \
	"data: {\"type\":\"response.output_item.added\",\"output_index\":1,\"item\":{\"id\":\"m_1\",\"type\":\"message\"}}\n\n"
#define RESPONSES_BEFORE "data: {\"type\":\"response.output_text.delta\",\"output_index\":1,\"content_index\":0,\"delta\":\""
#define RESPONSES_AFTER "\"}\n\n"
#define RESPONSES_LAST "data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"status\":\"completed\",\"output\":[]}}\n\n"

unsigned sender_token(unsigned number, char text[TOKEN_BYTES_MOST])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	unsigned n = number % TOKEN_NUMBERS;
	int len = snprintf(text, TOKEN_BYTES_MOST, "%c%c%c%.*s ", digits[n / 1296], digits[n / 36 % 36], digits[n % 36], (int)(n % 3), "is");

	return (unsigned)len;
}

double sender_cpu_s(pid_t pid)
{
	clockid_t clock;
	struct timespec time;
	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time))
		return NAN;
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void sleep_until(int64_t ns)
{
	struct timespec until = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL))
		;
}

static void write_all(int fd, struct str bytes)
{
	while (bytes.len) {
		ssize_t n = send(fd, bytes.ptr, bytes.len, MSG_NOSIGNAL);

		if (n <= 0)
			return;
		bytes = str_skip(bytes, (size_t)n);
	}
}

/* What a table has before a token: the head before the first one of each table, the end of a row, the bar of a cell. In JSON. */
static void add_table_marks(const struct sender *s, struct buf *out, unsigned index)
{
	unsigned cells = s->cell_tokens ? index / s->cell_tokens : 0, all = SENDER_TABLE_ROWS * SENDER_TABLE_COLUMNS;

	if (!s->cell_tokens || index % s->cell_tokens)
		return;
	if (cells && cells % SENDER_TABLE_COLUMNS == 0)
		buf_add_z(out, "|\\n");
	if (cells % all == 0) {
		buf_add_z(out, "\\n\\n");
		for (int row = 0; row < 2; row++)
			for (int column = 0; column <= SENDER_TABLE_COLUMNS; column++)
				buf_add_z(out, column == SENDER_TABLE_COLUMNS ? "|\\n" : row ? "|---" : "| head ");
	}
	buf_add_z(out, "| ");
}

static void add_chunk(const struct sender *s, struct buf *out, unsigned number)
{
	char token[TOKEN_BYTES_MOST];
	unsigned len = sender_token(number, token);

	buf_add_z(out, s->partials.rate ? RESPONSES_BEFORE : BENCH_CHAT_BEFORE);
	add_table_marks(s, out, number - s->base);
	buf_add(out, str_of(token, len));
	buf_add_z(out, s->partials.rate ? RESPONSES_AFTER : BENCH_CHAT_AFTER);
}

static void make_picture(size_t bytes, struct buf *base64)
{
	struct buf picture = { 0 };

	giant_picture(bytes, &picture);
	base64_encode(buf_str(&picture), base64);
	buf_fini(&picture);
}

static void send_partial(int fd, unsigned number, struct str base64)
{
	char before[200];

	snprintf(before, sizeof before, "data: {\"type\":\"response.image_generation_call.partial_image\",\"output_index\":0,\"item_id\":\"ig_1\","
	         "\"partial_image_index\":%u,\"partial_image_b64\":\"", number);
	write_all(fd, str_from(before));
	write_all(fd, base64);
	write_all(fd, STR("\"}\n\n"));
}

static void send_paced(struct sender *s, int fd, struct buf *chunk)
{
	struct buf picture = { 0 };

	if (s->partials.rate)
		make_picture(s->partials.bytes, &picture);
	int64_t start = bench_now_ns();
	for (unsigned i = 0; i < s->count; i++) {
		if (s->partials.rate && i % (s->rate / s->partials.rate) == 0)
			send_partial(fd, i, buf_str(&picture));
		buf_clear(chunk);
		add_chunk(s, chunk, s->base + i);
		sleep_until(start + (int64_t)i * 1000000000 / s->rate);
		s->sent_ns[i] = bench_now_ns();
		write_all(fd, buf_str(chunk));
	}
	buf_fini(&picture);
}

static void send_at_once(struct sender *s, int fd, struct buf *all)
{
	buf_clear(all);
	for (unsigned i = 0; i < s->count; i++)
		add_chunk(s, all, s->base + i);
	int64_t now = bench_now_ns();
	for (unsigned i = 0; i < s->count; i++)
		s->sent_ns[i] = now;
	write_all(fd, buf_str(all));
}

/* Generated before the first byte is sent, so that the measurement does not include it. */
static void send_giant(struct sender *s, int fd)
{
	struct giant_wire wire;

	giant_wire_make(&wire, &s->giant);
	s->wire_bytes = wire.bytes.len;
	s->giant_ns = bench_now_ns();
	for (size_t i = 0; i < wire.count && s->giant.rate; i++) {
		struct str piece = str_skip(buf_str(&wire.bytes), wire.starts[i]);

		sleep_until(s->giant_ns + (int64_t)i * 1000000000 / s->giant.rate);
		write_all(fd, i + 1 < wire.count ? str_head(piece, wire.starts[i + 1] - wire.starts[i]) : piece);
	}
	if (!s->giant.rate)
		write_all(fd, buf_str(&wire.bytes));
	giant_wire_fini(&wire);
}

/* Returns when the program has been idle for a while; its clock ticks four times a second. */
static void await_rest(const struct sender *s)
{
	for (double before = -1, now = sender_cpu_s(s->watched); now - before > 0.004; now = sender_cpu_s(s->watched)) {
		before = now;
		sleep_until(bench_now_ns() + 10 * SETTLE_NS);
	}
}

static void send_tokens(struct sender *s, int fd, struct buf *bytes)
{
	sleep_until(bench_now_ns() + SETTLE_NS);
	s->cpu_first = sender_cpu_s(s->watched);
	if (s->rate)
		send_paced(s, fd, bytes);
	else
		send_at_once(s, fd, bytes);
	sleep_until(bench_now_ns() + SETTLE_NS);
	s->cpu_last = sender_cpu_s(s->watched);
}

static void answer(struct sender *s, int fd)
{
	struct buf bytes = { 0 };

	s->asked_ns = bench_now_ns();
	s->asked++;
	write_all(fd, str_from(stream_head));
	write_all(fd, s->partials.rate ? STR(RESPONSES_FIRST) : STR(BENCH_CHAT_FIRST));
	if (s->giant.kind)
		send_giant(s, fd);
	if (s->giant.kind && s->count)
		await_rest(s);
	if (s->count)
		send_tokens(s, fd, &bytes);
	write_all(fd, s->partials.rate ? STR(RESPONSES_LAST) : STR(BENCH_CHAT_LAST));
	buf_fini(&bytes);
	s->answered++;
}

/* Reads head and body. False if the peer has closed the connection. */
static bool read_request(int fd, struct buf *request)
{
	static char bytes[65536];
	size_t head = 0, body = 0;

	buf_clear(request);
	while (!head || request->len < head + body) {
		ssize_t n = recv(fd, bytes, sizeof bytes, 0);

		if (n <= 0 || !buf_add(request, str_of(bytes, (size_t)n)))
			return false;
		size_t end = str_find(buf_str(request), STR("\r\n\r\n"));
		if (head || end == request->len)
			continue;
		head = end + 4;
		const char *length = strcasestr(request->ptr, "\r\ncontent-length:");
		body = length ? strtoul(length + strlen("\r\ncontent-length:"), NULL, 10) : 0;
	}
	return true;
}

static void serve(struct sender *s, int listener)
{
	struct buf request;

	buf_init(&request, REQUEST_MOST);
	prctl(PR_SET_TIMERSLACK, 1);
	for (;;) {
		int one = 1, fd = accept(listener, NULL, NULL);

		if (fd < 0)
			continue;
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
		if (read_request(fd, &request) && str_starts(buf_str(&request), "POST"))
			answer(s, fd);
		else
			write_all(fd, str_from(model_list));
		close(fd);
	}
}

static int listen_on_loopback(unsigned *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) || listen(fd, 8) || getsockname(fd, (struct sockaddr *)&address, &len)) {
		perror("bench: loopback");
		return -1;
	}
	*port = ntohs(address.sin_port);
	return fd;
}

struct sender *sender_start(void)
{
	struct sender *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (s == MAP_FAILED)
		return NULL;
	int fd = listen_on_loopback(&s->port);
	pid_t pid = fd < 0 ? -1 : fork();
	if (pid < 0) {
		munmap(s, sizeof *s);
		return NULL;
	}
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve(s, fd);
	}
	close(fd);
	s->pid = pid; /* set by the parent only: the memory is shared with the child */
	return s;
}

void sender_stop(struct sender *s)
{
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
	munmap(s, sizeof *s);
}
