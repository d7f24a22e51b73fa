#include "net/serve_inside.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/mem.h"

/* Limits of one serve_run(); remaining work is due at once. */
#define ROUNDS_MAX 16
#define RUN_BYTES ((size_t)4 << 20)

/* spare slots: MHD counts a closed connection until its next round */
#define CONNECTIONS_SPARE 16u

static bool start_daemon(struct serve *s)
{
	s->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL, visit_request, s,
	                             MHD_OPTION_NOTIFY_CONNECTION, peers_notice, s, MHD_OPTION_NOTIFY_COMPLETED, visit_end, s,
	                             MHD_OPTION_URI_LOG_CALLBACK, visit_begin, s, MHD_OPTION_CONNECTION_MEMORY_LIMIT, SERVE_MEMORY_BYTES,
	                             MHD_OPTION_CONNECTION_LIMIT, (unsigned)s->peers_most + CONNECTIONS_SPARE, MHD_OPTION_END);
	return s->daemon;
}

static bool watch_daemon(const struct serve *s)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;

	return epoll_ctl(s->watch_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

bool serve_open(struct serve **serve, unsigned port, double speed, serve_choose *choose, void *ctx, struct error *err)
{
	struct serve *s;

	if (port > 65535)
		return error_set(err, "%u is not a port number: it must be 0 to 65535", port);
	s = mem_new(sizeof *s);
	*s = (struct serve){ .listen_fd = -1, .speed = speed, .choose = choose, .ctx = ctx };
	fault_init(&s->fault);
	errno = 0;
	s->watch_fd = epoll_create1(EPOLL_CLOEXEC);
	if (s->watch_fd < 0 || !peers_listen(s, port) || !start_daemon(s) || !watch_daemon(s)) {
		error_set(err, "cannot listen on 127.0.0.1 port %u: %s", port, errno ? strerror(errno) : "libmicrohttpd refuses");
		serve_free(s);
		return false;
	}
	*serve = s;
	return true;
}

void serve_free(struct serve *serve)
{
	if (!serve)
		return;
	/* MHD_stop_daemon() aborts if a connection is suspended. */
	peers_resume_all(serve);
	if (serve->daemon)
		MHD_stop_daemon(serve->daemon);
	if (serve->listen_fd >= 0)
		close(serve->listen_fd);
	if (serve->watch_fd >= 0)
		close(serve->watch_fd);
	mem_free(serve);
}

void serve_set_fault(struct serve *serve, const struct fault *fault)
{
	serve->fault = *fault;
}

void serve_set_done(struct serve *serve, serve_done *done)
{
	serve->done = done;
}

void serve_set_relay(struct serve *serve, serve_relay *relay)
{
	serve->relay = relay;
}

unsigned serve_port(const struct serve *serve)
{
	struct sockaddr_in address = { .sin_port = 0 };
	socklen_t size = sizeof address;

	getsockname(serve->listen_fd, (struct sockaddr *)&address, &size);
	return ntohs(address.sin_port);
}

int serve_fd(const struct serve *serve)
{
	return serve->watch_fd;
}

int64_t serve_deadline(const struct serve *serve)
{
	return serve->unfinished ? 0 : peers_deadline(serve);
}

int64_t serve_answer_deadline(const struct serve *serve)
{
	return serve->unfinished ? 0 : peers_answer_deadline(serve);
}

/* Whether MHD holds unread bytes, or has read so many at once that there may be more. */
static bool has_more(const struct serve *serve)
{
	MHD_UNSIGNED_LONG_LONG wait_ms;

	return MHD_get_timeout(serve->daemon, &wait_ms) == MHD_YES && wait_ms == 0;
}

void serve_run(struct serve *serve, int64_t now_ms)
{
	bool more = true;

	serve->now_ms = now_ms;
	serve->sent_bytes = 0;
	peers_run(serve);
	for (int round = 0; more && round < ROUNDS_MAX && serve->sent_bytes < RUN_BYTES; round++) {
		MHD_run(serve->daemon);
		more = has_more(serve);
	}
	MHD_run(serve->daemon); /* Frees connections closed in the last round, and may read. */
	serve->unfinished = has_more(serve);
}
