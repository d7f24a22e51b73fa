#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"

static void compares(void)
{
	CU_ASSERT(str_equal(STR_NONE, STR("")));
	CU_ASSERT_FALSE(str_equal(STR("a"), STR("b")));
	CU_ASSERT(str_is(STR("abc"), "abc"));
	CU_ASSERT_FALSE(str_is(STR("abc"), "ab"));
	CU_ASSERT(str_is(STR_NONE, ""));
	CU_ASSERT(str_is_nocase(STR("DaTa"), "dAtA"));
	CU_ASSERT_FALSE(str_is_nocase(STR("[@"), "{`"));
	CU_ASSERT(str_starts(STR("data: x"), "data:"));
	CU_ASSERT_FALSE(str_starts(STR("da"), "data"));
	CU_ASSERT(str_ends(STR("a.json"), ".json"));
	CU_ASSERT_FALSE(str_ends(STR("json"), ".json"));
	CU_ASSERT(str_ends(STR_NONE, ""));
}

static void cuts(void)
{
	CHECK_STR(str_without_stop(STR("It is so.")), "It is so");
	CHECK_STR(str_without_stop(STR("Wait...")), "Wait...");
	CHECK_STR(str_without_stop(STR("no")), "no");
	CHECK_STR(str_without_stop(STR_NONE), "");
	CHECK_STR(str_skip(STR("abc"), 1), "bc");
	CHECK_STR(str_skip(STR("abc"), 9), "");
	CHECK_STR(str_head(STR("abc"), 2), "ab");
	CHECK_STR(str_head(STR("abc"), 9), "abc");
	CHECK_STR(str_trim(STR(" \t\r\na b\n ")), "a b");
	CHECK_STR(str_trim(STR_NONE), "");
	CU_ASSERT_PTR_NULL(str_skip(STR_NONE, 3).ptr);
	CU_ASSERT(str_is_blank(STR(" \n")));
	CU_ASSERT_FALSE(str_is_blank(STR(" x")));
}

static void finds(void)
{
	CU_ASSERT_EQUAL(str_find(STR("hello"), STR("lo")), 3);
	CU_ASSERT_EQUAL(str_find(STR("hello"), STR("la")), 5);
	CU_ASSERT_EQUAL(str_find(STR("lo"), STR("hello")), 2);
	CU_ASSERT_EQUAL(str_find(STR("a"), STR_NONE), 0);
	CU_ASSERT_EQUAL(str_find(STR_NONE, STR("a")), 0);
	CU_ASSERT_EQUAL(str_behind_last(STR("hello"), 'l'), 4);
	CU_ASSERT_EQUAL(str_behind_last(STR("hello"), 'x'), 0);
	CU_ASSERT_EQUAL(str_behind_last(STR_NONE, 'x'), 0);
	CU_ASSERT(str_has_nocase(STR("Event-STREAM"), STR("stream")));
	CU_ASSERT_FALSE(str_has_nocase(STR("stre"), STR("stream")));
	CU_ASSERT(str_has_nocase(STR_NONE, STR_NONE));
}

static void splits(void)
{
	struct str rest = STR("a,,b"), item;

	CU_ASSERT(str_split(&rest, ',', &item));
	CHECK_STR(item, "a");
	CU_ASSERT(str_split(&rest, ',', &item));
	CHECK_STR(item, "");
	CU_ASSERT(str_split(&rest, ',', &item));
	CHECK_STR(item, "b");
	CU_ASSERT_FALSE(str_split(&rest, ',', &item));
	rest = STR("line\n");
	CU_ASSERT(str_split(&rest, '\n', &item));
	CU_ASSERT_FALSE(str_split(&rest, '\n', &item));
}

