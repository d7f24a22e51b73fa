#include "net/port_probe.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/check.h"
#include "support/faulty.h"

static enum port_probe_state port_probe_at(const char *url)
{
	struct port_probe k;
	struct pollfd fd;

	port_probe_begin(&k, str_from(url), 1000);
	if (port_probe_fd(&k, &fd))
		CU_ASSERT_EQUAL(poll(&fd, 1, 10000), 1);
	port_probe_run(&k, 1000);
	port_probe_end(&k);
	return k.state;
}

static enum port_probe_state port_probe_at_port(const char *format, unsigned port)
{
	char url[100];

	snprintf(url, sizeof url, format, port);
	return port_probe_at(url);
}

static void tells_whether_something_listens(void)
{
	struct faulty *f = FAULTY_ONE(FAULTY_HANG);
	unsigned port = faulty_port(f), closed = faulty_free_port();

	CU_ASSERT_EQUAL(port_probe_at_port("http://127.0.0.1:%u/v1", port), PORT_PROBE_LISTENS);
	CU_ASSERT_EQUAL(port_probe_at_port("http://localhost:%u", port), PORT_PROBE_LISTENS);
	CU_ASSERT_EQUAL(port_probe_at_port("https://127.0.0.1:%u/", port), PORT_PROBE_LISTENS);
	CU_ASSERT_EQUAL(port_probe_at_port("http://127.0.0.1:%u/v1", closed), PORT_PROBE_SILENT);
	CU_ASSERT_EQUAL(port_probe_at_port("http://[::1]:%u/v1", closed), PORT_PROBE_SILENT);
	faulty_free(f);
}

static void other_hosts_are_left_alone(void)
{
	static const char *const urls[] = {
		"http://10.0.0.1:80", "http://example.com", "https://128.0.0.1", "http://0.0.0.0:80", "http://[::]:80", "http://[2001:db8::1]:80", "ftp://127.0.0.1",
		"http://127.0.0.1:99999", "http://127.0.0.1:x", "http://127.0.0.1.example.com", "http://user@127.0.0.1", "http://[", "http://", "",
	};

	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
		CHECK(port_probe_at(urls[i]) == PORT_PROBE_NONE, "%s", urls[i]);
}

/* The queue of a socket that nobody accepts from is full: the next one waits, and not longer than it may. */
static void waits_no_longer_than_it_may(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof at;
	struct port_probe waiting[8];
	int fd = socket(AF_INET, SOCK_STREAM, 0), fill[3];
	char url[60];

	CU_ASSERT_EQUAL_FATAL(bind(fd, (struct sockaddr *)&at, size), 0);
	CU_ASSERT_EQUAL_FATAL(listen(fd, 0), 0);
	CU_ASSERT_EQUAL_FATAL(getsockname(fd, (struct sockaddr *)&at, &size), 0);
	for (int i = 0; i < 3; i++) {
		fill[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		(void)!connect(fill[i], (struct sockaddr *)&at, size);
	}
	snprintf(url, sizeof url, "http://127.0.0.1:%u", ntohs(at.sin_port));
	size_t last = 0;
	for (size_t i = 0; i < 8; i++) {
		port_probe_begin(&waiting[i], str_from(url), 1000);
		last = waiting[i].state == PORT_PROBE_WAITING ? i : last;
	}
	CU_ASSERT_EQUAL_FATAL(waiting[last].state, PORT_PROBE_WAITING);
	port_probe_run(&waiting[last], 1299);
	CU_ASSERT_EQUAL(waiting[last].state, PORT_PROBE_WAITING);
	port_probe_run(&waiting[last], 1300);
	CU_ASSERT_EQUAL(waiting[last].state, PORT_PROBE_SILENT);
	for (size_t i = 0; i < 8; i++)
		port_probe_end(&waiting[i]);
	for (int i = 0; i < 3; i++)
		close(fill[i]);
	close(fd);
}

const struct suite suite_port_probe = { "port_probe", (const struct test[]){
	TEST(tells_whether_something_listens), TEST(other_hosts_are_left_alone), TEST(waits_no_longer_than_it_may), { 0 } } };
