/* Connections: accepting, what they wait for, and closing. */
#include "net/httpd_inside.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os/descriptor.h"
#include "base/os/other_end.h"

#define PEERS_MOST (WATCH_MOST - 1)
#define EVENTS_MOST 64     /* in one run */
#define ACCEPTED_MOST 64   /* in one run */
#define AGAIN_MS 100       /* until accepting is tried again: nothing tells when the program closes a descriptor elsewhere */
#define LINGER_MS 2000
#define LOOK_MS 1000       /* between two looks at a half-closed connection: its close causes no event */

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

bool peers_listen(struct httpd *httpd, unsigned port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = descriptor_socket(AF_INET), yes = 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	httpd->peers_most = most_peers();
	httpd->listening = true;
	httpd->listen_fd = fd;
	return fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
	       bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, SOMAXCONN) == 0 &&
	       watch_add(httpd->watch, fd, NULL, WATCH_INPUT);
}

/* --- connections --- */

static void add_peer(struct httpd *httpd, int fd)
{
	struct peer *peer = mem_new(sizeof *peer);
	int yes = 1;

	*peer = (struct peer){ .next = httpd->peers, .httpd = httpd, .fd = fd, .came = WATCH_INPUT, .active_ms = httpd->now_ms };
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	peer->gone = !watch_add(httpd->watch, fd, peer, 0);
	httpd->peers = peer;
	httpd->peer_count++;
}

static void peer_free(struct peer *peer)
{
	visit_fini(&peer->visit);
	watch_remove(peer->httpd->watch, peer->fd);
	close(peer->fd);
	buf_fini(&peer->in);
	buf_fini(&peer->out);
	mem_free(peer);
}

bool peer_wants_input(const struct peer *peer)
{
	if (peer->gone || peer->input_over)
		return false;
	return peer->lingers || !peer->visited || visit_wants_input(&peer->visit);
}

void peer_watch(struct peer *peer)
{
	unsigned wanted = (peer_wants_input(peer) ? WATCH_INPUT : 0u) | (peer->out.len ? WATCH_OUTPUT : 0u) |
	                  (peer->half_closed ? 0u : WATCH_HALF_CLOSED);

	if (wanted != peer->watched && watch_change(peer->httpd->watch, peer->fd, peer, wanted))
		peer->watched = wanted;
}

/* A client that sends nothing more may wait for the answer or have closed the connection. */
static void look_at_half(struct peer *peer)
{
	peer->look_ms = peer->httpd->now_ms + LOOK_MS;
	peer->gone |= peer->visited && !peer->visit.over && other_end_is_closed(peer->fd);
}

static void take_events(struct httpd *httpd)
{
	struct watch_event events[EVENTS_MOST];
	size_t count = watch_take(httpd->watch, events, EVENTS_MOST);

	for (struct peer *peer = httpd->peers; peer; peer = peer->next)
		peer->came = 0;
	for (size_t i = 0; i < count; i++) {
		struct peer *peer = events[i].member;

		if (!peer)
			continue;
		peer->came = events[i].came;
		peer->gone |= (peer->came & WATCH_GONE) != 0;
		if (peer->came & WATCH_HALF_CLOSED) {
			peer->half_closed = true;
			look_at_half(peer);
		}
	}
}

/* --- idle connections --- */

/* Whether a part of a request is still expected. */
static bool is_asking(const struct peer *peer)
{
	return !peer->visited || (!peer->visit.whole && visit_wants_input(&peer->visit));
}

static int64_t idle_end_ms(const struct peer *peer)
{
	if (peer->lingers)
		return peer->active_ms + LINGER_MS;
	return is_asking(peer) && !(peer->visited && peer->httpd->ops->waits_for_bodies) ? peer->active_ms + HTTPD_IDLE_MS : NO_DEADLINE;
}

/* When a connection may be closed in favour of a new one. A client that does not read its response is idle too. */
static int64_t closable_ms(const struct peer *peer)
{
	if (!is_asking(peer) && !peer->out.len)
		return NO_DEADLINE;
	return peer->active_ms + (is_asking(peer) ? HTTPD_GRACE_MS : HTTPD_IDLE_MS);
}

static int64_t look_ms(const struct peer *peer)
{
	return peer->half_closed && peer->visited ? peer->look_ms : NO_DEADLINE;
}

