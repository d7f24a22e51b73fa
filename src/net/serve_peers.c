/* Connections: accepting, suspending, and closing idle ones. */
#include "net/serve_inside.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"

#define PEERS_MOST 1000
#define ACCEPTED_MOST 64   /* in one run */
#define AGAIN_MS 100       /* a descriptor may become free elsewhere in the program, without notice */

/* --- the listener --- */

/* Half of the process's descriptor limit; the other half is for all other files. */
static size_t most_peers(void)
{
	struct rlimit files;
	size_t half;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur > 2 * PEERS_MOST)
		return PEERS_MOST;
	half = (size_t)files.rlim_cur / 2;
	return half ? half : 1;
}

bool peers_listen(struct serve *serve, unsigned port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	struct epoll_event event = { .events = EPOLLIN };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), yes = 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	serve->peers_most = most_peers();
	serve->listening = true;
	serve->listen_fd = fd;
	return fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
	       bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, SOMAXCONN) == 0 &&
	       epoll_ctl(serve->watch_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Stops polling the listener: a pending connection would wake the loop repeatedly. */
static void stop_listening(struct serve *serve, int64_t until_ms)
{
	if (serve->listening)
		epoll_ctl(serve->watch_fd, EPOLL_CTL_DEL, serve->listen_fd, NULL);
	serve->listening = false;
	serve->listen_ms = until_ms;
}

static void listen_again(struct serve *serve)
{
	struct epoll_event event = { .events = EPOLLIN };

	serve->listening = epoll_ctl(serve->watch_fd, EPOLL_CTL_ADD, serve->listen_fd, &event) == 0;
}

/* --- connections --- */

struct peer *peer_of(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void add_peer(struct serve *serve, struct MHD_Connection *connection, void **slot)
{
	struct peer *peer = mem_new(sizeof *peer);
	int yes = 1;

	*peer = (struct peer){ .next = serve->peers, .serve = serve, .connection = connection, .asking = true, .active_ms = serve->now_ms };
	peer->fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	setsockopt(peer->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	serve->peers = peer;
	serve->peer_count++;
	*slot = peer;
}

static void remove_peer(struct serve *serve, struct peer *peer)
{
	struct peer **link = &serve->peers;

	while (*link != peer)
		link = &(*link)->next;
	*link = peer->next;
	serve->peer_count--;
	serve->listen_ms = serve->now_ms; /* there is room now */
	mem_free(peer);
}

void peers_notice(void *ctx, struct MHD_Connection *connection, void **peer, enum MHD_ConnectionNotificationCode code)
{
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		add_peer(ctx, connection, peer);
	else if (*peer)
		remove_peer(ctx, *peer);
}

/* --- suspended connections --- */

/* MHD does not poll the socket of a suspended connection, so we watch for the client closing it. */
void peer_suspend(struct peer *peer, int64_t due_ms)
{
	struct epoll_event event = { .events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = peer };

	epoll_ctl(peer->serve->watch_fd, EPOLL_CTL_ADD, peer->fd, &event);
	peer->suspended = true;
	peer->due_ms = due_ms;
	MHD_suspend_connection(peer->connection);
}

void peer_wake(struct peer *peer)
{
	peer->due_ms = 0;
}

static void peer_resume(struct peer *peer)
{
	epoll_ctl(peer->serve->watch_fd, EPOLL_CTL_DEL, peer->fd, NULL);
	peer->suspended = false;
	peer->active_ms = peer->serve->now_ms;
	MHD_resume_connection(peer->connection);
}

void peers_resume_all(struct serve *serve)
{
	for (struct peer *peer = serve->peers; peer; peer = peer->next)
		if (peer->suspended)
			peer_resume(peer);
}

static void notice_closed_clients(const struct serve *serve)
{
	struct epoll_event events[32];
	int count = epoll_wait(serve->watch_fd, events, 32, 0);

	for (int i = 0; i < count; i++) {
		struct peer *peer = events[i].data.ptr;

		if (peer)
			peer->left = true;
	}
}

static void resume_due(struct serve *serve)
{
	for (struct peer *peer = serve->peers; peer; peer = peer->next)
		if (peer->suspended && (peer->left || peer->due_ms <= serve->now_ms))
			peer_resume(peer);
}

/* --- idle connections --- */

/* When an idle connection is closed. Never while it waits for us, or while MHD is about to notice its end. */
static int64_t idle_end_ms(const struct peer *peer)
{
	return peer->asking && !peer->ended ? peer->active_ms + SERVE_IDLE_MS : NO_DEADLINE;
}

/* When a connection may be closed in favour of a new one. A client that does not read its response is idle too. */
static int64_t closable_ms(const struct peer *peer)
{
	if (peer->ended || peer->suspended)
		return NO_DEADLINE;
	return peer->active_ms + (peer->asking ? SERVE_GRACE_MS : SERVE_IDLE_MS);
}

/* MHD sees the end of the socket and closes it. */
static void end(struct peer *peer)
{
	shutdown(peer->fd, SHUT_RDWR);
	peer->ended = true;
}

static void end_idle(struct serve *serve)
{
	for (struct peer *peer = serve->peers; peer; peer = peer->next)
		if (idle_end_ms(peer) <= serve->now_ms)
			end(peer);
}

/* The connection that may be closed first; NULL: none, or one is about to end. */
static struct peer *find_closable(const struct serve *serve)
{
	struct peer *first = NULL;

	for (struct peer *peer = serve->peers; peer; peer = peer->next) {
		if (peer->ended)
			return NULL;
		if (closable_ms(peer) < (first ? closable_ms(first) : NO_DEADLINE))
			first = peer;
	}
	return first;
}

/* --- accepting --- */

enum accepted { ACCEPT_DONE, ACCEPT_NOBODY, ACCEPT_NO_ROOM, ACCEPT_NO_DESCRIPTOR };

static enum accepted accept_one(const struct serve *serve)
{
	struct sockaddr_in address;
	socklen_t size = sizeof address;
	int fd = accept4(serve->listen_fd, (struct sockaddr *)&address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd >= 0) {
		(void)MHD_add_connection(serve->daemon, fd, (struct sockaddr *)&address, size); /* closes `fd` on failure */
		return ACCEPT_DONE;
	}
	switch (errno) {
	case EINTR: case ECONNABORTED: return ACCEPT_DONE;
	case EMFILE: case ENFILE: case ENOBUFS: case ENOMEM: return ACCEPT_NO_DESCRIPTOR;
	default: return ACCEPT_NOBODY;
	}
}

static bool has_pending_connection(const struct serve *serve)
{
	return poll(&(struct pollfd){ .fd = serve->listen_fd, .events = POLLIN }, 1, 0) > 0;
}

static enum accepted accept_if_room(const struct serve *serve)
{
	if (serve->peer_count < serve->peers_most)
		return accept_one(serve);
	return has_pending_connection(serve) ? ACCEPT_NO_ROOM : ACCEPT_NOBODY;
}

/* Closes the connection that has been idle longest, if it has been idle long enough. Otherwise sets the time of the next try. */
static void peer_make_room(struct serve *serve, bool look_again)
{
	struct peer *first = find_closable(serve);
	int64_t until_ms = first ? closable_ms(first) : NO_DEADLINE;

	if (until_ms <= serve->now_ms) {
		end(first);
		until_ms = NO_DEADLINE;
	}
	if (look_again && until_ms > serve->now_ms + AGAIN_MS)
		until_ms = serve->now_ms + AGAIN_MS;
	stop_listening(serve, until_ms);
}

static void accept_waiting(struct serve *serve)
{
	enum accepted got = ACCEPT_DONE;

	for (int i = 0; got == ACCEPT_DONE && i < ACCEPTED_MOST; i++)
		got = accept_if_room(serve);
	if (got == ACCEPT_NO_ROOM || got == ACCEPT_NO_DESCRIPTOR)
		peer_make_room(serve, got == ACCEPT_NO_DESCRIPTOR);
}

/* --- public functions --- */

void peers_run(struct serve *serve)
{
	notice_closed_clients(serve);
	resume_due(serve);
	end_idle(serve);
	if (!serve->listening && serve->listen_ms <= serve->now_ms)
		listen_again(serve);
	if (serve->listening)
		accept_waiting(serve);
}

int64_t peers_deadline(const struct serve *serve)
{
	int64_t first = serve->listening ? NO_DEADLINE : serve->listen_ms;

	for (const struct peer *peer = serve->peers; peer; peer = peer->next) {
		int64_t due_ms = peer->suspended ? peer->due_ms : idle_end_ms(peer);

		if (due_ms < first)
			first = due_ms;
	}
	return first;
}

int64_t peers_answer_deadline(const struct serve *serve)
{
	int64_t first = NO_DEADLINE;

	for (const struct peer *peer = serve->peers; peer; peer = peer->next)
		if (peer->suspended && peer->due_ms < first)
			first = peer->due_ms;
	return first;
}
