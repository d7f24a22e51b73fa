#include "render/markdown/html_text.h"

#include <stdio.h>

#include "support/check.h"

static void pages_become_text(void)
{
	static const struct { const char *html, *text; } cases[] = {
		{ "", "" }, { "plain", "plain\n" }, { "<p>a  b\n c</p><p>d</p>", "a b c\n\nd\n" }, { "a<br>b", "a\nb\n" },
		{ "<title>T</title><h2>H &amp; x</h2>t", "T\n\n## H & x\n\nt\n" }, { "<ul><li>one<li>two</ul>", "- one\n- two\n" },
		{ "a<script>if (1 < 2) x('</p>');</script>b", "ab\n" }, { "a<SCRIPT src='>'>x</Script >b", "ab\n" }, { "<style>p{}", "" },
		{ "<pre>a\n  b</pre>c", "a\n  b\n\nc\n" }, { "<!-- x > y -->z", "z\n" }, { "<!-- open", "" }, { "1 < 2 <3", "1 < 2 <3\n" },
		{ "<a href=\"x>y\" onclick='z'>link</a>", "link\n" }, { "<a href=\"x", "" }, { "<table><tr><td>1</td><td>2</td></tr></table>", "1 | 2\n" },
		{ "&#65;&bogus;", "A&bogus;\n" }, { "<", "<\n" }, { "<>", "<>\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf text = { 0 };

		html_text(str_from(cases[i].html), &text);
		CHECK_STR(buf_str(&text), cases[i].text);
		buf_fini(&text);
	}
}

/* What is left out is at the end, and nothing is read twice. */
static void pages_are_bounded(void)
{
	static const char *const pieces[] = { "<script>", "<!--", "<p ", "<a x=\"", "<", "&amp", "<li>", "<pre>\n", "word " };

	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		struct buf html = { 0 }, text;

		buf_init(&text, 1000);
		while (html.len < 1000000)
			buf_add_z(&html, pieces[i]);
		html_text(buf_str(&html), &text);
		CHECK(text.len <= 1000, "%s: %zu bytes", pieces[i], text.len);
		buf_fini(&text);
		buf_fini(&html);
	}
}

const struct suite suite_html_text = { "html_text", (const struct test[]){ TEST(pages_become_text), TEST(pages_are_bounded), { 0 } } };
