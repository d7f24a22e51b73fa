/*
 * Tools that run: what is configured and not used, what a call adds to the time that its program or server needs, and output that is long. A
 * round is timed by the provider, a process of its own: from the last byte of an answer that calls until the request with the result is whole.
 * A round of a built-in tool is the yardstick: it is what HTTP and the answer need.
 */
#include <arpa/inet.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/program.h"

#define SERVERS 10
#define STARTS 20
#define ROUNDS 20
#define REST_NS 5000000000LL
#define OUTPUT_MB 100
#define MS 1e6

extern char **environ;

static void write_settings(const char *text)
{
	char path[512];

	snprintf(path, sizeof path, "%s/weir", getenv("XDG_CONFIG_HOME"));
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/weir/weir.conf", getenv("XDG_CONFIG_HOME"));
	FILE *file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file)) {
		perror(path);
		exit(2);
	}
}

/* --- configured, and not used --- */

static const char *settings_of_many(void)
{
	static char text[8192];
	size_t len = 0;

	for (int i = 0; i < SERVERS; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "[mcp server%d]\ncommand = server --number %d\n[tool tool%d]\ncommand = tool {a} {b}\n",
		                        i, i, i);
	return text;
}

static long count_children(pid_t pid)
{
	char path[64], list[4096] = "";
	long count = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
	FILE *file = fopen(path, "r");
	if (file && fgets(list, sizeof list, file))
		for (const char *c = list; *c; c++)
			count += *c == ' ';
	if (file)
		fclose(file);
	return count;
}

static void measure_rest(struct sender *sender, const char *what)
{
	struct program p;

	if (!program_start(&p, sender))
		exit(2);
	long before = program_wake_ups(&p);
	program_read_for(&p, REST_NS);
	bench_print(what, "0 wake-ups", "%ld wake-ups, peak %.1f MB, %ld children", program_wake_ups(&p) - before,
	            (double)program_peak_kb(&p) / 1024, count_children(p.pid));
	program_stop(&p);
}

/* In turn, so that both meet the same machine. */
static void measure_unused(bool quick)
{
	struct sender *sender = sender_start();
	double with[STARTS], without[STARTS];
	size_t starts = quick ? STARTS / 2 : STARTS;

	if (!sender)
		exit(2);
	for (size_t i = 0; i < starts; i++) {
		write_settings("");
		without[i] = bench_start_ms(sender);
		write_settings(settings_of_many());
		with[i] = bench_start_ms(sender);
	}
	double yardstick = bench_quantile(without, starts, 0.5), median = bench_quantile(with, starts, 0.5);
	bench_print("ready for typing, with none", "", "%.2f ms", yardstick);
	bench_print("the same, with ten servers and ten tools", "as with none", "%.2f ms (%+.2f ms)", median, median - yardstick);
	write_settings("");
	measure_rest(sender, "at rest, with none");
	write_settings(settings_of_many());
	measure_rest(sender, "at rest, with them");
	write_settings("");
	sender_stop(sender);
}

/* --- a provider that calls a tool in each answer --- */

struct caller { /* in shared memory */
	char tool[64];
	unsigned rounds;                /* answers with a call, before the last answer */
	unsigned asked;
	int64_t sent_ns[ROUNDS + 1], asked_ns[ROUNDS + 2];
	unsigned port;
	pid_t pid;
};

/* The length of a request, when all of it is there; 0: not yet. */
static size_t request_length(char *bytes, size_t len)
{
	const char *end = memmem(bytes, len, "\r\n\r\n", 4), *length = strcasestr(bytes, "content-length:");
	size_t whole = end && length ? (size_t)(end + 4 - bytes) + strtoul(length + 15, NULL, 10) : 0;

	return whole && whole <= len ? whole : 0;
}

static void answer_one(struct caller *c, int listener)
{
	static char bytes[1 << 20];
	static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
	char answer[1024];
	size_t len = 0;
	ssize_t n;
	int fd = accept(listener, NULL, NULL);

	memset(bytes, 0, sizeof bytes);
	while (!request_length(bytes, len) && len < sizeof bytes - 1 && (n = recv(fd, bytes + len, sizeof bytes - 1 - len, 0)) > 0)
		len += (size_t)n;
	unsigned number = c->asked++;
	c->asked_ns[number] = bench_now_ns();
	if (number < c->rounds)
		snprintf(answer, sizeof answer, "%sdata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c%u\",\"function\":{\"name\":\"%s\","
		         "\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n", head, number, c->tool);
	else
		snprintf(answer, sizeof answer, "%sdata: {\"choices\":[{\"delta\":{\"content\":\"done\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", head);
	if (send(fd, answer, strlen(answer), MSG_NOSIGNAL) < 0)
		_exit(2);
	c->sent_ns[number < ROUNDS ? number : ROUNDS] = bench_now_ns();
	close(fd);
}

