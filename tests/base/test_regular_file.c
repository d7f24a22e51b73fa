#include "base/regular_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/check.h"
#include "support/home.h"

#define LIMIT 1000

static char *folder;
static struct buf text;
static struct error err;

static void begin(void)
{
	folder = home_new();
	buf_init(&text, LIMIT);
	err = (struct error){ "" };
}

static void end(void)
{
	buf_fini(&text);
	home_free(folder);
}

static void check_refused(const char *path, const char *why)
{
	buf_add(&text, STR("old"));
	CHECK(!regular_file_read(&text, path, &err), "%s was read", path);
	CHECK(strstr(err.text, why) && strstr(err.text, path), "%s: %s", path, err.text);
	CHECK_STR(buf_str(&text), "");
}

static void a_whole_file_is_read(void)
{
	begin();
	buf_add(&text, STR("old"));
	CHECK(regular_file_read(&text, home_write(folder, "a", "all of\nit"), &err), "%s", err.text);
	CHECK_STR(buf_str(&text), "all of\nit");
	CHECK(symlink("a", home_path(folder, "link")) == 0 && regular_file_read(&text, home_path(folder, "link"), &err), "%s", err.text);
	CHECK_STR(buf_str(&text), "all of\nit");
	CHECK(regular_file_read(&text, "/proc/self/comm", &err) && text.len, "a file that tells no size: %s", err.text);
	CHECK(regular_file_read(&text, "/dev/null", &err) && !text.len, "%s", err.text);
	end();
}

static void what_is_too_large_is_refused(void)
{
	begin();
	char line[LIMIT + 2];
	memset(line, 'x', LIMIT + 1);
	line[LIMIT + 1] = 0;
	check_refused(home_write(folder, "large", line), "at most 1000 bytes");
	line[LIMIT] = 0;
	CHECK(regular_file_read(&text, home_write(folder, "full", line), &err) && text.len == LIMIT, "%s", err.text);
	check_refused("/proc/self/smaps", "at most 1000 bytes");
	end();
}

/* None of these blocks the reader. */
static void only_regular_files_are_read(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	begin();
	CU_ASSERT_EQUAL(mkfifo(home_path(folder, "fifo"), 0600), 0);
	CU_ASSERT_EQUAL(symlink("fifo", home_path(folder, "to-fifo")), 0);
	snprintf(name.sun_path, sizeof name.sun_path, "%s", home_path(folder, "socket"));
	CU_ASSERT_EQUAL(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
	check_refused(home_path(folder, "fifo"), "is a pipe: only a regular file is read");
	check_refused(home_path(folder, "to-fifo"), "is a pipe");
	check_refused(folder, "is a folder");
	check_refused("/dev/zero", "is a device");
	check_refused(home_path(folder, "socket"), "cannot open ");
	check_refused(home_path(folder, "missing"), "No such file");
	check_refused("-", "cannot open -: No such file");
	close(fd);
	end();
}

static void the_descriptor_comes_with_its_stat(void)
{
	struct stat facts;

	begin();
	int fd = regular_file_open(home_write(folder, "a", "12345"), &facts, &err);
	CHECK(fd >= 0 && facts.st_size == 5, "%s", err.text);
	CU_ASSERT(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
	CU_ASSERT_EQUAL(regular_file_open(folder, NULL, &err), -1);
	end();
}

const struct suite suite_regular_file = { "regular_file", (const struct test[]){
	TEST(a_whole_file_is_read), TEST(what_is_too_large_is_refused), TEST(only_regular_files_are_read),
	TEST(the_descriptor_comes_with_its_stat), { 0 } } };
