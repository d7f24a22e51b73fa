#include "support/faulty.h"

#include <arpa/inet.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"

#define LOOK_MS 1
#define REQUESTS_LIMIT ((size_t)64 << 20)
#define BLOCK_BYTES ((size_t)64 << 10)
#define FREE_PORTS_FIRST 20000u /* below Linux's ephemeral ports */
#define FREE_PORTS_COUNT 12000u

struct faulty {
	pthread_t thread;
	pthread_mutex_t lock; /* protects the next three members */
	unsigned accepted;
	size_t sent;
	struct buf requests;

	/* constant while the thread runs */
	int over_fd; /* becomes readable when the thread must end */
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

/* False when the server must end. */
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

/* --- responses --- */

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
		pthread_mutex_lock(&v->faulty->lock);
		v->faulty->sent += (size_t)count;
		pthread_mutex_unlock(&v->faulty->lock);
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

/* Adds text, with the words for single bytes replaced. */
static void add_text(struct buf *out, struct str text)
{
	for (; text.len; text = str_skip(text, 1)) {
		bool word = str_starts(text, FAULTY_NUL) || str_starts(text, FAULTY_ONE_BYTE);

		text = str_skip(text, word);
		buf_add_byte(out, word ? text.ptr[0] == '1' : text.ptr[0]);
	}
}

/* Sends the text in large blocks, as a flood. 0 times: until the client closes. */
static bool repeat(struct visit *v, struct str text, size_t count)
{
	struct buf block;
	bool open = true, endless = !count;
	size_t in_block = 0;

	buf_init(&block, BLOCK_BYTES + text.len);
	for (; block.len < BLOCK_BYTES && (endless || in_block < count); in_block++)
		add_text(&block, text);
	while (open && (endless || count)) {
		size_t now = endless || count > in_block ? in_block : count;

		open = send_all(v, str_head(buf_str(&block), now * (block.len / in_block)));
		count -= endless ? 0 : now;
	}
	buf_fini(&block);
	return open;
}

/* Reads until the client closes the connection. */
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

static unsigned port_of(const struct sockaddr_storage *address)
{
	return ntohs(address->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)address)->sin6_port : ((const struct sockaddr_in *)address)->sin_port);
}

/* Number of bytes in the kernel that the client has not read; 0 also if there is no such connection any more. */
static unsigned unread_bytes(const char *table, unsigned client_port, unsigned server_port)
{
	FILE *file = fopen(table, "re");
	unsigned local, remote, unread = 0, found = 0;
	char line[400];

	while (file && !found && fgets(line, sizeof line, file))
		if (sscanf(line, " %*u: %*[0-9A-F]:%x %*[0-9A-F]:%x %*x %*x:%x", &local, &remote, &unread) == 3)
			found = local == client_port && remote == server_port;
	if (file)
		fclose(file);
	return found ? unread : 0;
}

/* Waits until the client has read everything, by the kernel's tables; false when the server must end. */
static bool await_read(struct visit *v)
{
	struct sockaddr_storage client, server;
	socklen_t client_size = sizeof client, server_size = sizeof server;
	struct pollfd over = { .fd = v->faulty->over_fd, .events = POLLIN };
	int unsent = 0;

	if (getpeername(v->fd, (struct sockaddr *)&client, &client_size) || getsockname(v->fd, (struct sockaddr *)&server, &server_size))
		return true;
	const char *table = client.ss_family == AF_INET6 ? "/proc/net/tcp6" : "/proc/net/tcp";
	while ((ioctl(v->fd, SIOCOUTQ, &unsent) == 0 && unsent > 0) || unread_bytes(table, port_of(&client), port_of(&server)))
		if (poll(&over, 1, LOOK_MS) > 0)
			return false;
	return true;
}

/* Copies data in one direction of a tunnel; false at its end. */
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

/* Removes the text up to the word that ends it, and that word. */
static struct str take_text(struct str *rest)
{
	struct str text = str_head(*rest, str_find(*rest, STR("\001e")));

	*rest = str_skip(*rest, text.len + 2);
	return text;
}

/* Executes the word at `*rest` and removes it; false: the script ends here. */
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
		return await_read(v);
	case '0':
		return send_all(v, str_of("", 1));
	case '1':
		return send_all(v, STR("\001"));
	case 'f':
		return str_split(rest, ';', &count) && str_to_int(count, &number) && fill(v, (size_t)number);
	case 'n':
		return str_split(rest, ';', &count) && str_to_int(count, &number) && repeat(v, take_text(rest), (size_t)number);
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

/* --- creation --- */

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

char *faulty_script(const char *head, struct str bytes)
{
	struct buf script = { 0 };

	buf_add_z(&script, head);
	for (size_t i = 0; i < bytes.len; i++) {
		if ((unsigned char)bytes.ptr[i] > 1)
			buf_add_byte(&script, bytes.ptr[i]);
		else
			buf_add_z(&script, bytes.ptr[i] ? FAULTY_ONE_BYTE : FAULTY_NUL);
	}
	return buf_take(&script);
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

size_t faulty_sent(struct faulty *f)
{
	pthread_mutex_lock(&f->lock);
	size_t sent = f->sent;
	pthread_mutex_unlock(&f->lock);
	return sent;
}

char *faulty_requests(struct faulty *f)
{
	pthread_mutex_lock(&f->lock);
	char *requests = mem_dup_z(buf_z(&f->requests));
	pthread_mutex_unlock(&f->lock);
	return requests;
}

/* A socket that is bound and does not listen: connections are refused, while a server that shares the port may bind and listen. */
unsigned faulty_free_port(void)
{
	for (;;) {
		unsigned port = FREE_PORTS_FIRST + arc4random_uniform(FREE_PORTS_COUNT);
		struct sockaddr_in address = loopback(port);
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;

		if (fd < 0)
			abort();
		if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0)
			return port; /* stays bound until the process ends */
		close(fd);
	}
}
