#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/wire_log.h"
#include "support/check.h"

static char folder[] = "/tmp/weir-log-XXXXXX";
static char path[64];

static void begin(struct wire_log **log)
{
	struct error err = { "" };

	setlocale(LC_CTYPE, "C.UTF-8");
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/log", folder);
	CHECK(wire_log_open(log, path, &err), "%s", err.text);
}

/* Closes the log and returns its lines without the times. */
static void end(struct wire_log *log, struct buf *lines)
{
	struct error err = { "" };
	struct buf text = { 0 };
	struct str rest, line;

	CHECK(wire_log_close(log, &err), "%s", err.text);
	CHECK(buf_read_file(&text, path, &err), "%s", err.text);
	rest = buf_str(&text);
	while (str_split(&rest, '\n', &line)) {
		buf_add(lines, str_skip(line, strlen("12:00:00.000 ")));
		buf_add_byte(lines, '\n');
	}
	buf_fini(&text);
	unlink(path);
	rmdir(folder);
}

static void check_log(unsigned transfer, enum wire_log_kind kind, const char *bytes, const char *expected)
{
	struct wire_log *log;
	struct buf lines = { 0 };

	begin(&log);
	wire_log_add(log, transfer, kind, str_from(bytes));
	end(log, &lines);
	CHECK_STR(buf_str(&lines), expected);
	buf_fini(&lines);
}

static void a_body_is_one_line_for_each_piece(void)
{
	check_log(7, WIRE_BODY_IN, "data: {\"a\":\"\\n\"}\r\n\n", "7 { data: {\"a\":\"\\\\n\"}\\r\\n\\n\n");
	check_log(1, WIRE_BODY_OUT, "{}", "1 } {}\n");
	check_log(1, WIRE_BODY_OUT, "", "");
}

static void what_is_not_harmless_is_escaped(void)
{
	check_log(1, WIRE_BODY_IN, "\x1B]52;c;aGk=\a\x7F", "1 { \\x1B]52;c;aGk=\\x07\\x7F\n");
	check_log(1, WIRE_BODY_IN, "\xFF \xC2\x9B \xE2\x80\xAE \xC3\xA4\xE4\xB8\xAD", "1 { \\xFF \\xC2\\x9B \\xE2\\x80\\xAE \xC3\xA4\xE4\xB8\xAD\n");
	check_log(1, WIRE_HEAD_IN, "x-id: a\x1B[2J\r\n", "1 < x-id: a\\x1B[2J\n");
}

static void secrets_are_masked_by_name(void)
{
	check_log(1, WIRE_HEAD_OUT, "POST /v1?key=abc&model=m HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer abc\r\nX-Api-Key:abc\r\n\r\n",
	          "1 > POST /v1?key=...&model=m HTTP/1.1\n1 > Host: h\n1 > Authorization: ...\n1 > X-Api-Key: ...\n1 > \n");
	check_log(1, WIRE_SAID, "[HTTP/2] [1] [authorization: Bearer abc]\n", "1 * [HTTP/2] [1] [authorization: ...\n");
	check_log(1, WIRE_HEAD_IN, "set-cookie: session=abc\r\n", "1 < set-cookie: ...\n");
	check_log(1, WIRE_SAID, "Uses proxy env variable https_proxy == 'http://user:abc@127.0.0.1:8080'\n",
	          "1 * Uses proxy env variable https_proxy == 'http://...@127.0.0.1:8080'\n");
	check_log(1, WIRE_SAID, "Uses proxy env variable https_proxy == 'user:a(b)'c@127.0.0.1:8080'\n",
	          "1 * Uses proxy env variable https_proxy == ...@127.0.0.1:8080'\n");
	check_log(1, WIRE_SAID, "Proxy auth using Basic with user 'me'\n", "1 * Proxy auth using Basic\n");
	check_log(1, WIRE_SAID, "issuer: me@h; at 12:30, POST /v1/m:x@1\n", "1 * issuer: me@h; at 12:30, POST /v1/m:x@1\n");
	check_log(1, WIRE_SAID, "h2h3 [:path: /v1?key=abc&model=m]\n", "1 * h2h3 [:path: /v1?key=...&model=m]\n");
	check_log(1, WIRE_HEAD_IN, "location: https://me:abc@h/p?token=abc\r\n", "1 < location: https://...@h/p?token=...\n");
}

/* A server may send without end; no line is truncated. */
static void has_a_ceiling(void)
{
	struct wire_log *log;
	struct error err = { "" };
	struct buf lines = { 0 };

	begin(&log);
	wire_log_limit(log, 1000);
	for (int i = 0; i < 1000; i++)
		wire_log_add(log, 1, WIRE_BODY_IN, STR("0123456789"));
	CU_ASSERT_FALSE(wire_log_close(log, &err));
	CHECK(strstr(err.text, "is incomplete: File too large"), "%s", err.text);
	CU_ASSERT(buf_read_file(&lines, path, &err));
	CHECK(lines.len > 900 && lines.len <= 1000 && str_ends(buf_str(&lines), "0123456789\n"), "%s", buf_z(&lines));
	remove(path);
	buf_fini(&lines);
}

static void only_its_owner_may_read_it_and_nothing_is_overwritten(void)
{
	struct wire_log *log, *other;
	struct error err = { "" };
	struct stat status;
	struct buf lines = { 0 };

	begin(&log);
	CU_ASSERT_EQUAL(stat(path, &status), 0);
	CU_ASSERT_EQUAL(status.st_mode & 07777, 0600);
	CU_ASSERT_FALSE(wire_log_open(&other, path, &err));
	CHECK(strstr(err.text, "exists already"), "%s", err.text);
	end(log, &lines);
	buf_fini(&lines);
}

const struct suite suite_wire_log = { "wire_log", (const struct test[]){
	TEST(a_body_is_one_line_for_each_piece),
	TEST(what_is_not_harmless_is_escaped),
	TEST(secrets_are_masked_by_name),
	TEST(has_a_ceiling),
	TEST(only_its_owner_may_read_it_and_nothing_is_overwritten),
	{ 0 },
} };
