#include "app/system/temp_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"
#include "support/home.h"

static char *home, *runtime_before;

static void begin(void)
{
	runtime_before = mem_dup_z(getenv("XDG_RUNTIME_DIR"));
	home = home_new();
	setenv("XDG_RUNTIME_DIR", home, 1);
}

static void end(void)
{
	if (runtime_before)
		setenv("XDG_RUNTIME_DIR", runtime_before, 1);
	else
		unsetenv("XDG_RUNTIME_DIR");
	mem_free(runtime_before);
	home_free(home);
}

static mode_t mode_of(const char *path)
{
	struct stat facts;

	return lstat(path, &facts) == 0 ? facts.st_mode & 07777 : 0;
}

static void the_text_is_in_a_file_of_its_own(void)
{
	struct temp_file scratch;
	struct error err = { "" };
	struct buf text;

	begin();
	buf_init(&text, 1 << 20);
	CHECK(temp_file_write(&scratch, "weir.md", STR("a\nb"), &err), "%s", err.text);
	CU_ASSERT(str_starts(str_from(scratch.folder), home_path(home, "weir-")));
	CU_ASSERT(str_starts(str_from(scratch.path), scratch.folder) && str_ends(str_from(scratch.path), "/weir.md"));
	CU_ASSERT(mode_of(scratch.folder) == 0700 && mode_of(scratch.path) == 0600);
	CU_ASSERT(buf_read_file(&text, scratch.path, &err));
	CHECK_STR(buf_str(&text), "a\nb\n");
	temp_file_drop(&scratch);
	CU_ASSERT(!scratch.path && !scratch.folder);
	temp_file_drop(&scratch);
	buf_fini(&text);
	CU_ASSERT_EQUAL(rmdir(home), 0); /* nothing is left */
	end();
}

/* Editors leave backup files. */
static void what_lies_beside_it_goes_with_it(void)
{
	struct temp_file scratch;
	struct error err = { "" };
	char *precious;

	begin();
	precious = mem_dup_z(home_write(home, "precious", "precious"));
	CU_ASSERT_FATAL(temp_file_write(&scratch, "weir.md", STR("secret"), &err));
	home_write(scratch.folder, "weir.md~", "secret");
	home_write(scratch.folder, ".weir.md.swp", "secret");
	unlink(scratch.path);
	CU_ASSERT_EQUAL(symlink(precious, scratch.path), 0);
	char *folder = mem_dup_z(scratch.folder);
	temp_file_drop(&scratch);
	CU_ASSERT(access(folder, F_OK) != 0 && access(precious, F_OK) == 0);
	mem_free(folder);
	mem_free(precious);
	end();
}

static void a_place_that_is_not_there_is_passed_over(void)
{
	struct temp_file scratch;
	struct error err = { "" };

	begin();
	setenv("XDG_RUNTIME_DIR", home_path(home, "nowhere"), 1);
	CHECK(temp_file_write(&scratch, "weir.md", STR("text"), &err), "%s", err.text);
	CU_ASSERT(access(scratch.path, F_OK) == 0);
	temp_file_drop(&scratch);
	end();
}

const struct suite suite_temp_file = { "temp_file", (const struct test[]){
	TEST(the_text_is_in_a_file_of_its_own), TEST(what_lies_beside_it_goes_with_it), TEST(a_place_that_is_not_there_is_passed_over), { 0 } } };
