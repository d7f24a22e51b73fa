/*
 * What `weir proxy` adds to the way of a token: many streams at once, with and without it. Each token carries the time at which it was
 * sent; the streams without it are the yardstick, because sender and reader need the same processors.
 */
#include <arpa/inet.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "bench/bench.h"
#include "support/home.h"

#define STREAMS 100
#define RATE 50               /* tokens a second of one stream */
#define SECOND_NS 1000000000LL
#define PATIENCE_MS 20000

static const char request[] =
	"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 15\r\n\r\n"
	"{\"stream\":true}";
static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
static const char before[] = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"@";
static const char after[] = "@\"}}]}\n\n";
static const char last[] = "data: [DONE]\n\n";

static struct sockaddr_in loopback(unsigned port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return address;
}

/* --- the sender --- */

static void send_all(int fd, const char *bytes, size_t len)
{
	if (send(fd, bytes, len, MSG_NOSIGNAL) < 0) /* a reader that left; the missing tokens are reported */
		return;
}

static void send_token(int fd)
{
	char token[128];
	int len = snprintf(token, sizeof token, "%s%lld%s", before, (long long)bench_now_ns(), after);

	send_all(fd, token, (size_t)len);
}

static int accept_request(int listener)
{
	char bytes[8192];
	size_t len = 0;
	ssize_t n;
	int fd = accept(listener, NULL, NULL), on = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	while (len < sizeof bytes && (n = recv(fd, bytes + len, sizeof bytes - len, 0)) > 0) {
		len += (size_t)n;
		if (memmem(bytes, len, "{\"stream\":true}", 15))
			break;
	}
	send_all(fd, head, strlen(head));
	return fd;
}

/* Waits for all streams, then sends one token after the other, evenly spread over the streams and over time. */
static void send_streams(int listener, unsigned tokens)
{
	int fds[STREAMS];

	for (size_t i = 0; i < STREAMS; i++)
		fds[i] = accept_request(listener);
	int64_t start_ns = bench_now_ns() + SECOND_NS / 5;
	for (unsigned n = 0; n < tokens * STREAMS; n++) {
		int64_t due_ns = start_ns + n * (SECOND_NS / (RATE * STREAMS));
		struct timespec due = { .tv_sec = due_ns / SECOND_NS, .tv_nsec = due_ns % SECOND_NS };

		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL))
			;
		send_token(fds[n % STREAMS]);
	}
	for (size_t i = 0; i < STREAMS; i++) {
		send_all(fds[i], last, strlen(last));
		close(fds[i]);
	}
}

/* Sends to two sets of readers in turn. Returns its port, 0 on failure. */
static unsigned start_sender(unsigned tokens, pid_t *pid)
{
	struct sockaddr_in address = loopback(0);
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 2 * STREAMS) ||
	    getsockname(listener, (struct sockaddr *)&address, &size) || (*pid = fork()) < 0)
		return 0;
	if (!*pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			send_streams(listener, tokens);
	}
	close(listener);
	return ntohs(address.sin_port);
}

/* --- the readers --- */

struct reader {
	int fd;
	struct buf bytes;  /* an incomplete line */
};

struct delays {
	double *ms;
	size_t count, capacity;
};

/* Takes the times out of all complete lines. */
static void take_lines(struct reader *r, struct delays *delays, int64_t now_ns)
{
	struct str rest = buf_str(&r->bytes), line;
	size_t used = 0;

	while (memchr(rest.ptr, '\n', rest.len) && str_split(&rest, '\n', &line)) {
		size_t mark = str_find(line, STR("@"));
		long long sent_ns = mark < line.len ? atoll(line.ptr + mark + 1) : 0;

		used += line.len + 1;
		if (!sent_ns)
			continue;
		mem_reserve(&delays->ms, &delays->capacity, delays->count + 1, sizeof *delays->ms);
		delays->ms[delays->count++] = (double)(now_ns - sent_ns) / 1e6;
	}
	buf_drop(&r->bytes, used);
}

