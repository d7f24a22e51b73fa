#include "net/httpd_inside.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

bool httpd_open(struct httpd **httpd, unsigned port, const struct httpd_ops *ops, void *ctx, struct error *err)
{
	struct httpd *h;

	if (port > 65535)
		return error_set(err, "%u is not a port number: it must be 0 to 65535", port);
	h = mem_new(sizeof *h);
	*h = (struct httpd){ .listen_fd = -1, .ops = ops, .ctx = ctx, .watch = watch_new() };
	if (!h->watch || !peers_listen(h, port)) {
		error_set(err, "cannot listen on 127.0.0.1 port %u: %s", port, strerror(errno));
		httpd_free(h);
		return false;
	}
	*httpd = h;
	return true;
}

void httpd_free(struct httpd *httpd)
{
	if (!httpd)
		return;
	for (struct peer *peer = httpd->peers; peer; peer = peer->next)
		peer->gone = true;
	peers_sweep(httpd);
	if (httpd->listen_fd >= 0)
		close(httpd->listen_fd);
	watch_free(httpd->watch);
	mem_free(httpd);
}

unsigned httpd_port(const struct httpd *httpd)
{
	struct sockaddr_in address = { .sin_port = 0 };
	socklen_t size = sizeof address;

	getsockname(httpd->listen_fd, (struct sockaddr *)&address, &size);
	return ntohs(address.sin_port);
}

size_t httpd_fds(const struct httpd *httpd, struct pollfd *fds, size_t room)
{
	return watch_fds(httpd->watch, fds, room);
}

int64_t httpd_deadline(const struct httpd *httpd)
{
	return peers_deadline(httpd);
}

void httpd_run(struct httpd *httpd, int64_t now_ms)
{
	httpd->now_ms = now_ms;
	httpd->held_bytes = 0;
	for (const struct peer *peer = httpd->peers; peer; peer = peer->next)
		httpd->held_bytes += peer->in.len + peer->out.len + (peer->visit.kept_most ? peer->visit.kept_most : peer->visit.body.len);
	peers_run(httpd);
	for (struct peer *peer = httpd->peers; peer; peer = peer->next) {
		visit_run(peer);
		peer_watch(peer);
	}
	peers_sweep(httpd);
}
