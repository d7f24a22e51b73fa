#include "support/faulty.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"

#define REST_MS 20
#define REQUESTS_LIMIT ((size_t)64 << 20)
#define FREE_PORTS_FIRST 20000u /* below those that Linux gives to whoever asks for any */
#define FREE_PORTS_COUNT 12000u

struct faulty {
	pthread_t thread;
	pthread_mutex_t lock; /* of the two below */
	unsigned accepted;
	struct buf requests;

	/* never changed while the thread runs */
	int over_fd; /* readable when it is to end */
	int listener;
	unsigned port, tunnel_port;
	const char *scripts[16];
	size_t script_count;
};

/* A connection and how it is written to. */
struct visit {
	struct faulty *faulty;
	int fd;
	bool byte_by_byte;
};

static struct sockaddr_in loopback(unsigned port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

/* False when the server is to end. */
static bool await(const struct faulty *f, int fd, short events)
{
	struct pollfd wait[2] = { { .fd = f->over_fd, .events = POLLIN }, { .fd = fd, .events = events } };

	while (!wait[0].revents && !wait[1].revents)
		poll(wait, 2, -1);
	return !wait[0].revents;
}

/* --- requests --- */

static size_t announced_length(const struct buf *request)
{
	const char *at = strcasestr(buf_z(request), "\r\nContent-Length:");

	return at ? (size_t)strtoul(at + strlen("\r\nContent-Length:"), NULL, 10) : 0;
}

static bool is_whole(const struct buf *request)
{
	size_t end = str_find(buf_str(request), STR("\r\n\r\n"));

	return end < request->len && request->len >= end + strlen("\r\n\r\n") + announced_length(request);
}

static bool read_request(struct visit *v)
{
	struct faulty *f = v->faulty;
	struct buf request;
	char bytes[16384];
	bool whole = false, open = true;

	buf_init(&request, REQUESTS_LIMIT);
	while (open && !whole) {
		ssize_t count = await(f, v->fd, POLLIN) ? recv(v->fd, bytes, sizeof bytes, 0) : 0;

		open = count > 0 && buf_add(&request, str_of(bytes, (size_t)count));
		whole = open && is_whole(&request);
	}
	pthread_mutex_lock(&f->lock);
	buf_add(&f->requests, buf_str(&request));
	pthread_mutex_unlock(&f->lock);
	buf_fini(&request);
	return whole;
}

/* --- answers --- */

static bool send_all(struct visit *v, struct str bytes)
{
	while (bytes.len) {
		ssize_t count;

		if (!await(v->faulty, v->fd, POLLOUT))
			return false;
		count = send(v->fd, bytes.ptr, v->byte_by_byte ? 1 : bytes.len, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (count < 0)
			return false;
		bytes = str_skip(bytes, (size_t)count);
	}
	return true;
}

static bool fill(struct visit *v, size_t count)
{
	char block[4096];

	memset(block, 'x', sizeof block);
	for (size_t size; count; count -= size) {
		size = count < sizeof block ? count : sizeof block;
		if (!send_all(v, str_of(block, size)))
			return false;
	}
	return true;
}

/* Reads on until the client has left. */
static void await_leave(struct visit *v)
{
	char bytes[4096];

	while (await(v->faulty, v->fd, POLLIN) && recv(v->fd, bytes, sizeof bytes, 0) > 0)
		;
}

static void reset(struct visit *v)
{
	struct linger at_once = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(v->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

/* One direction of a tunnel; false at its end. */
static bool relay(int from, int to)
{
	char bytes[16384];
	ssize_t count = recv(from, bytes, sizeof bytes, 0), sent;

	for (ssize_t done = 0; done < count; done += sent)
		if ((sent = send(to, bytes + done, (size_t)(count - done), MSG_NOSIGNAL)) < 0)
			return false;
	return count > 0;
}

static void tunnel(struct visit *v)
{
	struct sockaddr_in to = loopback(v->faulty->tunnel_port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct pollfd ends[3] = { { .fd = v->fd, .events = POLLIN }, { .fd = fd, .events = POLLIN },
		                  { .fd = v->faulty->over_fd, .events = POLLIN } };
	bool open;

	open = connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
	while (open && !ends[2].revents) {
		poll(ends, 3, -1);
		open = (!ends[0].revents || relay(v->fd, fd)) && (!ends[1].revents || relay(fd, v->fd));
	}
	close(fd);
}

/* --- scripts --- */

/* Does the word at `*rest`, which is taken off; false: the script ends here. */
static bool do_word(struct visit *v, struct str *rest)
{
	char word = rest->ptr[1];
	struct str count;
	long long number = 0;

	*rest = str_skip(*rest, 2);
	switch (word) {
	case 'a':
		return true;
	case 'q':
		return read_request(v);
	case 'b':
	case 't':
		v->byte_by_byte = word == 'b';
		return true;
	case 'p':
		usleep(REST_MS * 1000);
		return true;
	case '0':
		return send_all(v, str_of("", 1));
	case 'f':
		return str_split(rest, ';', &count) && str_to_int(count, &number) && fill(v, (size_t)number);
	case 'r':
		reset(v);
		return false;
	case 'w':
		shutdown(v->fd, SHUT_WR);
		await_leave(v);
		return false;
	case 'h':
		await_leave(v);
		return false;
	case 'u':
		tunnel(v);
		return false;
	default:
		abort();
	}
}

static void act(struct visit *v, struct str rest)
{
	bool open = str_starts(rest, FAULTY_AT_ONCE) || read_request(v);

	while (open && rest.len) {
		struct str plain = str_head(rest, str_find(rest, STR("\001")));

		rest = str_skip(rest, plain.len);
		open = send_all(v, plain) && (!rest.len || do_word(v, &rest));
	}
}

static void *serve(void *faulty)
{
	struct faulty *f = faulty;
	size_t turn = 0;
	int yes = 1;

	while (await(f, f->listener, POLLIN)) {
		struct visit v = { .faulty = f, .fd = accept4(f->listener, NULL, NULL, SOCK_CLOEXEC) };

		if (v.fd < 0)
			continue;
		setsockopt(v.fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
		pthread_mutex_lock(&f->lock);
		f->accepted++;
		pthread_mutex_unlock(&f->lock);
		act(&v, str_from(f->scripts[turn]));
		close(v.fd);
		turn += turn + 1 < f->script_count;
	}
	return NULL;
}

/* --- life --- */

static int listen_at(const struct sockaddr *address, socklen_t size)
{
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && (bind(fd, address, size) || listen(fd, 16))) {
		close(fd);
		return -1;
	}
	return fd;
}

static struct faulty *start(int listener, unsigned port, const char *const *scripts)
{
	struct faulty *f = mem_new(sizeof *f);

	*f = (struct faulty){ .lock = PTHREAD_MUTEX_INITIALIZER, .over_fd = eventfd(0, EFD_CLOEXEC), .listener = listener, .port = port };
	buf_init(&f->requests, REQUESTS_LIMIT);
	while (scripts[f->script_count] && f->script_count < sizeof f->scripts / sizeof f->scripts[0]) {
		f->scripts[f->script_count] = scripts[f->script_count];
		f->script_count++;
	}
	if (pthread_create(&f->thread, NULL, serve, f))
		abort();
	return f;
}

struct faulty *faulty_new(const char *const *scripts)
{
	struct sockaddr_in address = loopback(0);
	socklen_t size = sizeof address;
	int listener;

	listener = listen_at((struct sockaddr *)&address, size);
	if (listener < 0 || getsockname(listener, (struct sockaddr *)&address, &size))
		abort();
	return start(listener, ntohs(address.sin_port), scripts);
}

struct faulty *faulty_new_ipv6(const char *const *scripts)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	socklen_t size = sizeof address;
	int listener = listen_at((struct sockaddr *)&address, size);

	if (listener < 0 || getsockname(listener, (struct sockaddr *)&address, &size))
		return NULL;
	return start(listener, ntohs(address.sin6_port), scripts);
}

void faulty_free(struct faulty *f)
{
	if (!f)
		return;
	eventfd_write(f->over_fd, 1);
	pthread_join(f->thread, NULL);
	close(f->over_fd);
	close(f->listener);
	buf_fini(&f->requests);
	mem_free(f);
}

void faulty_tunnel_to(struct faulty *f, unsigned port)
{
	f->tunnel_port = port;
}

unsigned faulty_port(const struct faulty *f)
{
	return f->port;
}

unsigned faulty_accepted(struct faulty *f)
{
	pthread_mutex_lock(&f->lock);
	unsigned accepted = f->accepted;
	pthread_mutex_unlock(&f->lock);
	return accepted;
}

char *faulty_requests(struct faulty *f)
{
	pthread_mutex_lock(&f->lock);
	char *requests = mem_dup_z(buf_z(&f->requests));
	pthread_mutex_unlock(&f->lock);
	return requests;
}

unsigned faulty_free_port(void)
{
	for (;;) {
		unsigned port = FREE_PORTS_FIRST + arc4random_uniform(FREE_PORTS_COUNT);
		struct sockaddr_in address = loopback(port);
		int listener = listen_at((struct sockaddr *)&address, sizeof address);

		if (listener >= 0) {
			close(listener);
			return port;
		}
	}
}
