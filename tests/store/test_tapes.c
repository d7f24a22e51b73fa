#include "store/files/tapes.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/tape.h"
#include "support/check.h"
#include "support/home.h"

#define RING "state/weir/tapes"

static char *home;

static void begin(void)
{
	home = home_new();
	setenv("XDG_STATE_HOME", home_path(home, "state"), 1);
}

static void end(void)
{
	unsetenv("XDG_STATE_HOME");
	home_free(home);
}

/* Creates a tape of `bytes` bytes that is `age` seconds old. */
static void make(const char *name, size_t bytes, long age)
{
	char place[100];
	char *text = mem_new(bytes + 1);
	struct timespec then[2] = { { .tv_sec = 1700000000 - age }, { .tv_sec = 1700000000 - age } };

	memset(text, 'x', bytes);
	snprintf(place, sizeof place, RING "/%s", name);
	home_write(home, place, text);
	CU_ASSERT(utimensat(AT_FDCWD, home_path(home, place), then, 0) == 0);
	mem_free(text);
}

static bool is_there(const char *name)
{
	char place[100];

	snprintf(place, sizeof place, RING "/%s", name);
	return home_has(home, place);
}

static mode_t mode_of(const char *place)
{
	struct stat facts;

	return stat(home_path(home, place), &facts) == 0 ? facts.st_mode & 07777 : 0;
}

static void a_path_below_folders_of_the_owner(void)
{
	struct private_folder folder;
	struct error err;
	char *path = NULL;

	mode_t old = umask(0);

	begin();
	CHECK(tapes_new_path(TAPES_OF_CHAT, &path, &folder, &err), "%s", err.text);
	CU_ASSERT(str_starts(str_from(path), home_path(home, RING "/2")) && str_ends(str_from(path), ".tape"));
	CU_ASSERT_EQUAL(mode_of(RING), 0700);
	CU_ASSERT_EQUAL(mode_of("state/weir"), 0700);
	CU_ASSERT_EQUAL(mode_of("state"), 0700);
	private_folder_close(&folder);
	mem_free(path);
	umask(old);
	end();
}

/* A path is chosen before its file is there: two answers may have the same one. */
static void two_of_one_name_have_files_of_their_own(void)
{
	struct tape_writer *writers[3];
	struct private_folder folder;
	struct error err = { "" };
	char *paths[3];

	begin();
	CU_ASSERT_FATAL(tapes_new_path(TAPES_OF_CHAT, &paths[0], &folder, &err));
	paths[1] = mem_dup_z(paths[0]);
	paths[2] = mem_dup_z(paths[0]);
	for (size_t i = 0; i < 3; i++) {
		CHECK(tape_writer_open_in(&writers[i], folder.fd, &paths[i], &err), "%s", err.text);
		CU_ASSERT(access(paths[i], F_OK) == 0 && str_ends(str_from(paths[i]), ".tape"));
	}
	CHECK(strcmp(paths[0], paths[1]) != 0 && strcmp(paths[0], paths[2]) != 0 && strcmp(paths[1], paths[2]) != 0, "%s, %s", paths[1], paths[2]);
	for (size_t i = 0; i < 3; i++) {
		CU_ASSERT(tape_writer_close(writers[i], &err));
		mem_free(paths[i]);
	}
	private_folder_close(&folder);
	end();
}

static void refuses(const char *words)
{
	struct private_folder folder;
	struct error err = { "" };
	char *path;

	CU_ASSERT_FALSE(tapes_new_path(TAPES_OF_CHAT, &path, &folder, &err));
	CHECK(strstr(err.text, words), "%s", err.text);
}

static void a_folder_that_is_not_private_is_refused(void)
{
	begin();
	home_write(home, "elsewhere/x", "");
	home_write(home, "state/weir/x", "");
	CU_ASSERT(symlink("../../elsewhere", home_path(home, RING)) == 0);
	refuses(": it is not a folder");
	unlink(home_path(home, RING));
	mkdir(home_path(home, RING), 0700);
	CU_ASSERT(chmod(home_path(home, RING), 0777) == 0);
	refuses("others may write to it");
	rmdir(home_path(home, RING));
	home_write(home, RING, "a file");
	refuses(": it is not a folder");
	setenv("XDG_STATE_HOME", "/proc", 1);
	refuses("cannot create the folder /proc/weir");
	end();
}

static void the_oldest_make_room(void)
{
	begin();
	make("a.tape", 400, 40);
	make("b.tape", 400, 30);
	make("c.tape", 400, 20);
	make("d.tape", 400, 10);
	make("notes.txt", 4000, 50);
	tapes_clear_away(TAPES_OF_CHAT, 1600);
	CU_ASSERT(is_there("a.tape"));
	tapes_clear_away(TAPES_OF_CHAT, 1599);
	CU_ASSERT(!is_there("a.tape") && is_there("b.tape"));
	tapes_clear_away(TAPES_OF_CHAT, 800);
	CU_ASSERT(!is_there("b.tape") && is_there("c.tape") && is_there("d.tape"));
	tapes_clear_away(TAPES_OF_CHAT, 1);
	CU_ASSERT(!is_there("c.tape") && is_there("d.tape") && is_there("notes.txt"));
	end();
}

