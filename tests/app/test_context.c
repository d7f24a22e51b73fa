#include "app/setup/context.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "support/check.h"

static void words_name_files_lines_folders_and_addresses(void)
{
	static const struct { const char *word; enum context_kind kind; long long first, last; } cases[] = {
		{ "%s/a.txt", CONTEXT_FILE, 0, 0 },       { "%s/a.txt:2-3", CONTEXT_LINES, 2, 3 }, { "%s/a.txt:2", CONTEXT_LINES, 2, 2 },
		{ "%s/a.txt:2-", CONTEXT_LINES, 2, 0 },   { "%s/a.txt:0", CONTEXT_NOTHING, 0, 0 }, { "%s/a.txt:3-2", CONTEXT_NOTHING, 0, 0 },
		{ "%s/a.txt:", CONTEXT_NOTHING, 0, 0 },   { "%s/[ab].txt", CONTEXT_FILES, 0, 0 },  { "%s/*.none", CONTEXT_NOTHING, 0, 0 },
		{ "%s/*.txt", CONTEXT_FILES, 0, 0 },      { "%s//./[ab].t?t", CONTEXT_FILES, 0, 0 }, { "%s/*.txt/", CONTEXT_NOTHING, 0, 0 },
		{ "%s/", CONTEXT_FOLDER, 0, 0 },          { "%s/c:1", CONTEXT_FILE, 0, 0 },        { "https://a.org", CONTEXT_ADDRESS, 0, 0 },
		{ "https:///x", CONTEXT_NOTHING, 0, 0 },  { "ftp://a.org", CONTEXT_NOTHING, 0, 0 },
	};
	char folder[300];

	folder_file("a.txt", "one\ntwo\nthree");
	folder_file("b.txt", "x");
	folder_file("c:1", "x");
	folder_file(".c.txt", "a star does not stand for a dot at the beginning");
	snprintf(folder, sizeof folder, "%s", folder_path());
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err = { "" };
		struct buf word = { 0 };
		struct mentioned c;

		buf_printf(&word, strstr(cases[i].word, "%s") ? cases[i].word : "%.0s%s", folder, cases[i].word);
		CU_ASSERT(context_of(buf_str(&word), &c, &err));
		CHECK(c.kind == cases[i].kind, "%s: %d", buf_z(&word), c.kind);
		CHECK(c.kind != CONTEXT_LINES || (c.first == cases[i].first && c.last == cases[i].last), "%s", buf_z(&word));
		CHECK(c.kind != CONTEXT_FILES || c.count == 2, "%zu", c.count);
		context_fini(&c);
		buf_fini(&word);
	}
	folder_remove();
}

static void lines_are_read(void)
{
	static const struct { const char *range, *text; } cases[] = {
		{ "1", "one\n" }, { "2-3", "two\nthree\n" }, { "2-", "two\nthree\n" }, { "2-9", "two\nthree\n" }, { "9", NULL },
	};
	char path[300], word[320];

	snprintf(path, sizeof path, "%s", folder_file("a.txt", "one\ntwo\nthree"));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err = { "" };
		struct buf text = { 0 };
		struct mentioned c;

		snprintf(word, sizeof word, "%s:%s", path, cases[i].range);
		CU_ASSERT(context_of(str_from(word), &c, &err));
		bool read = context_read_lines(&c, &text, &err);
		CHECK(read == (cases[i].text != NULL), "%s: %s", word, err.text);
		CHECK_STR(buf_str(&text), cases[i].text ? cases[i].text : "");
		CHECK(read || strstr(err.text, "has 3 lines"), "%s", err.text);
		context_fini(&c);
		buf_fini(&text);
	}
	folder_remove();
}

/* They are looked at while they are typed. */
static void patterns_have_a_limit(void)
{
	struct error err = { "" };
	struct mentioned c;
	char word[320];

	const char *file = folder_file("0", "");
	for (int i = 1; i < 20000; i++) {
		snprintf(word, sizeof word, "%s/%d", folder_path(), i);
		CU_ASSERT_EQUAL(symlink(file, word), 0);
	}
	snprintf(word, sizeof word, "%s/1*", folder_path());
	CU_ASSERT_FALSE(context_of(str_from(word), &c, &err));
	CHECK(strstr(err.text, "too many names to look at") && c.kind == CONTEXT_NOTHING && !c.count, "%s", err.text);
	context_fini(&c);
	folder_remove();
}

const struct suite suite_context = { "context", (const struct test[]){ TEST(words_name_files_lines_folders_and_addresses), TEST(lines_are_read),
	TEST(patterns_have_a_limit), { 0 } } };
