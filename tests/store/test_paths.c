#include "store/files/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"

static char home[] = "/tmp/weir-home-XXXXXX";
static char *old_home;

static void begin(void)
{
	old_home = mem_dup_z(getenv("HOME"));
	strcpy(home, "/tmp/weir-home-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(home));
	setenv("HOME", home, 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
}

static void end(void)
{
	static const char *const folders[] = { "/.local/state/weir", "/.local/state", "/.local", "" };
	char path[200];

	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(path, sizeof path, "%s%s", home, folders[i]);
		rmdir(path);
	}
	if (old_home)
		setenv("HOME", old_home, 1);
	mem_free(old_home);
}

static void is(enum path_kind kind, const char *name, const char *root, const char *rest)
{
	char *path = path_of(kind, name);
	char expected[200];

	snprintf(expected, sizeof expected, "%s%s", root, rest);
	CHECK_STR(str_from(path), expected);
	mem_free(path);
}

static void folders_of_xdg(void)
{
	begin();
	is(PATH_CONFIG, "weir.conf", home, "/.config/weir/weir.conf");
	is(PATH_STATE, "log", home, "/.local/state/weir/log");
	is(PATH_STATE, "", home, "/.local/state/weir");
	setenv("XDG_CONFIG_HOME", "/elsewhere", 1);
	is(PATH_CONFIG, "weir.conf", "/elsewhere", "/weir/weir.conf");
	setenv("XDG_CONFIG_HOME", "relative", 1);
	is(PATH_CONFIG, "weir.conf", home, "/.config/weir/weir.conf");
	unsetenv("XDG_CONFIG_HOME");
	end();
}

static void without_a_home(void)
{
	begin();
	unsetenv("HOME");
	CU_ASSERT_PTR_NULL(path_of(PATH_STATE, "x"));
	end();
}

static void check_expanded(const char *typed, const char *expected)
{
	char *path = path_expand(str_from(typed));

	CHECK(!strcmp(path, expected), "%s: %s, not %s", typed, path, expected);
	mem_free(path);
}

static void expands_the_home_folder(void)
{
	char *before = mem_dup_z(getenv("HOME"));

	setenv("HOME", "/h", 1);
	check_expanded("~/a b", "/h/a b");
	unsetenv("HOME");
	check_expanded("~/x", "~/x");
	if (before)
		setenv("HOME", before, 1);
	mem_free(before);
}

static void check_shown(const char *path, const char *expected)
{
	char *shown = path_shown(path);

	CHECK_STR(str_from(shown), expected);
	mem_free(shown);
}

static void shows_the_home_folder_as_people_write_it(void)
{
	char *before = mem_dup_z(getenv("HOME"));

	setenv("HOME", "/h", 1);
	check_shown("/h/a b", "~/a b");
	check_shown("/home/a", "/home/a");
	check_shown("/h", "/h");
	setenv("HOME", "/", 1);
	check_shown("/a", "/a");
	unsetenv("HOME");
	check_shown("/h/a", "/h/a");
	if (before)
		setenv("HOME", before, 1);
	mem_free(before);
}

const struct suite suite_paths = { "paths",
	(const struct test[]){
		TEST(folders_of_xdg),
		TEST(without_a_home),
		TEST(expands_the_home_folder),
		TEST(shows_the_home_folder_as_people_write_it),
		{ 0 },
	} };
