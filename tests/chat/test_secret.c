#include "chat/exchange/secret.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/source.h"
#include "support/check.h"
#include "talk.h"

static struct talk talk;

static void begin(void)
{
	talk_init(&talk);
}

static void end(void)
{
	talk_fini(&talk);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	fclose(file);
	chmod(path, 0600);
}

/* Runs a lookup to its end. */
static struct secret *look_up(void)
{
	struct secret *s = secret_new(talk.provider, talk_environment, clock_now_ms());

	while (secret_state(s) == SECRET_WAITING) {
		struct pollfd fd;
		int64_t wait = secret_deadline(s) - clock_now_ms();

		if (secret_fd(s, &fd))
			poll(&fd, 1, wait < 0 ? 0 : (int)wait);
		else
			poll(NULL, 0, wait < 0 ? 0 : (int)wait);
		secret_run(s, clock_now_ms());
	}
	return s;
}

static void finds(const char *key)
{
	struct secret *s = look_up();

	CHECK(secret_state(s) == SECRET_FOUND, "%s", secret_error(s)->text);
	CHECK_STR(secret_value(s), key);
	secret_free(s);
}

/* Expects an error that names the source and never what may be a key. */
static void fails(const char *words)
{
	struct secret *s = look_up();

	CHECK(secret_state(s) == SECRET_FAILED, "%s", words);
	CHECK(strstr(secret_error(s)->text, words) != NULL, "\"%s\" in: %s", words, secret_error(s)->text);
	CHECK(strstr(secret_error(s)->text, "sk-") == NULL, "%s", secret_error(s)->text);
	CHECK_STR(secret_value(s), "");
	secret_free(s);
}

static void from_the_environment(void)
{
	begin();
	finds(TALK_KEY);
	talk_set_variable("BOX_API_KEY", "  sk-1\n");
	finds("sk-1");
	talk_set_variable("BOX_API_KEY", NULL);
	fails("BOX_API_KEY");
	talk_set_variable("BOX_API_KEY", "sk-1\x01");
	fails("BOX_API_KEY");
	talk_set_variable("BOX_API_KEY", "sk-1 sk-2");
	fails("BOX_API_KEY");
	end();
}

static void none_is_needed(void)
{
	struct secret *s;

	begin();
	talk_set_variable("BOX_API_KEY", NULL);
	talk.provider->key_optional = true;
	s = look_up();
	CU_ASSERT(secret_state(s) == SECRET_ABSENT);
	secret_free(s);
	talk_set_variable("BOX_API_KEY", "sk-1");
	talk_set(&talk, "auth", "none");
	s = look_up();
	CU_ASSERT(secret_state(s) == SECRET_ABSENT);
	secret_free(s);
	end();
}

static void from_a_file(void)
{
	char *path = talk_path("key"), *missing = talk_path("missing");

	begin();
	talk_set(&talk, "key_file", path);
	write_file(path, "sk-file\nsecond line\n");
	finds("sk-file");
	write_file(path, "\nsk-late\n");
	fails(path);
	write_file(path, "");
	fails(path);
	talk_set(&talk, "key_file", missing);
	fails("No such file");
	talk_set(&talk, "key_file", "/tmp");
	fails("regular file");
	write_file(path, "sk-file");
	chmod(path, 0640);
	talk_set(&talk, "key_file", path);
	fails("others may read it (mode 0640). Run: chmod 600 ");
	mem_free(path);
	mem_free(missing);
	end();
}

static void from_a_file_at_home(void)
{
	char *path = talk_path("home-key"), *home = talk_path("");

	begin();
	talk_set_variable("HOME", home);
	write_file(path, "sk-home");
	talk_set(&talk, "key_file", "~/home-key");
	finds("sk-home");
	mem_free(path);
	mem_free(home);
	end();
}

static void a_pipe_is_not_waited_for(void)
{
	char *path = talk_path("fifo");

	begin();
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	talk_set(&talk, "key_file", path);
	fails("regular file");
	mem_free(path);
	end();
}

