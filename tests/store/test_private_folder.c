#include "store/files/private_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"
#include "support/home.h"

#define ANOTHER_USER 12345

static char *home;
static mode_t mask_before;

/* A umask of 0, so that modes are exactly those requested. */
static void begin(void)
{
	mask_before = umask(0);
	home = home_new();
}

static void end(void)
{
	home_free(home);
	umask(mask_before);
}

static mode_t mode_of(const char *name)
{
	struct stat facts;

	return lstat(home_path(home, name), &facts) == 0 ? facts.st_mode & 07777 : 0;
}

static bool may_give_away(void)
{
	if (geteuid() == 0)
		return true;
	check_skip("only root can give files to another user");
	return false;
}

static void give_away(const char *name)
{
	CU_ASSERT_EQUAL(lchown(home_path(home, name), ANOTHER_USER, ANOTHER_USER), 0);
}

static void link_to(const char *target, const char *name)
{
	CU_ASSERT_EQUAL(symlink(target, home_path(home, name)), 0);
}

/* --- folders --- */

static enum private_state open_folder(const char *name, bool create, struct error *err)
{
	struct private_folder folder;
	enum private_state state = private_folder_open(&folder, home_path(home, name), create, err);

	if (state == PRIVATE_OPEN) {
		CHECK(str_is(str_from(folder.path), home_path(home, name)), "%s", folder.path);
		private_folder_close(&folder);
		CU_ASSERT_EQUAL(folder.fd, -1);
	}
	return state;
}

static void check_refused(const char *name, bool create, const char *words)
{
	struct error err = { "" };

	CHECK(open_folder(name, create, &err) == PRIVATE_REFUSED, "%s", name);
	CHECK(strstr(err.text, words), "%s: %s", name, err.text);
}

static void folders_are_made_for_the_owner(void)
{
	struct error err;

	begin();
	CU_ASSERT_EQUAL(open_folder("a/b/weir", false, &err), PRIVATE_MISSING);
	CU_ASSERT_FALSE(home_has(home, "a"));
	CU_ASSERT_EQUAL(open_folder("a//b/weir", true, &err), PRIVATE_OPEN);
	CU_ASSERT_EQUAL(open_folder("a/b/weir", false, &err), PRIVATE_OPEN);
	CU_ASSERT(mode_of("a") == 0700 && mode_of("a/b") == 0700 && mode_of("a/b/weir") == 0700);
	end();
}

static void folders_that_others_may_read_become_the_owners(void)
{
	struct error err;

	begin();
	mkdir(home_path(home, "weir"), 0755);
	CU_ASSERT_EQUAL(open_folder("weir", false, &err), PRIVATE_OPEN);
	CU_ASSERT_EQUAL(mode_of("weir"), 0700);
	end();
}

static void folders_that_others_may_write_to_are_refused(void)
{
	static const mode_t modes[] = { 0720, 0702, 0770, 0777, 01777 };

	begin();
	mkdir(home_path(home, "weir"), 0700);
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		chmod(home_path(home, "weir"), modes[i]);
		check_refused("weir", true, "/weir: others may write to it");
		CU_ASSERT_EQUAL(mode_of("weir"), modes[i]);
	}
	end();
}

static void only_folders_are_opened(void)
{
	begin();
	home_write(home, "weir", "a file");
	check_refused("weir", true, "/weir: it is not a folder");
	check_refused("weir/below", true, "Not a directory");
	end();
}

static void links_on_the_way_are_followed(void)
{
	struct error err;

	begin();
	mkdir(home_path(home, "far"), 0755);
	link_to("far", "near");
	CU_ASSERT_EQUAL(open_folder("near/weir", true, &err), PRIVATE_OPEN);
	CU_ASSERT(mode_of("far/weir") == 0700 && mode_of("far") == 0755);
	link_to("nowhere", "broken");
	check_refused("broken/weir", true, "cannot create the folder ");
	CU_ASSERT_FALSE(home_has(home, "nowhere"));
	end();
}

static void a_link_of_ours_is_followed_once(void)
{
	struct error err;

	begin();
	mkdir(home_path(home, "far"), 0700);
	link_to("far", "weir");
	CU_ASSERT_EQUAL(open_folder("weir", true, &err), PRIVATE_OPEN);
	link_to("weir", "again");
	check_refused("again", true, "/again: it is not a folder");
	link_to("nowhere", "broken");
	check_refused("broken", true, "cannot create the folder ");
	chmod(home_path(home, "far"), 0770);
	check_refused("weir", true, ": others may write to it");
	end();
}

static void what_belongs_to_another_user_is_refused(void)
{
	begin();
	if (may_give_away()) {
		mkdir(home_path(home, "weir"), 0755);
		give_away("weir");
		check_refused("weir", true, "/weir is not yours: set XDG_STATE_HOME");
		check_refused("weir/below", true, "the folder below is not created in one that is not yours: ");
		CU_ASSERT(mode_of("weir") == 0755 && !home_has(home, "weir/below"));
		mkdir(home_path(home, "far"), 0755);
		link_to("far", "link");
		give_away("link");
		check_refused("link", true, "/link: it is not a folder");
		CU_ASSERT_EQUAL(mode_of("far"), 0755);
	}
	end();
}

