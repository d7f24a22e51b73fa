#include "app/between.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"
#include "support/connect.h"

#define ARGUMENTS_MOST 20

void between_connect(struct between *b)
{
	if (b->client >= 0)
		close(b->client);
	buf_clear(&b->seen);
	b->client = connect_to_url(buf_z(&b->proxy.output));
}

void between_begin_with(struct between *b, const char *settings, const char *const *arguments, const char *const *environment)
{
	const char *all[ARGUMENTS_MOST] = { "proxy", "--config", folder_file("weir.conf", settings) };

	b->client = -1;
	for (size_t i = 0; arguments && arguments[i]; i++)
		all[i + 3] = arguments[i];
	program_start(&b->proxy, all, environment);
	CU_ASSERT_FATAL(program_await_output(&b->proxy, "\n"));
	between_connect(b);
}

static void begin_with_tapes(struct between *b, const char *settings, const char *const *arguments)
{
	const char *all[ARGUMENTS_MOST] = { "--to", "hand", "-o", b->tapes = folder_file("tapes", NULL) };

	for (size_t i = 0; arguments && arguments[i]; i++)
		all[i + 4] = arguments[i];
	between_begin_with(b, settings, all, NULL);
}

void between_begin(struct between *b, const char *const *arguments)
{
	*b = (struct between){ .hand = hand_new() };
	begin_with_tapes(b, hand_settings(b->hand, ""), arguments);
}

void between_begin_faulty(struct between *b, const char *const *scripts, const char *const *arguments)
{
	char settings[200];

	*b = (struct between){ .faulty = faulty_new(scripts) };
	snprintf(settings, sizeof settings, "[provider hand]\nbase_url = http://127.0.0.1:%u\n", faulty_port(b->faulty));
	begin_with_tapes(b, settings, arguments);
}

void between_end(struct between *b)
{
	if (b->client >= 0)
		close(b->client);
	kill(b->proxy.pid, SIGTERM);
	CU_ASSERT_EQUAL(program_wait(&b->proxy), 0);
	program_free(&b->proxy);
	hand_free(b->hand);
	faulty_free(b->faulty);
	buf_fini(&b->seen);
	folder_remove();
}

void between_ask_bytes(struct between *b, struct str request)
{
	CU_ASSERT_EQUAL(send(b->client, request.ptr, request.len, MSG_NOSIGNAL), (ssize_t)request.len);
}

void between_ask(struct between *b, const char *request)
{
	between_ask_bytes(b, str_from(request));
}

bool between_sees(struct between *b, const char *text)
{
	int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS;
	char bytes[65536];

	while (!text || !strstr(buf_z(&b->seen), text)) {
		struct pollfd fd = { .fd = b->client, .events = POLLIN };
		ssize_t count;

		if (check_now_ms() > end_ms || poll(&fd, 1, 1000) < 0)
			return false;
		count = fd.revents ? recv(b->client, bytes, sizeof bytes, 0) : -1;
		if (fd.revents && count <= 0)
			return !text;
		if (count > 0)
			buf_add(&b->seen, str_of(bytes, (size_t)count));
	}
	return true;
}

const char *between_asked(struct between *b, struct str request)
{
	between_connect(b);
	between_ask_bytes(b, request);
	CHECK(between_sees(b, NULL), "%.*s", STR_ARG(request));
	return buf_z(&b->seen);
}

size_t between_tape_count(const struct between *b)
{
	DIR *folder = opendir(b->tapes);
	struct dirent *entry;
	size_t count = 0;

	CU_ASSERT_FATAL(folder != NULL);
	while ((entry = readdir(folder)))
		count += *entry->d_name != '.';
	closedir(folder);
	return count;
}

void between_read_tape(struct between *b, const char *told, struct buf *text)
{
	struct error err = { "" };
	struct dirent *entry;
	char path[600] = "";

	CHECK(program_await_errors(&b->proxy, told), "%s", buf_z(&b->proxy.errors));
	DIR *folder = opendir(b->tapes);
	CU_ASSERT_FATAL(folder != NULL);
	while ((entry = readdir(folder)))
		if (*entry->d_name != '.')
			snprintf(path, sizeof path, "%s/%s", b->tapes, entry->d_name);
	closedir(folder);
	CHECK(buf_read_file(text, path, &err), "%s", err.text);
}