static void from_a_command(void)
{
	begin();
	talk_set(&talk, "key_command", "printf sk-command");
	finds("sk-command");
	talk_set(&talk, "key_command", "  printf   \"sk-%s\\n\"two  \"a b\" ");
	fails("printf"); /* "sk-a b": quotes group */
	talk_set(&talk, "key_command", "printf sk-\"one\"\\nsecond");
	finds("sk-one");
	talk_set(&talk, "key_command", "echo $HOME;x");
	finds("$HOME;x");
	end();
}

static void commands_that_fail(void)
{
	begin();
	talk_set(&talk, "key_command", "false");
	fails("exit status 1");
	talk_set(&talk, "key_command", "weir-no-such-program sk-secret");
	fails("cannot run weir-no-such-program");
	talk_set(&talk, "key_command", "echo \"sk-open");
	fails("quote");
	talk_set(&talk, "key_command", "true");
	fails("true printed no key");
	talk_set(&talk, "key_command", "sh -c \"kill -9 $$\"");
	fails("signal 9");
	talk_set(&talk, "key_command", "head -c 100000 /dev/zero");
	fails("too long");
	end();
}

static void a_long_output_does_not_block_the_command(void)
{
	begin();
	talk_set(&talk, "key_command", "sh -c \"echo sk-first; head -c 300000 /dev/zero\"");
	finds("sk-first");
	end();
}

/* Waits until a process writes to the pipe, or none has its other end open. */
static short await_writers(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	CHECK(poll(&wait, 1, CHECK_PATIENCE_MS) > 0, "nothing happens to the pipe");
	return wait.revents;
}

/* A background child keeps the pipe open, as key agents do. It waits for what the test writes afterwards. */
static void a_background_child_is_not_waited_for(void)
{
	char *path = talk_path("agent");
	char command[300];

	begin();
	CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
	snprintf(command, sizeof command, "sh -c \"cat %s & echo sk-agent\"", path);
	talk_set(&talk, "key_command", command);
	finds("sk-agent");
	close(open(path, O_WRONLY | O_CLOEXEC)); /* waits for the child's open(), and lets it end */
	mem_free(path);
	end();
}

static void a_command_has_a_limit(void)
{
	struct secret *s;
	int64_t now = clock_now_ms();

	begin();
	talk_set(&talk, "key_command", "sleep 100");
	s = secret_new(talk.provider, talk_environment, now);
	CU_ASSERT(secret_state(s) == SECRET_WAITING);
	CU_ASSERT_EQUAL(secret_deadline(s), now + 10000);
	secret_run(s, now + 9999);
	CU_ASSERT(secret_state(s) == SECRET_WAITING);
	secret_run(s, now + 10000);
	CU_ASSERT(secret_state(s) == SECRET_FAILED);
	CHECK(strstr(secret_error(s)->text, "sleep did not end within 10 s"), "%s", secret_error(s)->text);
	secret_free(s);
	end();
}

/* Freeing a lookup kills the child and everything it started. */
static void freeing_ends_the_command(void)
{
	char *path = talk_path("alive");
	char command[300], begun[8];
	struct secret *s;

	begin();
	CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	snprintf(command, sizeof command, "sh -c \"{ echo begun; sleep 1000 & sleep 1000; } > %s\"", path);
	talk_set(&talk, "key_command", command);
	s = secret_new(talk.provider, talk_environment, clock_now_ms());
	CU_ASSERT(await_writers(fd) & POLLIN);
	CU_ASSERT_EQUAL(read(fd, begun, sizeof begun), 6);
	secret_free(s);
	CU_ASSERT_EQUAL(await_writers(fd) & (POLLIN | POLLHUP), POLLHUP);
	close(fd);
	mem_free(path);
	end();
}

const struct suite suite_secret = { "secret",
	(const struct test[]){
		TEST(from_the_environment),
		TEST(none_is_needed),
		TEST(from_a_file),
		TEST(from_a_file_at_home),
		TEST(a_pipe_is_not_waited_for),
		TEST(from_a_command),
		TEST(commands_that_fail),
		TEST(a_long_output_does_not_block_the_command),
		TEST(a_background_child_is_not_waited_for),
		TEST(a_command_has_a_limit),
		TEST(freeing_ends_the_command),
		{ 0 },
	} };
