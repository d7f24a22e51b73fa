#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loopback.h"
#include "support/check.h"

/* HTTP/2 over TLS with a certificate that nobody trusts, by nghttpd; it and openssl may be missing. */
struct place {
	char folder[64];
	char key[96], certificate[96];
	unsigned port;
	pid_t server;
};

/* Starts a program that reads and writes nothing here. */
static pid_t spawn(const char *const *args)
{
	pid_t child = fork();

	if (child)
		return child;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	/* nghttpd is in a folder for administrators. */
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	execvp(args[0], (char *const *)(uintptr_t)args);
	_exit(127);
}

static bool make_certificate(struct place *p)
{
	const char *const args[] = { "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", p->key, "-out",
		                     p->certificate, "-subj", "/CN=weir test", "-addext", "subjectAltName=IP:127.0.0.1", NULL };
	int status;

	return waitpid(spawn(args), &status, 0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool has_program(const char *name)
{
	static const char *const folders[] = { "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin" };
	char path[100];

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folders[i], name);
		if (access(path, X_OK) == 0)
			return true;
	}
	return false;
}

static bool open_place(struct place *p)
{
	struct scripted *free_port = scripted_new("", false);
	char port[12], page[96];
	FILE *file;

	strcpy(p->folder, "/tmp/weir-tls-XXXXXX");
	CU_ASSERT_FATAL(mkdtemp(p->folder) != NULL);
	snprintf(p->key, sizeof(p->key), "%s/key", p->folder);
	snprintf(p->certificate, sizeof(p->certificate), "%s/certificate", p->folder);
	snprintf(page, sizeof(page), "%s/page", p->folder);
	file = fopen(page, "w");
	CU_ASSERT_FATAL(file != NULL);
	fputs("hello over h2", file);
	fclose(file);
	p->port = scripted_port(free_port);
	scripted_free(free_port);
	snprintf(port, sizeof(port), "%u", p->port);
	if (!make_certificate(p))
		return false;
	p->server = spawn((const char *const[]){ "nghttpd", "-a", "127.0.0.1", "-d", p->folder, port, p->key, p->certificate, NULL });
	return true;
}

static void close_place(struct place *p)
{
	static const char *const files[] = { "key", "certificate", "page" };
	char path[96];

	if (p->server > 0) {
		kill(p->server, SIGKILL);
		waitpid(p->server, NULL, 0);
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", p->folder, files[i]);
		unlink(path);
	}
	rmdir(p->folder);
}

static void get(struct http *http, const struct place *p, const char *ca_file, struct recorder *r)
{
	struct loop loop = { .http = http };
	char url[100];
	struct http_request request = { .method = "GET", .url = url, .connect_timeout_ms = 10000, .ca_file = ca_file };
	struct source_sink sink = recorder_sink(r);
	struct source *source = NULL;
	struct error err;

	snprintf(url, sizeof(url), "https://127.0.0.1:%u/page", p->port);
	CU_ASSERT_FATAL(http_start(http, &request, &sink, &source, &err));
	loop_until(&loop, &r->ends, 1);
	source_free(source);
}

/* The server may need a moment until it listens. */
static void get_patiently(struct http *http, const struct place *p, const char *ca_file, struct recorder *r)
{
	for (int tries = 0; tries < 100; tries++) {
		recorder_init(r);
		get(http, p, ca_file, r);
		if (!str_ends(buf_str(&r->detail), "refused"))
			return;
		recorder_fini(r);
		usleep(50000);
	}
	recorder_init(r);
}

static void trusts_only_what_it_is_told_to(void)
{
	struct place place = { .server = 0 };
	struct http *http = http_new();
	struct recorder r;

	if (!has_program("nghttpd") || !has_program("openssl")) {
		check_skip("nghttpd or openssl is not installed");
		http_free(http);
		return;
	}
	CU_ASSERT_FATAL(open_place(&place));
	get_patiently(http, &place, NULL, &r);
	CHECK_STR(buf_str(&r.log), "end cut\n");
	CU_ASSERT(str_find_nocase(buf_str(&r.detail), STR("TLS failed: SSL certificate problem")));
	recorder_fini(&r);
	get_patiently(http, &place, place.certificate, &r);
	CU_ASSERT_EQUAL(r.status, 200);
	CHECK_STR(buf_str(&r.body), "hello over h2");
	CU_ASSERT(str_ends(buf_str(&r.log), "end closed\n"));
	CU_ASSERT(str_find_nocase(buf_str(&r.headers), STR("server=nghttpd")));
	recorder_fini(&r);
	http_free(http);
	close_place(&place);
}

const struct suite suite_tls = { "tls", (const struct test[]){ TEST(trusts_only_what_it_is_told_to), { 0 } } };
