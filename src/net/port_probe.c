#include "net/port_probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/os/descriptor.h"

#define LIMIT_MS 300
#define HOST_BYTES 64

union address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
};

/* Host and port of "http://127.0.0.1:8080/v1". */
static bool split_url(struct str url, struct str *host, long long *port)
{
	bool secure = str_starts(url, "https://");

	if (!secure && !str_starts(url, "http://"))
		return false;
	url = str_skip(url, secure ? 8 : 7);
	url = str_head(url, str_find(url, STR("/")));
	*host = str_head(url, str_starts(url, "[") ? str_find(url, STR("]")) + 1 : str_find(url, STR(":")));
	url = str_skip(url, host->len);
	*port = secure ? 443 : 80;
	return !url.len || (str_starts(url, ":") && str_to_int(str_skip(url, 1), port) && *port > 0 && *port < 65536);
}

static bool read_address(struct str host, long long port, union address *to, socklen_t *size)
{
	char text[HOST_BYTES];
	bool six = str_starts(host, "[");

	if (str_is_nocase(host, "localhost"))
		host = STR("127.0.0.1");
	if (six)
		host = str_of(host.ptr + 1, host.len - 2);
	if (!host.len || host.len >= sizeof text)
		return false;
	memcpy(text, host.ptr, host.len);
	text[host.len] = '\0';
	memset(to, 0, sizeof *to);
	if (six) {
		to->six.sin6_family = AF_INET6;
		to->six.sin6_port = htons((uint16_t)port);
		*size = sizeof to->six;
		return inet_pton(AF_INET6, text, &to->six.sin6_addr) == 1 && IN6_IS_ADDR_LOOPBACK(&to->six.sin6_addr);
	}
	to->four.sin_family = AF_INET;
	to->four.sin_port = htons((uint16_t)port);
	*size = sizeof to->four;
	return inet_pton(AF_INET, text, &to->four.sin_addr) == 1 && ntohl(to->four.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static void port_probe_close(struct port_probe *p, enum port_probe_state state)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	p->state = state;
}

void port_probe_begin(struct port_probe *p, struct str base_url, int64_t now_ms)
{
	union address to;
	socklen_t size;
	struct str host;
	long long port;

	*p = (struct port_probe){ .fd = -1, .deadline_ms = now_ms + LIMIT_MS };
	if (!split_url(base_url, &host, &port) || !read_address(host, port, &to, &size))
		return;
	p->fd = descriptor_socket(to.any.sa_family);
	if (p->fd < 0)
		return;
	if (connect(p->fd, &to.any, size) == 0)
		port_probe_close(p, PORT_PROBE_LISTENS);
	else if (errno == EINPROGRESS)
		p->state = PORT_PROBE_WAITING;
	else
		port_probe_close(p, PORT_PROBE_SILENT);
}

void port_probe_end(struct port_probe *p)
{
	if (p->state == PORT_PROBE_WAITING)
		port_probe_close(p, PORT_PROBE_NONE);
}

bool port_probe_fd(const struct port_probe *p, struct pollfd *fd)
{
	if (p->state != PORT_PROBE_WAITING)
		return false;
	*fd = (struct pollfd){ .fd = p->fd, .events = POLLOUT };
	return true;
}

void port_probe_run(struct port_probe *p, int64_t now_ms)
{
	struct pollfd fd;
	int failure = 0;
	socklen_t size = sizeof failure;

	if (!port_probe_fd(p, &fd))
		return;
	if (poll(&fd, 1, 0) > 0)
		port_probe_close(p, getsockopt(p->fd, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 && !failure ? PORT_PROBE_LISTENS
		                                                                                              : PORT_PROBE_SILENT);
	else if (now_ms >= p->deadline_ms)
		port_probe_close(p, PORT_PROBE_SILENT);
}
