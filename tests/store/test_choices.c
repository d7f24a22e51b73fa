#include "store/config/choices.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"
#include "support/home.h"

#define FILE_NAME "weir/choices"

static char *home;

static void begin(void) { home = home_begin("XDG_STATE_HOME"); }
static void end(void) { home_end(home); }

static void keep(struct choices *c, const char *name, const char *value)
{
	struct error err = { "" };

	choices_set(c, name, str_from(value));
	CHECK(choices_keep(c, (const char *const[]){ name, NULL }, &err), "%s", err.text);
}

static void check_kept(const char *name, const char *value)
{
	struct choices c;

	choices_read(&c);
	CHECK(!choices_get(&c, name) == !value && (!value || !strcmp(choices_get(&c, name), value)), "%s is %s", name, choices_get(&c, name));
	choices_fini(&c);
}

/* Names of models come from servers: whatever they hold, they stay one value. */
static void choices_outlive_the_program(void)
{
	static const char odd[] = "a \"model\"\nprovider = x\x1B[0m \xE4\xB8\xAD";
	struct choices c;
	struct stat facts;

	begin();
	choices_read(&c);
	for (size_t i = 0; choices_name_at(i); i++)
		CU_ASSERT_PTR_NULL(choices_get(&c, choices_name_at(i)));
	keep(&c, "model", odd);
	keep(&c, "theme", "dark");
	check_kept("model", odd);
	check_kept("theme", "dark");
	check_kept("provider", NULL);
	CU_ASSERT_TRUE(stat(home_path(home, FILE_NAME), &facts) == 0 && (facts.st_mode & 0777) == 0600);
	keep(&c, "theme", "");
	check_kept("theme", NULL);
	char *long_value = mem_resize(NULL, CHOICES_VALUE_LIMIT + 2, 1);
	memset(long_value, 'x', CHOICES_VALUE_LIMIT + 1);
	long_value[CHOICES_VALUE_LIMIT + 1] = 0;
	keep(&c, "model", long_value);
	check_kept("model", NULL);
	mem_free(long_value);
	choices_fini(&c);
	end();
}

/* Each writes what was chosen in it: of the same the last one wins. */
static void two_programs_share_the_file(void)
{
	struct choices one, other;

	begin();
	choices_read(&one);
	choices_read(&other);
	keep(&one, "theme", "dark");
	keep(&other, "mouse", "no");
	check_kept("theme", "dark");
	check_kept("mouse", "no");
	keep(&other, "theme", "light");
	keep(&one, "code", "clip");
	check_kept("theme", "light");
	choices_fini(&one);
	choices_fini(&other);
	end();
}

/* A new file takes the name: nobody reads half of one. */
static void the_file_is_replaced_at_once(void)
{
	struct choices c;
	struct stat before, behind;

	begin();
	choices_read(&c);
	keep(&c, "theme", "dark");
	CU_ASSERT_EQUAL(stat(home_path(home, FILE_NAME), &before), 0);
	keep(&c, "theme", "light");
	CU_ASSERT_EQUAL(stat(home_path(home, FILE_NAME), &behind), 0);
	CU_ASSERT_NOT_EQUAL(before.st_ino, behind.st_ino);
	choices_fini(&c);
	end();
}

/* Noise is no choice, and names that are none are not kept: a key has no way into the file. */
static void what_is_not_understood_is_absent(void)
{
	static const char *const texts[] = {
		"", "{", "[]", "null", "{\"theme\":3}", "{\"theme\":[\"dark\"]}", "theme = dark", "\xFF\xFE{\"theme\":\"dark\"", "{\"theme\":\"\"}",
	};

	begin();
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		home_write(home, FILE_NAME, texts[i]);
		check_kept("theme", NULL);
	}
	home_write(home, FILE_NAME, "{\"key\":\"sk-1\",\"theme\":\"dark\"}");
	check_kept("theme", "dark");
	struct choices c;
	choices_read(&c);
	keep(&c, "mouse", "no");
	struct buf text;
	struct error err;
	buf_init(&text, 1 << 16);
	CU_ASSERT_TRUE(buf_read_file(&text, home_path(home, FILE_NAME), &err));
	CHECK_STR(buf_str(&text), "{\"theme\":\"dark\",\"mouse\":\"no\"}\n");
	buf_fini(&text);
	choices_fini(&c);
	end();
}

static void a_file_of_others_is_neither_read_nor_written(void)
{
	struct choices c = { { NULL } };
	struct error err = { "" };

	begin();
	home_write(home, "theirs", "{\"theme\":\"dark\"}");
	home_write(home, "weir/other", "");
	char *target = mem_dup_z(home_path(home, "theirs"));
	CU_ASSERT_EQUAL(symlink(target, home_path(home, FILE_NAME)), 0);
	check_kept("theme", NULL);
	choices_set(&c, "theme", STR("light"));
	CU_ASSERT_FALSE(choices_keep(&c, (const char *const[]){ "theme", NULL }, &err));
	CHECK(strstr(err.text, "remove the link") != NULL, "%s", err.text);
	mem_free(target);
	choices_fini(&c);
	end();
}

const struct suite suite_choices = { "choices", (const struct test[]){
	TEST(choices_outlive_the_program),
	TEST(two_programs_share_the_file),
	TEST(the_file_is_replaced_at_once),
	TEST(what_is_not_understood_is_absent),
	TEST(a_file_of_others_is_neither_read_nor_written),
	{ 0 },
} };
