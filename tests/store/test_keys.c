#include "store/config/keys.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/regular_file.h"
#include "support/check.h"
#include "support/home.h"

static char *home;

static void begin(void) { home = home_begin("XDG_CONFIG_HOME"); }
static void end(void) { home_end(home); }

static mode_t mode_of(const char *name)
{
	struct stat facts = { 0 };

	CU_ASSERT_EQUAL(stat(home_path(home, name), &facts), 0);
	return facts.st_mode & 0777;
}

static void check_key(const char *expected)
{
	struct error err = { "" };
	struct buf text = { 0 };

	CHECK(regular_file_read(&text, home_path(home, "weir/keys/box"), &err), "%s", err.text);
	CHECK_STR(buf_str(&text), expected);
	buf_fini(&text);
}

static void only_the_owner_reads_them(void)
{
	struct error err = { "" };

	begin();
	CHECK(keys_keep(STR("box"), STR("sk-one"), &err), "%s", err.text);
	check_key("sk-one\n");
	CU_ASSERT_EQUAL(mode_of("weir/keys"), 0700);
	CU_ASSERT_EQUAL(mode_of("weir/keys/box"), 0600);
	CHECK(keys_keep(STR("box"), STR("sk-two"), &err), "%s", err.text);
	check_key("sk-two\n");
	char *path = keys_path(STR("box"));
	CHECK(str_ends(str_from(path), "/weir/keys/box"), "%s", path);
	mem_free(path);
	end();
}

static void a_folder_that_others_may_write_gets_none(void)
{
	struct error err = { "" };

	begin();
	home_write(home, "weir/keys/other", "");
	CU_ASSERT_EQUAL(chmod(home_path(home, "weir/keys"), 0777), 0);
	CU_ASSERT_FALSE(keys_keep(STR("box"), STR("sk-one"), &err));
	CHECK(strstr(err.text, "others may write"), "%s", err.text);
	CU_ASSERT_NOT_EQUAL(access(home_path(home, "weir/keys/box"), F_OK), 0);
	end();
}

static void odd_names_get_none(void)
{
	static const char *const names[] = { "..", ".", ".box", "a/b", "a/../../weir.conf" };
	struct error err = { "" };

	begin();
	home_write(home, "weir/keys/a/other", ""); /* so that "a/b" would have a folder */
	CU_ASSERT_EQUAL(chmod(home_path(home, "weir/keys"), 0700), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		CHECK(!keys_keep(str_from(names[i]), STR("sk-one"), &err), "%s", names[i]);
	end();
}

const struct suite suite_keys = { "keys", (const struct test[]){
	TEST(only_the_owner_reads_them), TEST(a_folder_that_others_may_write_gets_none), TEST(odd_names_get_none), { 0 } } };