static void end_idle(struct httpd *httpd)
{
	for (struct peer *peer = httpd->peers; peer; peer = peer->next) {
		peer->gone |= idle_end_ms(peer) <= httpd->now_ms;
		if (!peer->gone && look_ms(peer) <= httpd->now_ms)
			look_at_half(peer);
	}
}

void peers_sweep(struct httpd *httpd)
{
	struct peer **link = &httpd->peers, *peer;

	while ((peer = *link)) {
		if (!peer->gone) {
			link = &peer->next;
			continue;
		}
		*link = peer->next;
		peer_free(peer);
		httpd->peer_count--;
		httpd->listen_ms = httpd->now_ms; /* there is room now */
	}
}

/* The connection that may be closed first; NULL: none. */
static struct peer *find_closable(const struct httpd *httpd)
{
	struct peer *first = NULL;

	for (struct peer *peer = httpd->peers; peer; peer = peer->next)
		if (closable_ms(peer) < (first ? closable_ms(first) : NO_DEADLINE))
			first = peer;
	return first;
}

/* --- accepting --- */

enum accepted { ACCEPT_DONE, ACCEPT_NOBODY, ACCEPT_NO_ROOM, ACCEPT_NO_DESCRIPTOR };

static enum accepted accept_one(struct httpd *httpd)
{
	int fd = descriptor_accept(httpd->listen_fd);

	if (fd >= 0) {
		add_peer(httpd, fd);
		return ACCEPT_DONE;
	}
	switch (errno) {
	case EINTR: case ECONNABORTED: return ACCEPT_DONE;
	case EMFILE: case ENFILE: case ENOBUFS: case ENOMEM: return ACCEPT_NO_DESCRIPTOR;
	default: return ACCEPT_NOBODY;
	}
}

static enum accepted accept_if_room(struct httpd *httpd)
{
	if (httpd->peer_count < httpd->peers_most)
		return accept_one(httpd);
	return poll(&(struct pollfd){ .fd = httpd->listen_fd, .events = POLLIN }, 1, 0) > 0 ? ACCEPT_NO_ROOM : ACCEPT_NOBODY;
}

/* Closes the connection that has been idle longest, if it has been idle long enough. Otherwise sets the time of the next try. */
static void make_room(struct httpd *httpd, bool look_again)
{
	struct peer *first = find_closable(httpd);
	int64_t until_ms = first ? closable_ms(first) : NO_DEADLINE;

	if (until_ms <= httpd->now_ms) {
		first->gone = true;
		peers_sweep(httpd);
		until_ms = httpd->now_ms;
	}
	if (look_again && until_ms > httpd->now_ms + AGAIN_MS)
		until_ms = httpd->now_ms + AGAIN_MS;
	/* Stops polling the listener: a pending connection would wake the loop repeatedly. */
	if (httpd->listening)
		watch_remove(httpd->watch, httpd->listen_fd);
	httpd->listening = false;
	httpd->listen_ms = until_ms;
}

static void accept_waiting(struct httpd *httpd)
{
	enum accepted got = ACCEPT_DONE;

	for (int i = 0; got == ACCEPT_DONE && i < ACCEPTED_MOST; i++)
		got = accept_if_room(httpd);
	if (got == ACCEPT_NO_ROOM || got == ACCEPT_NO_DESCRIPTOR)
		make_room(httpd, got == ACCEPT_NO_DESCRIPTOR);
}

/* --- for the server --- */

void peers_run(struct httpd *httpd)
{
	take_events(httpd);
	end_idle(httpd);
	peers_sweep(httpd);
	if (!httpd->listening && httpd->listen_ms <= httpd->now_ms)
		httpd->listening = watch_add(httpd->watch, httpd->listen_fd, NULL, WATCH_INPUT);
	if (httpd->listening)
		accept_waiting(httpd);
}

int64_t peers_deadline(const struct httpd *httpd)
{
	int64_t first = httpd->listening ? NO_DEADLINE : httpd->listen_ms;

	for (const struct peer *peer = httpd->peers; peer; peer = peer->next) {
		int64_t due_ms = idle_end_ms(peer) < look_ms(peer) ? idle_end_ms(peer) : look_ms(peer);

		if (due_ms < first)
			first = due_ms;
	}
	return first;
}
