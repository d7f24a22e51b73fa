#include "app/mention.h"

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

const struct suite suite_mention = { "mention", (const struct test[]){ TEST(mentions_are_words), TEST(paths_look_like_paths), { 0 } } };