static void reads_numbers(void)
{
	long long value = -7;

	CU_ASSERT(str_to_int(STR("0042"), &value) && value == 42);
	CU_ASSERT(str_to_int(STR("9223372036854775807"), &value) && value == LLONG_MAX);
	static const struct { const char *text; long long millionths; } decimals[] = {
		{ "0", 0 }, { "0.7", 700000 }, { "12.000001", 12000001 }, { ".5", -7 }, { "1.", -7 }, { "1.0000001", -7 }, { "-1", -7 }, { "1e3", -7 }, { "", -7 },
	};
	for (size_t i = 0; i < sizeof decimals / sizeof *decimals; i++) {
		value = -7;
		(void)str_to_millionths(str_from(decimals[i].text), &value);
		CHECK(value == decimals[i].millionths, "%s: %lld", decimals[i].text, value);
	}
	value = -7;
	CU_ASSERT_FALSE(str_to_int(STR("9223372036854775808"), &value));
	CU_ASSERT_FALSE(str_to_int(STR(""), &value));
	CU_ASSERT_FALSE(str_to_int(STR("-1"), &value));
	CU_ASSERT_FALSE(str_to_int(STR("1 "), &value));
	CU_ASSERT_EQUAL(value, -7);
}

static void reads_truths(void)
{
	static const char *const words[] = { "no", "yes", "false", "True", "off", "ON" };
	static const char *const others[] = { "", "y", "yes ", "1", "noon" };
	bool value = false;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		CHECK(str_to_bool(str_from(words[i]), &value) && value == (i % 2 == 1), "%s", words[i]);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		CHECK(!str_to_bool(str_from(others[i]), &value) && value, "%s", others[i]);
}

