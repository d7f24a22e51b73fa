#include "base/ini.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

static bool note(void *ctx, const struct ini_entry *entry, struct error *err)
{
	buf_printf(ctx, "%d[%s]%s=%s|", entry->line, entry->section, entry->name, entry->value);
	return strcmp(entry->name, "stop") != 0 || error_set(err, "no \"%s\" here", entry->value);
}

static void reads_entries_with_lines(void)
{
	struct error err = { "" };
	struct buf seen;

	buf_init(&seen, 10000);
	CU_ASSERT(ini_read_text(STR("\xEF\xBB\xBFtop = 1\r\n; comment\n   # another\n[a b]\nx=a;b\ny : \"q\"\nempty =\nx=again\n[c] ; hi\n"
				    "z=#fff on #000"), "f", note, &seen, &err));
	CHECK_STR(buf_str(&seen), "1[]top=1|5[a b]x=a;b|6[a b]y=\"q\"|7[a b]empty=|8[a b]x=again|10[c]z=#fff on #000|");
	buf_fini(&seen);
}

static void joins_continued_values(void)
{
	struct error err = { "" };
	struct buf seen;

	buf_init(&seen, 10000);
	CU_ASSERT(ini_read_text(STR("x = one\n  two = 2\n\n ; no\n\tthree\n[s]\n y = first\nz=1"), "f", note, &seen, &err));
	CHECK_STR(buf_str(&seen), "1[]x=one two = 2 three|7[s]y=first|8[s]z=1|");
	buf_fini(&seen);
}

static bool is_text(const char *name)
{
	return !strcmp(name, "text");
}

static void reads_blocks_where_they_are_allowed(void)
{
	struct str text = STR("text = |\n one\n |  two\\\n  three\nother = |\n one\n");
	struct error err = { "" };
	struct buf seen;

	buf_init(&seen, 1000);
	CU_ASSERT(ini_read_blocks(text, "f", is_text, note, &seen, &err));
	CHECK_STR(buf_str(&seen), "1[]text=one\n  twothree|5[]other=| one|");
	buf_clear(&seen);
	CU_ASSERT(ini_read_text(text, "f", note, &seen, &err));
	CHECK_STR(buf_str(&seen), "1[]text=| one |  two\\ three|5[]other=| one|");
	buf_fini(&seen);
}

static void names_what_it_refuses(void)
{
	static const struct { const char *text, *where, *what; } cases[] = {
		{ "a=1\nb = x ;y\n", "f:2: ", "\" ;\"" },
		{ "a=1\n  more\t; y\n", "f:2: ", "\" ;\"" },
		{ "\njunk\n", "f:2: ", "name = value" },
		{ "[open\n", "f:1: ", "[" },
		{ "= 1\n", "f:1: ", "name" },
		{ "a=\xFF\n", "f:1: ", "UTF-8" },
		{ "a=1\nstop=that\nb=2\n", "f:2: ", "no \"that\" here" },
		{ "[0123456789012345678901234567890123456789012345678x]\n", "f:1: ", "49" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error err = { "" };
		struct buf seen;

		buf_init(&seen, 10000);
		CHECK(!ini_read_text(str_from(cases[i].text), "f", note, &seen, &err), "case %zu", i);
		CHECK(str_starts(str_from(err.text), cases[i].where) && strstr(err.text, cases[i].what), "case %zu: %s", i, err.text);
		CHECK(!strstr(buf_z(&seen), "b=2"), "case %zu: reading stops", i);
		buf_fini(&seen);
	}
}

static void refuses_lines_that_would_be_cut(void)
{
	struct error err = { "" };
	struct buf text, seen;

	buf_init(&text, 10000);
	buf_init(&seen, 10000);
	buf_add_z(&text, "; a comment may be long: ");
	while (text.len < 300)
		buf_add_byte(&text, 'c');
	buf_add_z(&text, "\nk=");
	while (text.len < 301 + 199)
		buf_add_byte(&text, 'v');
	CU_ASSERT(ini_read_text(buf_str(&text), "f", note, &seen, &err));
	CU_ASSERT_EQUAL(seen.len, 199 + strlen("2[]|"));
	buf_add_byte(&text, 'v');
	CU_ASSERT_FALSE(ini_read_text(buf_str(&text), "f", note, &seen, &err));
	CU_ASSERT(str_starts(str_from(err.text), "f:2: "));
	buf_fini(&text);
	buf_fini(&seen);
}

static void reads_files(void)
{
	char path[] = "/tmp/weir-ini-XXXXXX";
	int fd = mkstemp(path);
	struct error err = { "" };
	struct buf seen;

	buf_init(&seen, 1000);
	CU_ASSERT_EQUAL(write(fd, "a=1\n", 4), 4);
	close(fd);
	CU_ASSERT(ini_read_file(path, note, &seen, &err));
	CHECK_STR(buf_str(&seen), "1[]a=1|");
	unlink(path);
	CU_ASSERT_FALSE(ini_read_file(path, note, &seen, &err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, path));
	buf_fini(&seen);
}

const struct suite suite_ini = { "ini", (const struct test[]){
	TEST(reads_entries_with_lines),
	TEST(joins_continued_values),
	TEST(reads_blocks_where_they_are_allowed),
	TEST(names_what_it_refuses),
	TEST(refuses_lines_that_would_be_cut),
	TEST(reads_files),
	{ 0 },
} };