static void a_tape_in_use_is_never_removed(void)
{
	int fd;

	begin();
	make("a.tape", 400, 40);
	make("b.tape", 400, 30);
	make("c.tape", 400, 20);
	fd = open(home_path(home, RING "/a.tape"), O_WRONLY);
	CU_ASSERT(flock(fd, LOCK_EX | LOCK_NB) == 0);
	tapes_clear_away(TAPES_OF_CHAT, 800);
	CU_ASSERT(is_there("a.tape") && !is_there("b.tape") && is_there("c.tape"));
	close(fd);
	tapes_clear_away(TAPES_OF_CHAT, 400);
	CU_ASSERT(!is_there("a.tape") && is_there("c.tape"));
	end();
}

static void links_are_left_alone(void)
{
	begin();
	home_write(home, "precious", "precious, and more than there is room for");
	make("z.tape", 10, 1);
	CU_ASSERT(symlink("../../../precious", home_path(home, RING "/a.tape")) == 0);
	tapes_clear_away(TAPES_OF_CHAT, 5);
	CU_ASSERT(home_has(home, "precious") && is_there("a.tape") && is_there("z.tape"));
	end();
}

static void a_folder_that_is_not_private_is_not_touched(void)
{
	begin();
	make("a.tape", 400, 40);
	make("b.tape", 400, 30);
	CU_ASSERT(chmod(home_path(home, RING), 0770) == 0);
	tapes_clear_away(TAPES_OF_CHAT, 1);
	CU_ASSERT(is_there("a.tape"));
	CU_ASSERT(chmod(home_path(home, RING), 0700) == 0);
	CU_ASSERT(chmod(home_path(home, "state/weir"), 0770) == 0);
	tapes_clear_away(TAPES_OF_CHAT, 1);
	CU_ASSERT(is_there("a.tape"));
	CU_ASSERT(chmod(home_path(home, "state/weir"), 0700) == 0);
	tapes_clear_away(TAPES_OF_CHAT, 1);
	CU_ASSERT(!is_there("a.tape") && is_there("b.tape"));
	end();
}

static void tapes_of_another_user_are_left_alone(void)
{
	if (geteuid() != 0) {
		check_skip("only root can give files to another user");
		return;
	}
	begin();
	make("a.tape", 400, 40);
	make("b.tape", 400, 30);
	make("c.tape", 400, 20);
	CU_ASSERT(chown(home_path(home, RING "/a.tape"), 12345, 12345) == 0);
	tapes_clear_away(TAPES_OF_CHAT, 1);
	CU_ASSERT(is_there("a.tape") && !is_there("b.tape") && is_there("c.tape"));
	end();
}

/* The tape is created in the folder that was checked, even if its name leads elsewhere later. */
static void a_folder_that_is_replaced_gets_no_tape(void)
{
	struct private_folder folder;
	struct tape_writer *writer;
	struct error err = { "" };
	char *path, *ring;

	begin();
	CU_ASSERT_FATAL(tapes_new_path(TAPES_OF_CHAT, &path, &folder, &err));
	ring = mem_dup_z(home_path(home, RING));
	CU_ASSERT(rename(ring, home_path(home, "moved")) == 0);
	home_write(home, RING "/x", "");
	CHECK(tape_writer_open_in(&writer, folder.fd, &path, &err), "%s", err.text);
	CU_ASSERT(tape_writer_close(writer, &err));
	CU_ASSERT(access(path, F_OK) != 0);
	CU_ASSERT(faccessat(folder.fd, strrchr(path, '/') + 1, F_OK, 0) == 0);
	private_folder_close(&folder);
	mem_free(path);
	mem_free(ring);
	end();
}

static void without_a_folder_nothing_happens(void)
{
	begin();
	tapes_clear_away(TAPES_OF_CHAT, 5);
	CU_ASSERT_FALSE(home_has(home, "state"));
	end();
}

const struct suite suite_tapes = { "tapes", (const struct test[]){
	TEST(a_path_below_folders_of_the_owner), TEST(two_of_one_name_have_files_of_their_own),
	TEST(a_folder_that_is_not_private_is_refused),
	TEST(the_oldest_make_room),
	TEST(a_tape_in_use_is_never_removed),
	TEST(links_are_left_alone),
	TEST(a_folder_that_is_not_private_is_not_touched),
	TEST(tapes_of_another_user_are_left_alone),
	TEST(a_folder_that_is_replaced_gets_no_tape),
	TEST(without_a_folder_nothing_happens),
	{ 0 },
} };
