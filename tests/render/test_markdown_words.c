/* Markdown as words in a row. */
#include "render/markdown/markdown_words.h"

#include "support/check.h"

static void signs_are_not_words(void)
{
	static const struct { const char *source, *words; } cases[] = {
		{ "", "" }, { "  \n\n", "" }, { "---", "" }, { "plain", "plain" },
		{ "# A **bold** move\n\nof `code` and [a link](https://example.org/x)\nin two lines", "A bold move of code and a link in two lines" },
		{ "| Name | Length |\n|---|--:|\n| **Rhine** | 1,233 km |\n| Weser | 452 |\n\nEnd.", "Name \u00B7 Length; Rhine \u00B7 1,233 km; Weser \u00B7 452 End." },
		{ "- one\n- two\n  - three", "\u00B7 one \u00B7 two \u00B7 three" },
		{ "```c\nint a;\n\tint b;\n```\nafter", "int a; int b; after" },
		{ "not **closed\n\n| half a", "not **closed | half a" },
		{ "a\x1B[31m\x02red\x03\x07 \x7F end", "a [31m red end" },
		{ "~~gone~~ \\*sign\\* &amp; x", "gone *sign* & x" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf words = { 0 };

		markdown_words(str_from(cases[i].source), &words);
		CHECK_STR(buf_str(&words), cases[i].words);
		buf_fini(&words);
	}
}

/* Behind what is there, which stays as it is. */
static void any_bytes_become_words(void)
{
	struct buf words = { 0 };

	buf_add_z(&words, "before; ");
	markdown_words(STR("\xFF\xC3 x"), &words);
	CHECK_STR(buf_str(&words), "before; \uFFFD\uFFFD x");
	buf_fini(&words);
}

const struct suite suite_markdown_words = { "markdown_words", (const struct test[]){
	TEST(signs_are_not_words), TEST(any_bytes_become_words), { 0 } } };
