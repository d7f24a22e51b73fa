#include "app/setup/mention.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "program.h"
#include "support/check.h"

static void mentions_are_words(void)
{
	static const struct { const char *text, *mentions; } cases[] = {
		{ "", "" }, { "@", "" }, { "@a", "<@a>" }, { "see @a.txt\n@b\t@c", "<@a.txt><@b><@c>" }, { "me@host @ x", "" }, { "@@a", "<@@a>" },
		{ "(@a) @b)", "<@b)>" }, { "a@ @b", "<@b>" }, { "@a@b @c", "<@a@b><@c>" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct str mention;
		struct buf found;

		buf_init(&found, 1000);
		for (size_t at = 0; mention_next(str_from(cases[i].text), &at, &mention);)
			buf_printf(&found, "<%.*s>", STR_ARG(mention));
		CHECK_STR(buf_str(&found), cases[i].mentions);
		buf_fini(&found);
	}
}

static void paths_look_like_paths(void)
{
	static const struct { const char *mention, *path; } cases[] = {
		{ "@a.txt", "a.txt" }, { "@~/x", "~/x" }, { "@/etc/passwd", "/etc/passwd" }, { "@.config", ".config" }, { "@../x", "../x" }, { "@a/", "a/" },
		{ "@a.txt.", "a.txt" }, { "@~/x),", "~/x" }, { "@a/b?!\"", "a/b" },
		{ "@Override", "" }, { "@property", "" }, { "@user.", "" }, { "@user...", "" }, { "@@", "" }, { "@...", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_STR(mention_likely_path(str_from(cases[i].mention)), cases[i].path);
	CHECK_STR(mention_path(STR("@a.b")), "a.b");
	struct buf path;
	buf_init(&path, 10000);
	buf_add_z(&path, "@");
	while (path.len < 5000)
		buf_add_z(&path, "a/");
	CHECK_STR(mention_likely_path(buf_str(&path)), ""); /* longer than any path */
	buf_fini(&path);
}

static void a_dropped_file_is_a_path(void)
{
	static const struct { const char *pasted, *path; } cases[] = {
		{ "/tmp/a.txt", "/tmp/a.txt" }, { " /tmp/a.txt\n", "/tmp/a.txt" }, { "~/a", "~/a" }, { "'/tmp/a b'", "/tmp/a b" }, { "\"/tmp/a b\"", "/tmp/a b" },
		{ "/tmp/a\\ b\\(1\\)", "/tmp/a b(1)" }, { "file:///tmp/a%20b%C3%A9", "/tmp/a b\xC3\xA9" }, { "file:///tmp/100%", "/tmp/100%" },
		{ "/tmp/a /tmp/b", NULL }, { "/tmp/a\n/tmp/b", NULL }, { "a.txt", NULL }, { "~a", NULL }, { "/", NULL }, { "", NULL }, { "'", NULL }, { "''", NULL },
		{ "see /tmp/a", NULL }, { "'/tmp/a' '/tmp/b'", NULL }, { "file://host/a", NULL }, { "file:///a%00b", NULL }, { "/tmp/a\x1B", NULL }, { "~/", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf path = { 0 };
		bool is = mention_of_paste(str_from(cases[i].pasted), &path);

		CHECK(is == (cases[i].path != NULL), "%s", cases[i].pasted);
		if (is)
			CHECK_STR(buf_str(&path), cases[i].path);
		buf_fini(&path);
	}
	CU_ASSERT_TRUE(mention_is_file(str_from(folder_file("there", "x"))));
	CU_ASSERT_FALSE(mention_is_file(str_from(folder_path())));
	folder_remove();
	CU_ASSERT_FALSE(mention_is_file(STR("/nowhere/at/all")));
}

/* As it stands where there is such a file, else as a shell reads it. */
static void arguments_are_paths_as_typed_or_as_in_a_shell(void)
{
	char file[300], folder[300], typed[400];
	static const char *const forms[] = { "%s/a b.txt", "\"%s/a b.txt\"", "'%s/a b.txt' ", "%s/a\\ b.txt", "file://%s/a%%20b.txt" };

	snprintf(file, sizeof file, "%s", folder_file("a b.txt", "x"));
	snprintf(folder, sizeof folder, "%s", folder_path());
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		snprintf(typed, sizeof typed, forms[i], folder);
		char *path = mention_argument(str_from(typed));
		CHECK(!strcmp(path, file), "%s: %s", typed, path);
		mem_free(path);
	}
	snprintf(typed, sizeof typed, "%s", folder_file("a\\ b.txt", "another"));
	char *path = mention_argument(str_from(typed));
	CHECK(!strcmp(path, typed), "it is there: %s", path);
	mem_free(path);
	folder_remove();
	CHECK_STR(mention_unquoted(STR("\"x y.md\"")), "x y.md");
	CHECK_STR(mention_unquoted(STR("\"x' y.md")), "\"x' y.md");
}

const struct suite suite_mention = { "mention", (const struct test[]){ TEST(mentions_are_words), TEST(paths_look_like_paths), TEST(a_dropped_file_is_a_path),
	TEST(arguments_are_paths_as_typed_or_as_in_a_shell), { 0 } } };