static void a_folder_in_it_must_not_be_a_link(void)
{
	struct private_folder parent, folder;
	struct error err;

	begin();
	CU_ASSERT_EQUAL_FATAL(private_folder_open(&parent, home_path(home, "weir"), true, &err), PRIVATE_OPEN);
	CU_ASSERT_EQUAL(private_folder_open_in(&folder, &parent, "tapes", false, &err), PRIVATE_MISSING);
	CU_ASSERT_EQUAL(private_folder_open_in(&folder, &parent, "tapes", true, &err), PRIVATE_OPEN);
	CU_ASSERT_EQUAL(mode_of("weir/tapes"), 0700);
	private_folder_close(&folder);
	mkdir(home_path(home, "far"), 0755);
	rmdir(home_path(home, "weir/tapes"));
	link_to("../far", "weir/tapes");
	CU_ASSERT_EQUAL(private_folder_open_in(&folder, &parent, "tapes", true, &err), PRIVATE_REFUSED);
	CHECK(strstr(err.text, "/weir/tapes: it is not a folder"), "%s", err.text);
	CU_ASSERT_EQUAL(mode_of("far"), 0755);
	private_folder_close(&parent);
	end();
}

static void state_has_a_place(void)
{
	struct private_folder folder;
	char *before = mem_dup_z(getenv("HOME"));
	struct error err = { "" };

	begin();
	unsetenv("XDG_STATE_HOME");
	setenv("HOME", home, 1);
	CU_ASSERT_EQUAL(private_folder_open_state(&folder, false, &err), PRIVATE_MISSING);
	CU_ASSERT_EQUAL(private_folder_open_state(&folder, true, &err), PRIVATE_OPEN);
	private_folder_close(&folder);
	CU_ASSERT_EQUAL(mode_of(".local/state/weir"), 0700);
	chmod(home_path(home, ".local/state/weir"), 0707);
	CU_ASSERT_EQUAL(private_folder_open_state(&folder, true, &err), PRIVATE_REFUSED);
	CHECK_STR(str_from(err.text), "run chmod 700 ~/.local/state/weir: others may write to it");
	setenv("XDG_STATE_HOME", "/dev/null/x", 1);
	CU_ASSERT_EQUAL(private_folder_open_state(&folder, true, &err), PRIVATE_REFUSED);
	CHECK(strstr(err.text, "/dev/null/x/weir") != NULL, "%s", err.text);
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	CU_ASSERT_EQUAL(private_folder_open_state(&folder, true, &err), PRIVATE_REFUSED);
	CHECK(strstr(err.text, "HOME") != NULL, "%s", err.text);
	if (before)
		setenv("HOME", before, 1);
	mem_free(before);
	end();
}

/* --- files --- */

struct room {
	struct private_folder folder;
	struct error err;
};

static void open_room(struct room *room)
{
	begin();
	room->err.text[0] = '\0';
	CU_ASSERT_EQUAL_FATAL(private_folder_open(&room->folder, home_path(home, "weir"), true, &room->err), PRIVATE_OPEN);
}

static void close_room(struct room *room)
{
	private_folder_close(&room->folder);
	end();
}

static void check_content(const char *name, const char *expected)
{
	struct error err = { "" };
	struct buf text;

	buf_init(&text, 1 << 20);
	CHECK(buf_read_file(&text, home_path(home, name), &err), "%s", err.text);
	CHECK_STR(buf_str(&text), expected);
	buf_fini(&text);
}

static void check_file_refused(struct room *room, const char *name, const char *words)
{
	static const int flags[] = { O_RDONLY, O_WRONLY | O_APPEND | O_CREAT };

	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		int fd;

		CHECK(private_file_open(&room->folder, name, flags[i], &fd, &room->err) == PRIVATE_REFUSED && fd == -1, "%s", name);
		CHECK(strstr(room->err.text, words) && strstr(room->err.text, "/weir/"), "%s: %s", name, room->err.text);
	}
	CHECK(!private_file_replace(&room->folder, name, STR("new"), &room->err), "%s", name);
	CHECK(strstr(room->err.text, words), "%s: %s", name, room->err.text);
}

static void files_are_made_for_the_owner(void)
{
	struct room room;
	int fd;

	open_room(&room);
	CU_ASSERT_EQUAL(private_file_open(&room.folder, "file", O_RDONLY, &fd, &room.err), PRIVATE_MISSING);
	CU_ASSERT_EQUAL(private_file_open(&room.folder, "file", O_WRONLY | O_CREAT, &fd, &room.err), PRIVATE_OPEN);
	close(fd);
	CU_ASSERT_EQUAL(mode_of("weir/file"), 0600);
	chmod(home_path(home, "weir/file"), 0644);
	CU_ASSERT_EQUAL(private_file_open(&room.folder, "file", O_RDONLY, &fd, &room.err), PRIVATE_OPEN);
	close(fd);
	CU_ASSERT_EQUAL(mode_of("weir/file"), 0600);
	close_room(&room);
}