static bool reader_open(struct reader *r, unsigned port)
{
	struct sockaddr_in address = loopback(port);

	*r = (struct reader){ .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
	return r->fd >= 0 && connect(r->fd, (struct sockaddr *)&address, sizeof address) == 0 &&
	       send(r->fd, request, strlen(request), MSG_NOSIGNAL) == (ssize_t)strlen(request);
}

static void read_streams(struct reader *readers, struct delays *delays)
{
	struct pollfd fds[STREAMS];
	static char bytes[65536];
	size_t open = STREAMS;

	for (size_t i = 0; i < STREAMS; i++)
		fds[i] = (struct pollfd){ .fd = readers[i].fd, .events = POLLIN };
	while (open && poll(fds, STREAMS, PATIENCE_MS) > 0) {
		for (size_t i = 0; i < STREAMS; i++) {
			if (!fds[i].revents)
				continue;
			ssize_t n = recv(fds[i].fd, bytes, sizeof bytes, 0);
			int64_t now_ns = bench_now_ns();
			if (n <= 0) {
				fds[i].fd = -1;
				open--;
				continue;
			}
			buf_add(&readers[i].bytes, str_of(bytes, (size_t)n));
			take_lines(&readers[i], delays, now_ns);
		}
	}
}

/* The 50th and 99th percentile of the time from sending a token to reading it. */
static void measure(unsigned port, const char *what, size_t expected, double result[2])
{
	struct reader readers[STREAMS];
	struct delays delays = { 0 };
	bool opened = true;

	for (size_t i = 0; i < STREAMS; i++)
		opened &= reader_open(&readers[i], port);
	if (opened)
		read_streams(readers, &delays);
	result[0] = bench_quantile(delays.ms, delays.count, 0.5);
	result[1] = bench_quantile(delays.ms, delays.count, 0.99);
	bench_print(what, "", "p50 %.2f ms, p99 %.2f ms", result[0], result[1]);
	if (delays.count != expected)
		fprintf(stderr, "bench: %zu tokens of %zu arrived\n", delays.count, expected);
	for (size_t i = 0; i < STREAMS; i++) {
		close(readers[i].fd);
		buf_fini(&readers[i].bytes);
	}
	mem_free(delays.ms);
}

/* --- the proxy --- */

/* Its port; 0 on failure. */
static unsigned start_proxy(const char *home, unsigned to, pid_t *pid)
{
	const char *weir = getenv("WEIR");
	char settings[128], line[128] = "";
	int ends[2];

	snprintf(settings, sizeof settings, "[provider bench]\nbase_url = http://127.0.0.1:%u\nauth = none\nmodel = m\n", to);
	const char *path = home_write(home, "proxy.conf", settings);
	if (!weir || pipe(ends) || (*pid = fork()) < 0)
		return 0;
	if (!*pid) {
		dup2(ends[1], STDOUT_FILENO);
		if (!freopen("/dev/null", "w", stderr)) /* a line for each exchange */
			_exit(127);
		close(ends[0]);
		execl(weir, weir, "proxy", "--to", "bench", "--config", path, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	ssize_t n = read(ends[0], line, sizeof line - 1);
	close(ends[0]);
	const char *port = n > 0 ? strrchr(line, ':') : NULL;
	return port ? (unsigned)atoi(port + 1) : 0;
}

static void stop(pid_t pid)
{
	if (pid > 0) {
		kill(pid, SIGTERM);
		waitpid(pid, NULL, 0);
	}
}

void bench_proxy(bool quick)
{
	unsigned tokens = (quick ? 2 : 6) * RATE;
	pid_t sender = 0, proxy = 0;
	char *home = home_new();
	unsigned port = start_sender(tokens, &sender), relay = port ? start_proxy(home, port, &proxy) : 0;
	double direct[2], relayed[2];

	bench_print_title("The proxy: %d streams at once, %d tokens a second each, every exchange a tape", STREAMS, RATE);
	if (relay) {
		measure(port, "from sender to reader, without the proxy", (size_t)tokens * STREAMS, direct);
		measure(relay, "with the proxy", (size_t)tokens * STREAMS, relayed);
		bench_print("what the proxy adds", "p99 1 ms", "p50 %.2f ms, p99 %.2f ms", relayed[0] - direct[0], relayed[1] - direct[1]);
	} else {
		fprintf(stderr, "bench: the proxy does not start\n");
	}
	stop(proxy);
	stop(sender);
	home_free(home);
}
