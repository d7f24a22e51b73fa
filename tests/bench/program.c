#include "bench/program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "bench/bench.h"

#define READS_MOST_BYTES ((size_t)512 << 20)
#define WAIT_MOST_NS 300000000000 /* maximum time to wait for an answer */

static void run_program(struct sender *sender, const char *weir, int watch_fd)
{
	char url[64], fd[16];

	snprintf(url, sizeof url, "http://127.0.0.1:%u/v1", sender->port);
	setenv("TERM", "xterm-256color", 1);
	unsetenv("COLORTERM");
	unsetenv("NO_COLOR");
	unsetenv("SSH_CONNECTION");
	if (watch_fd >= 0) {
		snprintf(fd, sizeof fd, "%d", watch_fd);
		setenv(WATCH_FD_NAME, fd, 1);
		setenv("LD_PRELOAD", getenv("WEIR_WATCH"), 1);
	}
	sender->exec_ns = bench_now_ns();
	execl(weir, weir, "--base-url", url, "-m", "bench", "--protocol", sender->partials.rate ? "openai-responses" : "openai-chat", (char *)NULL);
	_exit(127);
}

static bool start(struct program *p, struct sender *sender, int watch_fd)
{
	const char *weir = getenv("WEIR");
	struct winsize size = { .ws_row = PROGRAM_ROWS, .ws_col = PROGRAM_COLUMNS };

	*p = (struct program){ 0 };
	if (!weir || access(weir, X_OK)) {
		fprintf(stderr, "bench: WEIR does not name the program\n");
		return false;
	}
	buf_init(&p->bytes, READS_MOST_BYTES);
	sender->exec_ns = 0;
	p->pid = forkpty(&p->fd, NULL, NULL, &size);
	if (p->pid < 0) {
		perror("bench: forkpty");
		return false;
	}
	if (!p->pid)
		run_program(sender, weir, watch_fd);
	program_read_until_quiet(p, 100000000);
	p->exec_ns = sender->exec_ns;
	return true;
}

bool program_start(struct program *p, struct sender *sender)
{
	return start(p, sender, -1);
}

bool program_start_watched(struct program *p, struct sender *sender)
{
	const char *library = getenv("WEIR_WATCH");
	int fd = library && !access(library, R_OK) ? memfd_create("watch", 0) : -1;

	if (fd < 0 || ftruncate(fd, sizeof *p->watch)) {
		fprintf(stderr, "bench: WEIR_WATCH does not name the library\n");
		return false;
	}
	struct watch *watch = mmap(NULL, sizeof *watch, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	bool started = watch != MAP_FAILED && start(p, sender, fd);
	close(fd);
	p->watch = watch;
	return started;
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

double program_stop(struct program *p)
{
	struct rusage used = { 0 };

	kill(p->pid, SIGTERM);
	program_read_for(p, 200000000);
	for (int i = 0; i < 20 && wait4(p->pid, NULL, WNOHANG, &used) == 0; i++) {
		if (i == 10)
			kill(p->pid, SIGKILL);
		program_read_for(p, 100000000);
	}
	close(p->fd);
	if (p->watch)
		munmap(p->watch, sizeof *p->watch);
	buf_fini(&p->bytes);
	mem_free(p->reads);
	return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

/* Waits for at most `ns`. True if there was output. */
static bool read_once(struct program *p, int64_t ns)
{
	static char bytes[65536];
	struct pollfd fd = { .fd = p->fd, .events = POLLIN };
	struct timespec timeout = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	if (ppoll(&fd, 1, &timeout, NULL) <= 0)
		return false;
	ssize_t n = read(p->fd, bytes, sizeof bytes);
	int64_t now = bench_now_ns();
	if (n <= 0 || !buf_add(&p->bytes, str_of(bytes, (size_t)n)))
		return false;
	mem_reserve(&p->reads, &p->capacity, p->count + 1, sizeof *p->reads);
	p->reads[p->count++] = (struct program_read){ now, p->bytes.len - (size_t)n, (size_t)n };
	return true;
}

void program_read_for(struct program *p, int64_t ns)
{
	int64_t end = bench_now_ns() + ns;

	for (int64_t left = ns; left > 0; left = end - bench_now_ns())
		if (!read_once(p, left) && kill(p->pid, 0))
			return;
}

void program_read_until_quiet(struct program *p, int64_t quiet_ns)
{
	int64_t end = bench_now_ns() + 10000000000;

	/* Wait longer for the first byte. */
	read_once(p, 5000000000);
	while (read_once(p, quiet_ns) && bench_now_ns() < end)
		;
}

int64_t program_type(struct program *p, const char *keys)
{
	int64_t now = bench_now_ns();

	if (write(p->fd, keys, strlen(keys)) < 0)
		perror("bench: pty");
	return now;
}

void program_resize(struct program *p, unsigned columns)
{
	struct winsize size = { .ws_row = PROGRAM_ROWS, .ws_col = (unsigned short)columns };

	ioctl(p->fd, TIOCSWINSZ, &size);
}

int64_t program_paste(struct program *p, struct str bytes)
{
	int64_t now = bench_now_ns();
	int flags = fcntl(p->fd, F_GETFL);

	fcntl(p->fd, F_SETFL, flags | O_NONBLOCK);
	while (bytes.len) {
		struct pollfd fd = { .fd = p->fd, .events = POLLOUT };
		ssize_t n = write(p->fd, bytes.ptr, bytes.len);

		if (n < 0 && errno != EAGAIN)
			break;
		bytes = str_skip(bytes, n > 0 ? (size_t)n : 0);
		if (n < 0)
			poll(&fd, 1, 1);
		read_once(p, 0);
	}
	fcntl(p->fd, F_SETFL, flags);
	return now;
}

void program_ask(struct program *p, struct sender *sender, unsigned count, unsigned rate)
{
	program_ask_giant(p, sender, &(struct giant){ 0 }, count, rate);
}

void program_ask_giant(struct program *p, struct sender *sender, const struct giant *giant, unsigned count, unsigned rate)
{
	unsigned answered = sender->answered;
	int64_t end = bench_now_ns() + WAIT_MOST_NS;

	sender->giant = *giant;
	sender->base += sender->count;
	sender->count = count;
	sender->rate = rate;
	sender->watched = p->pid;
	program_type(p, "go on\r");
	while (sender->answered == answered && bench_now_ns() < end)
		program_read_for(p, count ? 20000000 : 2000000);
	program_read_for(p, count ? 300000000 : 30000000);
}

static long read_status(const char *path, const char *name)
{
	char line[256];
	long value = -1;
	FILE *file = fopen(path, "r");

	while (file && value < 0 && fgets(line, sizeof line, file))
		if (!strncmp(line, name, strlen(name)))
			value = strtol(line + strlen(name), NULL, 10);
	if (file)
		fclose(file);
	return value;
}

long program_peak_kb(const struct program *p)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/status", (int)p->pid);
	return read_status(path, "VmHWM:");
}

long program_wake_ups(const struct program *p)
{
	char path[300];
	long sum = 0;

	snprintf(path, sizeof path, "/proc/%d/task", (int)p->pid);
	DIR *tasks = opendir(path);
	for (const struct dirent *task; tasks && (task = readdir(tasks));) {
		if (task->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "/proc/%d/task/%.200s/status", (int)p->pid, task->d_name);
		sum += read_status(path, "voluntary_ctxt_switches:");
	}
	if (tasks)
		closedir(tasks);
	return sum;
}