static void links_lead_nowhere(void)
{
	struct room room;

	open_room(&room);
	home_write(home, "precious", "precious");
	chmod(home_path(home, "precious"), 0644);
	link_to("../precious", "weir/link");
	link_to("../nowhere", "weir/broken");
	check_file_refused(&room, "link", "remove the link ");
	check_file_refused(&room, "broken", "remove the link ");
	check_content("precious", "precious");
	CU_ASSERT_EQUAL(mode_of("precious"), 0644);
	CU_ASSERT_FALSE(home_has(home, "nowhere"));
	close_room(&room);
}

static void files_with_two_names_are_refused(void)
{
	struct room room;
	char *precious;

	open_room(&room);
	precious = mem_dup_z(home_write(home, "precious", "precious"));
	chmod(precious, 0644);
	CU_ASSERT_EQUAL(link(precious, home_path(home, "weir/file")), 0);
	check_file_refused(&room, "file", ": it is a hard link");
	check_content("precious", "precious");
	CU_ASSERT_EQUAL(mode_of("precious"), 0644);
	mem_free(precious);
	close_room(&room);
}

static void only_regular_files_are_opened(void)
{
	struct room room;

	open_room(&room);
	CU_ASSERT_EQUAL(mkfifo(home_path(home, "weir/pipe"), 0600), 0);
	CU_ASSERT_EQUAL(mkdir(home_path(home, "weir/folder"), 0700), 0);
	check_file_refused(&room, "pipe", ": it is not a file");
	check_file_refused(&room, "folder", ": it is not a file");
	close_room(&room);
}

static void files_that_others_may_write_to_are_refused(void)
{
	struct room room;

	open_room(&room);
	home_write(home, "weir/file", "planted");
	chmod(home_path(home, "weir/file"), 0622);
	check_file_refused(&room, "file", ": others may write to it");
	check_content("weir/file", "planted");
	close_room(&room);
}

static void files_of_another_user_are_refused(void)
{
	struct room room;

	open_room(&room);
	if (may_give_away()) {
		home_write(home, "weir/file", "planted");
		give_away("weir/file");
		check_file_refused(&room, "file", ": it is not yours");
		check_content("weir/file", "planted");
	}
	close_room(&room);
}

static void a_file_is_replaced_at_once(void)
{
	struct room room;
	struct stat before, after;
	char *path;
	int fd;

	open_room(&room);
	path = mem_dup_z(home_write(home, "weir/file", "old"));
	fd = open(path, O_RDONLY);
	CU_ASSERT_EQUAL(fstat(fd, &before), 0);
	CU_ASSERT(private_file_replace(&room.folder, "file", STR("new"), &room.err));
	CU_ASSERT(stat(path, &after) == 0 && after.st_ino != before.st_ino && (after.st_mode & 07777) == 0600);
	check_content("weir/file", "new");
	CU_ASSERT(private_file_replace(&room.folder, "another", STR("first"), &room.err));
	check_content("weir/another", "first");
	close(fd);
	/* nothing else is left there */
	CU_ASSERT(unlink(path) == 0 && unlink(home_path(home, "weir/another")) == 0 && rmdir(home_path(home, "weir")) == 0);
	mem_free(path);
	close_room(&room);
}

/* The folder that was checked is used, even if its name leads elsewhere later. */
static void a_replaced_name_is_not_followed(void)
{
	struct room room;
	char *name;

	open_room(&room);
	name = mem_dup_z(home_path(home, "weir"));
	CU_ASSERT_EQUAL(rename(name, home_path(home, "moved")), 0);
	mkdir(home_path(home, "trap"), 0777);
	link_to("trap", "weir");
	CU_ASSERT(private_file_replace(&room.folder, "file", STR("secret"), &room.err));
	CU_ASSERT(!home_has(home, "trap/file"));
	check_content("moved/file", "secret");
	mem_free(name);
	close_room(&room);
}

const struct suite suite_private_folder = { "private_folder", (const struct test[]){
	TEST(folders_are_made_for_the_owner), TEST(folders_that_others_may_read_become_the_owners),
	TEST(folders_that_others_may_write_to_are_refused), TEST(only_folders_are_opened), TEST(links_on_the_way_are_followed),
	TEST(a_link_of_ours_is_followed_once), TEST(what_belongs_to_another_user_is_refused), TEST(a_folder_in_it_must_not_be_a_link), TEST(state_has_a_place),
	TEST(files_are_made_for_the_owner), TEST(links_lead_nowhere), TEST(files_with_two_names_are_refused), TEST(only_regular_files_are_opened),
	TEST(files_that_others_may_write_to_are_refused), TEST(files_of_another_user_are_refused), TEST(a_file_is_replaced_at_once),
	TEST(a_replaced_name_is_not_followed), { 0 } } };
