#include "store/config/settings_file.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"
#include "support/home.h"

#define ANOTHER_USER 12345
#define NAME "weir/weir.conf"

static char *home;

static void begin(void) { home = home_begin("XDG_CONFIG_HOME"); }
static void end(void) { home_end(home); }

/* `expected` NULL: rejected with an error that contains these words. */
static void check(const char *expected, const char *words)
{
	struct error err = { "" };
	struct buf text;
	char *path;

	buf_init(&text, 1 << 20);
	CHECK(settings_file_read(&text, &path, &err) == (expected != NULL), "%s", err.text);
	CHECK(!words || strstr(err.text, words), "%s", err.text);
	if (expected)
		CHECK_STR(buf_str(&text), expected);
	CHECK(str_is(str_from(path), home_path(home, NAME)), "%s", path);
	mem_free(path);
	buf_fini(&text);
}

static void set_mode(const char *name, mode_t mode)
{
	CU_ASSERT_EQUAL(chmod(home_path(home, name), mode), 0);
}

static void may_be_missing(void)
{
	begin();
	check("", NULL);
	home_write(home, "weir", "no folder");
	check("", NULL);
	unlink(home_path(home, "weir"));
	home_write(home, "weir/other", "");
	check("", NULL);
	CU_ASSERT_EQUAL(symlink("nowhere", home_path(home, NAME)), 0);
	check("", NULL);
	unlink(home_path(home, NAME));
	CU_ASSERT_EQUAL(symlink("/dev/null", home_path(home, NAME)), 0);
	check("", NULL);
	end();
}

static void is_read_where_only_the_user_writes(void)
{
	begin();
	home_write(home, NAME, "theme = dark\n");
	check("theme = dark\n", NULL);
	set_mode(NAME, 0644);
	set_mode("weir", 0755);
	check("theme = dark\n", NULL);
	end();
}

/* The file may link to a collection of settings elsewhere, as dotfiles do. */
static void may_be_a_link(void)
{
	begin();
	home_write(home, "dotfiles/weir/weir.conf", "theme = dark\n");
	home_write(home, "weir/x", "");
	CU_ASSERT_EQUAL(symlink("../dotfiles/weir/weir.conf", home_path(home, NAME)), 0);
	check("theme = dark\n", NULL);
	set_mode("dotfiles/weir/weir.conf", 0666);
	check(NULL, "weir.conf");
	set_mode("dotfiles/weir/weir.conf", 0644);
	unlink(home_path(home, NAME));
	unlink(home_path(home, "weir/x"));
	rmdir(home_path(home, "weir"));
	CU_ASSERT_EQUAL(symlink("dotfiles/weir", home_path(home, "weir")), 0);
	check("theme = dark\n", NULL);
	set_mode("dotfiles/weir", 0777);
	check(NULL, "others may write to ");
	end();
}

static void is_not_read_where_others_may_write(void)
{
	begin();
	home_write(home, NAME, "theme = dark\n");
	set_mode(NAME, 0646);
	check(NULL, "/weir/weir.conf, and their commands would be run: run chmod go-w on it, or name the file with --config");
	set_mode(NAME, 0644);
	set_mode("weir", 0757);
	check(NULL, "/weir, and their commands would be run: run chmod go-w on it, or name the file with --config");
	end();
}

/* Many systems give each user a private group and a umask of 002. */
static void a_group_may_write_if_it_is_the_users(void)
{
	const struct group *own = getgrgid(getegid());
	const struct passwd *user = getpwuid(geteuid());
	bool is_alone = own && user && strcmp(own->gr_name, user->pw_name) == 0 &&
	                (!*own->gr_mem || (strcmp(*own->gr_mem, user->pw_name) == 0 && !own->gr_mem[1]));

	begin();
	home_write(home, NAME, "theme = dark\n");
	set_mode(NAME, 0664);
	set_mode("weir", 0775);
	check(is_alone ? "theme = dark\n" : NULL, NULL);
	if (chown(home_path(home, NAME), (uid_t)-1, ANOTHER_USER) == 0) {
		set_mode(NAME, 0664);
		check(NULL, "others may write to ");
	}
	end();
}

static void is_not_read_where_it_is_another_users(void)
{
	begin();
	home_write(home, NAME, "theme = dark\n");
	if (chown(home_path(home, NAME), ANOTHER_USER, (gid_t)-1) == 0) {
		check(NULL, "/weir/weir.conf belongs to another user");
		CU_ASSERT(chown(home_path(home, NAME), geteuid(), (gid_t)-1) == 0);
		CU_ASSERT(chown(home_path(home, "weir"), ANOTHER_USER, (gid_t)-1) == 0);
		check(NULL, "/weir belongs to another user");
	} else {
		check_skip("only root can give files to another user");
	}
	end();
}

static void is_a_regular_file(void)
{
	begin();
	home_write(home, "weir/weir.conf/x", "");
	check(NULL, "only a regular file is read");
	unlink(home_path(home, "weir/weir.conf/x"));
	rmdir(home_path(home, NAME));
	CU_ASSERT_EQUAL(mkfifo(home_path(home, NAME), 0600), 0);
	check(NULL, "only a regular file is read");
	end();
}

const struct suite suite_settings_file = { "settings_file", (const struct test[]){
	TEST(may_be_missing), TEST(is_read_where_only_the_user_writes), TEST(may_be_a_link), TEST(is_not_read_where_others_may_write),
	TEST(a_group_may_write_if_it_is_the_users), TEST(is_not_read_where_it_is_another_users), TEST(is_a_regular_file), { 0 } } };