static void expands_the_home_folder(void)
{
	static const struct { const char *path, *home, *expanded; } rows[] = {
		{ "~/a b", "/h", "/h/a b" }, { "~", "/h", "/h" }, { "~user/x", "/h", "~user/x" }, { "a/~/b", "/h", "a/~/b" }, { "", "/h", "" },
		{ "~/x", NULL, "~/x" }, { "~/x", "", "~/x" }, { "~/x", "here", "~/x" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char *path = str_expand_home(str_from(rows[i].path), rows[i].home);

		CHECK(!strcmp(path, rows[i].expanded), "%s: %s, not %s", rows[i].path, path, rows[i].expanded);
		mem_free(path);
	}
}

static void replaces_a_copy(void)
{
	char *copy = NULL;

	str_replace(&copy, STR("first"));
	CHECK_STR(str_from(copy), "first");
	str_replace(&copy, str_skip(str_from(copy), 2));
	CHECK_STR(str_from(copy), "rst");
	str_replace(&copy, STR_NONE);
	CU_ASSERT_PTR_NULL(copy);
}

static void trims(void)
{
	CHECK_STR(str_trim(STR(" \t\r\n a b \n")), "a b");
	CHECK_STR(str_trim_start(STR(" \t\r\n a b \n")), "a b \n");
	CHECK_STR(str_trim_start(STR("  ")), "");
	CU_ASSERT(str_is_blank(STR(" \t\r\n")) && str_is_blank(STR_NONE) && !str_is_blank(STR("\v")));
}

static void keeps_its_ceiling(void)
{
	struct buf buf;

	buf_init(&buf, 10);
	CU_ASSERT_STRING_EQUAL(buf_z(&buf), "");
	CU_ASSERT(buf_add(&buf, STR("12345678")));
	CU_ASSERT_FALSE(buf_add(&buf, STR("abc")));
	CU_ASSERT_FALSE(buf_printf(&buf, "%d", 123));
	CHECK_STR(buf_str(&buf), "12345678");
	CU_ASSERT(buf_printf(&buf, "%d", 90));
	CU_ASSERT_FALSE(buf_add_byte(&buf, 'x'));
	buf_insert(&buf, 0, STR("x"));
	CU_ASSERT_STRING_EQUAL(buf_z(&buf), "1234567890");
	CU_ASSERT(buf.capacity <= 11);
	buf_fini(&buf);
}

static void edits(void)
{
	struct buf buf;
	char *taken;

	buf_init(&buf, 100);
	buf_add_z(&buf, "held");
	buf_insert(&buf, 2, STR("llo wor"));
	CHECK_STR(buf_str(&buf), "hello world");
	buf_insert(&buf, 99, STR("!"));
	buf_remove(&buf, 5, 1);
	buf_remove(&buf, 50, 1);
	CHECK_STR(buf_str(&buf), "helloworld!");
	buf_remove(&buf, 9, 50);
	buf_drop(&buf, 5);
	CU_ASSERT_STRING_EQUAL(buf_z(&buf), "worl");
	buf_drop(&buf, 50);
	CHECK_STR(buf_str(&buf), "");
	buf_add_z(&buf, "gone");
	taken = buf_take(&buf);
	CU_ASSERT_STRING_EQUAL(taken, "gone");
	CU_ASSERT_EQUAL(buf.len, 0);
	CU_ASSERT_EQUAL(buf_limit(&buf), 100);
	mem_free(taken);
	taken = buf_take(&buf);
	CU_ASSERT_STRING_EQUAL(taken, "");
	mem_free(taken);
}

static void a_zeroed_buf_is_an_empty_one(void)
{
	struct buf buf = { 0 };

	CU_ASSERT_EQUAL(buf_limit(&buf), BUF_LIMIT_DEFAULT);
	CHECK_STR(buf_str(&buf), "");
	CU_ASSERT_STRING_EQUAL(buf_z(&buf), "");
	buf_clear(&buf);
	buf_drop(&buf, 1);
	CU_ASSERT_TRUE(buf_add_z(&buf, "hello"));
	CU_ASSERT_TRUE(buf_printf(&buf, " %s", "world"));
	CHECK_STR(buf_str(&buf), "hello world");
	CU_ASSERT_PTR_NULL(buf_extend(&buf, BUF_LIMIT_DEFAULT)); /* beyond the limit */
	CHECK_STR(buf_str(&buf), "hello world");
	buf_fini(&buf);
	CU_ASSERT_EQUAL(buf_limit(&buf), BUF_LIMIT_DEFAULT);
	CU_ASSERT_TRUE(buf_add_byte(&buf, 'a'));
	buf_fini(&buf);
}

static void reads_files(void)
{
	char path[] = "/tmp/weir-text-XXXXXX";
	int fd = mkstemp(path);
	struct buf buf;
	struct error err;

	buf_init(&buf, 200000);
	for (int i = 0; i < 150000; i++)
		buf_add_byte(&buf, (char)('a' + i % 26));
	CU_ASSERT_EQUAL(write(fd, buf.ptr, buf.len), 150000);
	close(fd);
	CU_ASSERT(buf_read_file(&buf, path, &err));
	CU_ASSERT_EQUAL(buf.len, 150000);
	CU_ASSERT_EQUAL(buf.ptr[149999], 'a' + 149999 % 26);
	buf_fini(&buf);
	buf_init(&buf, 149999);
	CU_ASSERT_FALSE(buf_read_file(&buf, path, &err));
	CU_ASSERT(strstr(err.text, path) && strstr(err.text, "149999"));
	unlink(path);
	CU_ASSERT_FALSE(buf_read_file(&buf, path, &err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "No such file"));
	CU_ASSERT_FALSE(buf_read_file(&buf, "/", &err));
	buf_fini(&buf);
}

static void writes_all_or_says_why(void)
{
	int full = open("/dev/full", O_WRONLY), ends[2];
	char came[16];

	CU_ASSERT_EQUAL(str_write(STR("text"), full), ENOSPC);
	CU_ASSERT_EQUAL(str_write(STR(""), full), 0);
	close(full);
	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	CU_ASSERT_EQUAL(str_write(STR("text"), ends[1]), 0);
	CU_ASSERT_EQUAL(read(ends[0], came, sizeof came), 4);
	close(ends[0]);
	close(ends[1]);
	CU_ASSERT_EQUAL(str_write(STR("text"), ends[1]), EBADF);
}

const struct suite suite_text = { "text", (const struct test[]){
	TEST(compares),
	TEST(cuts),
	TEST(finds),
	TEST(splits),
	TEST(reads_numbers),
	TEST(reads_truths),
	TEST(expands_the_home_folder),
	TEST(replaces_a_copy),
	TEST(trims),
	TEST(keeps_its_ceiling),
	TEST(a_zeroed_buf_is_an_empty_one),
	TEST(edits),
	TEST(reads_files),
	TEST(writes_all_or_says_why),
	{ 0 },
} };
