#include "support/secure.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"
#include "support/faulty.h"

#define LOOK_US 5000

struct secure {
	char folder[64], key[96], request[96], names[96], certificate[96], types[96], received[96];
	unsigned port;
	pid_t server;
	int input; /* of the server process */
};

/* Starts a program in a folder. It reads from `input` (-1: nothing) and writes to the file `output` (NULL: nowhere). */
static pid_t spawn(const char *folder, const char *const *args, int input, const char *output)
{
	pid_t child = fork();

	if (child)
		return child;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int file = output ? open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : null;
	dup2(input < 0 ? null : input, 0);
	dup2(file, 1);
	dup2(null, 2);
	/* nghttpd is in an sbin folder. */
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	if (chdir(folder) == 0)
		execvp(args[0], (char *const *)(uintptr_t)args);
	_exit(127);
}

static bool run(const struct secure *s, const char *const *args)
{
	int status;

	return waitpid(spawn(s->folder, args, -1, NULL), &status, 0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool has_program(const char *name)
{
	static const char *const folders[] = { "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin" };
	char path[100];

	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", folders[i], name);
		if (access(path, X_OK) == 0)
			return true;
	}
	return false;
}

static void write_file(const char *path, struct str content)
{
	FILE *file = fopen(path, "w");

	CU_ASSERT_FATAL(file && fwrite(content.ptr, 1, content.len, file) == content.len && fclose(file) == 0);
}

/* --- certificates --- */

static bool is_old(enum secure_kind kind)
{
	return kind == SECURE_TLS_1_0 || kind == SECURE_TLS_1_1;
}

/* Old versions have only signature algorithms that are rejected today; RSA key exchange needs none. */
static bool make_certificate(const struct secure *s, enum secure_kind server, enum secure_certificate kind)
{
	static const char *const names[] = {
		[SECURE_OURS] = "subjectAltName=IP:127.0.0.1,IP:::1,DNS:" SECURE_NAME "\n",
		[SECURE_EXPIRED] = "subjectAltName=IP:127.0.0.1,IP:::1,DNS:" SECURE_NAME "\n",
		[SECURE_FOREIGN] = "subjectAltName=DNS:elsewhere.invalid\n",
		[SECURE_NAMED] = "basicConstraints=CA:TRUE\n",
	};
	const char *const ask[] = { "openssl", "req", "-new", "-newkey", is_old(server) ? "rsa" : "ec", "-pkeyopt",
		                    is_old(server) ? "rsa_keygen_bits:2048" : "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", s->key, "-out", s->request, "-subj", "/CN=" SECURE_SUBJECT, NULL };
	const char *const sign[] = { "openssl", "x509", "-req", "-in", s->request, "-key", s->key, "-days", kind == SECURE_EXPIRED ? "0" : "2",
		                     "-extfile", s->names, "-out", s->certificate, NULL };

	write_file(s->names, str_from(names[kind]));
	return run(s, ask) && run(s, sign);
}

/* Those of a kind are made once in a suite. */
static bool have_certificate(const struct secure *s, enum secure_kind server, enum secure_certificate kind)
{
	static struct { struct buf key, certificate; } made[2][SECURE_NAMED + 1];
	struct buf *key = &made[is_old(server)][kind].key, *certificate = &made[is_old(server)][kind].certificate;
	struct error err;

	if (!certificate->len)
		return make_certificate(s, server, kind) && buf_read_file(key, s->key, &err) && buf_read_file(certificate, s->certificate, &err);
	write_file(s->key, buf_str(key));
	write_file(s->certificate, buf_str(certificate));
	return true;
}

/* --- servers --- */

static bool lists(const char *table, const char *entry)
{
	struct buf text;
	struct error err;
	bool found;

	buf_init(&text, (size_t)16 << 20);
	found = buf_read_file(&text, table, &err) && strstr(buf_z(&text), entry);
	buf_fini(&text);
	return found;
}

/* Asks the kernel, because a trial connection would be a client to the server. */
static bool is_listening(const struct secure *s)
{
	char ipv4[64], ipv6[64];

	snprintf(ipv4, sizeof ipv4, ":%04X 00000000:0000 0A", s->port);
	snprintf(ipv6, sizeof ipv6, ":%04X 00000000000000000000000000000000:0000 0A", s->port);
	return lists("/proc/net/tcp", ipv4) || lists("/proc/net/tcp6", ipv6);
}

static bool start(struct secure *s, enum secure_kind kind)
{
	char port[12];
	const char *const h2[] = { "nghttpd", "-a", "127.0.0.1", "-d", s->folder, "--mime-types-file", s->types, port, s->key, s->certificate, NULL };
	const char *const h1[] = { "openssl", "s_server", "-HTTP", "-quiet", "-accept", port, "-key", s->key, "-cert", s->certificate, NULL };
	const char *const frames[] = { "openssl", "s_server", "-alpn", "h2", "-naccept", "1", "-quiet", "-accept", port, "-key", s->key, "-cert", s->certificate, NULL };
	const char *const either[] = { "openssl", "s_server", "-alpn", "h2,http/1.1", "-quiet", "-accept", port, "-key", s->key, "-cert", s->certificate, NULL };
	const char *const bytes[] = { "openssl", "s_server", "-quiet", "-accept", port, "-key", s->key, "-cert", s->certificate, NULL };
	const char *const old[] = { "openssl", "s_server", "-quiet", "-accept", port, "-key", s->key, "-cert", s->certificate,
		                    kind == SECURE_TLS_1_0 ? "-tls1" : "-tls1_1", "-cipher", "AES128-SHA:@SECLEVEL=0", NULL };
	const char *const *const programs[] = { [SECURE_H2] = h2, [SECURE_H1] = h1, [SECURE_FRAMES] = frames, [SECURE_EITHER] = either, [SECURE_BYTES] = bytes,
		                                [SECURE_TLS_1_0] = old, [SECURE_TLS_1_1] = old };
	int input[2];

	s->port = faulty_free_port();
	snprintf(port, sizeof port, "%u", s->port);
	write_file(s->types, STR("text/event-stream sse\napplication/json json\napplication/x-ndjson ndjson\ntext/plain txt\n"));
	CU_ASSERT_FATAL(pipe2(input, O_CLOEXEC) == 0);
	s->server = spawn(s->folder, programs[kind], input[0], s->received);
	s->input = input[1];
	close(input[0]);
	for (int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS; check_now_ms() < give_up_ms; usleep(LOOK_US))
		if (is_listening(s))
			return true;
	return false;
}

/* --- creation --- */

struct secure *secure_new(enum secure_kind kind, enum secure_certificate certificate)
{
	struct secure *s;

	if (!has_program("openssl") || (kind == SECURE_H2 && !has_program("nghttpd"))) {
		check_skip("nghttpd or openssl is not installed");
		return NULL;
	}
	s = mem_new(sizeof *s);
	strcpy(s->folder, "/tmp/weir-tls-XXXXXX");
	CU_ASSERT_FATAL(mkdtemp(s->folder) != NULL);
	snprintf(s->key, sizeof s->key, "%s/key", s->folder);
	snprintf(s->request, sizeof s->request, "%s/request", s->folder);
	snprintf(s->names, sizeof s->names, "%s/names", s->folder);
	snprintf(s->certificate, sizeof s->certificate, "%s/certificate", s->folder);
	snprintf(s->types, sizeof s->types, "%s/types", s->folder);
	snprintf(s->received, sizeof s->received, "%s/received", s->folder);
	CU_ASSERT_FATAL(have_certificate(s, kind, certificate) && start(s, kind));
	return s;
}

void secure_end(struct secure *s)
{
	if (s->server > 0) {
		kill(s->server, SIGKILL);
		waitpid(s->server, NULL, 0);
		close(s->input);
	}
	s->server = 0;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
	(void)facts;
	(void)kind;
	(void)place;
	return remove(path);
}

void secure_free(struct secure *s)
{
	if (!s)
		return;
	secure_end(s);
	nftw(s->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	mem_free(s);
}

unsigned secure_port(const struct secure *s)
{
	return s->port;
}

const char *secure_ca_file(const struct secure *s)
{
	return s->certificate;
}

void secure_send(struct secure *s, struct str bytes)
{
	CU_ASSERT_EQUAL(write(s->input, bytes.ptr, bytes.len), (ssize_t)bytes.len);
}

char *secure_received(const struct secure *s)
{
	struct buf bytes = { 0 };
	struct error err;

	CHECK(buf_read_file(&bytes, s->received, &err), "%s", err.text);
	buf_add_byte(&bytes, '\0');
	return buf_take(&bytes);
}

bool secure_has(const struct secure *s, struct str wanted)
{
	struct buf bytes = { 0 };
	struct error err;

	CHECK(buf_read_file(&bytes, s->received, &err), "%s", err.text);
	bool has = str_find(buf_str(&bytes), wanted) < bytes.len;
	buf_fini(&bytes);
	return has;
}

bool secure_await(const struct secure *s, const char *text)
{
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;

	while (!secure_has(s, str_from(text)) && check_now_ms() < give_up_ms)
		usleep(LOOK_US);
	return secure_has(s, str_from(text));
}

void secure_serve(struct secure *s, const char *name, struct str content)
{
	char path[128];

	snprintf(path, sizeof path, "%s/%s", s->folder, name);
	write_file(path, content);
}