static struct caller *caller_start(void)
{
	struct caller *c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (c == MAP_FAILED || listener < 0 || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 8) ||
	    getsockname(listener, (struct sockaddr *)&address, &size)) {
		perror("bench: a provider");
		exit(2);
	}
	pid_t pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			answer_one(c, listener);
	}
	close(listener);
	c->pid = pid;
	c->port = ntohs(address.sin_port);
	return c;
}

static void caller_stop(struct caller *c)
{
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
	munmap(c, sizeof *c);
}

/* One `weir ask` with so many rounds. Returns its peak of memory in KB. */
static long ask(struct caller *c, const char *tool, unsigned rounds)
{
	struct rusage used;
	char url[64];
	int status;

	snprintf(url, sizeof url, "http://127.0.0.1:%u/v1", c->port);
	snprintf(c->tool, sizeof c->tool, "%s", tool);
	c->rounds = rounds;
	c->asked = 0;
	pid_t pid = fork();
	if (!pid) {
		if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(2);
		execl(getenv("WEIR"), "weir", "ask", "--no-history", "--base-url", url, "-m", "m", "--tools-allow", tool, "hi", (char *)NULL);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &used) != pid || status || c->asked != rounds + 1) {
		fprintf(stderr, "bench: %s: status %d after %u requests\n", tool, status, c->asked);
		exit(2);
	}
	return used.ru_maxrss;
}

/* --- what a call adds --- */

struct times { double median, worst; };

static struct times rounds_of(struct caller *c, const char *tool)
{
	double ms[ROUNDS];

	ask(c, tool, ROUNDS);
	for (unsigned i = 0; i < ROUNDS; i++)
		ms[i] = (double)(c->asked_ns[i + 1] - c->sent_ns[i]) / MS;
	double median = bench_quantile(ms, ROUNDS, 0.5);
	return (struct times){ median, ms[ROUNDS - 1] };
}

/* The program alone, as somebody else would start it. */
static double own_time(const char *program)
{
	char *const words[] = { (char *)program, NULL };
	double ms[ROUNDS];
	pid_t pid;

	for (unsigned i = 0; i < ROUNDS; i++) {
		int64_t begun_ns = bench_now_ns();

		if (posix_spawnp(&pid, program, NULL, NULL, words, environ) || waitpid(pid, NULL, 0) != pid)
			exit(2);
		ms[i] = (double)(bench_now_ns() - begun_ns) / MS;
	}
	return bench_quantile(ms, ROUNDS, 0.5);
}

static void measure_calls(void)
{
	struct caller *c = caller_start();
	double own = own_time("true");

	struct times none = rounds_of(c, "clock"), program = rounds_of(c, "nothing"), server = rounds_of(c, "fake__first");
	bench_print("a round of a built-in tool: the yardstick", "", "%.2f ms (worst %.2f)", none.median, none.worst);
	bench_print("a program adds to its own time", "5 ms", "%.2f ms (round %.2f, own %.2f, worst %.2f)", program.median - none.median - own,
	            program.median, own, program.worst);
	bench_print("a stdio MCP server that answers at once adds", "5 ms", "%.2f ms (round %.2f, worst %.2f)", server.median - none.median,
	            server.median, server.worst);
	caller_stop(c);
}

/* --- long output --- */

static void measure_output(void)
{
	struct caller *c = caller_start();
	long less = ask(c, "nothing", 1), more = ask(c, "flood", 1);
	double s = (double)(c->asked_ns[1] - c->sent_ns[0]) / 1e9;
	char what[64];

	snprintf(what, sizeof what, "a program that writes %d MB: peak of memory", OUTPUT_MB);
	bench_print(what, "as one that writes nothing", "%.1f MB (%+.1f MB), %.0f MB/s", (double)more / 1024, (double)(more - less) / 1024, OUTPUT_MB / s);
	caller_stop(c);
}

void bench_tools(bool quick)
{
	char text[1024];

	bench_print_title("Tools that run");
	measure_unused(quick);
	snprintf(text, sizeof text, "tool_rounds = 100\n[tool nothing]\ncommand = true\n[tool flood]\ncommand = head -c %d /dev/zero\n[mcp fake]\ncommand = %s\n",
	         OUTPUT_MB * 1000000, getenv("WEIR_MCP_SERVER") ? getenv("WEIR_MCP_SERVER") : "false");
	write_settings(text);
	measure_calls();
	measure_output();
	write_settings("");
}
