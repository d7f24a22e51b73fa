#include "app/history/export_forms.h"

#include <string.h>

#include "app/options.h"
#include "base/array.h"
#include "base/mem.h"
#include "support/check.h"

static struct error err;

static bool collect(void *ctx, struct str piece, struct error *why)
{
	(void)why;
	return buf_add(ctx, piece);
}

static void add_answer(struct conversation *c, enum part_kind kind, struct str text)
{
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m<i>"));

	turn_add(t, kind, text, STR("\"'<"), STR("<script>x</script>"));
	citations_add(&t->citations, &(struct citation){ .url = STR("javascript:alert(1)"), .title = text }, 0, 0);
	citations_add(&t->citations, &(struct citation){ .url = STR("https://e.org/?a=1&b=2"), .title = STR("<b>") }, 0, 0);
	t->ended = true;
}

static struct buf write_with(const struct export_form *form, struct str text)
{
	static const enum part_kind kinds[] = { PART_TEXT, PART_REASONING, PART_TOOL_CALL, PART_TOOL_RESULT, PART_ATTACHMENT, PART_REFUSAL };
	struct conversation *c = conversation_new();
	struct history_conversation facts = { .title = "</title><script>alert(1)</script>", .system_prompt = "<img src=x onerror=y>", .model = "<m>" };
	struct buf out = { 0 };
	struct export e;

	turn_add(conversation_ask(c), PART_TEXT, text, STR_NONE, STR_NONE);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		add_answer(c, kinds[i], text);
	export_init(&e, form, collect, &out);
	CHECK(export_in_memory(&e, &facts, c, &err) && export_end(&e, &err), "%s", err.text);
	export_fini(&e);
	conversation_free(c);
	return out;
}

static void each_form_is_found_and_writes(void)
{
	for (size_t i = 0; export_form_at(i); i++) {
		const struct export_form *form = export_form_at(i);
		struct buf path = { 0 }, out = write_with(form, STR("words of the answer"));

		buf_printf(&path, "/a.b/FILE%s", form->suffix);
		CU_ASSERT_PTR_EQUAL(export_form_find(str_from(form->name)), form);
		CU_ASSERT_PTR_EQUAL(export_form_for(buf_str(&path)), form);
		CU_ASSERT_PTR_NULL(export_form_for(str_from(form->suffix))); /* a name that is only a suffix */
		CHECK(strstr(buf_z(&out), "words of the answer"), "%s", form->name);
		buf_fini(&path);
		buf_fini(&out);
	}
	CU_ASSERT_PTR_NOT_NULL(export_form_at(0));
	CU_ASSERT_PTR_NULL(export_form_find(STR("pdf")));
	CU_ASSERT_PTR_NULL(export_form_for(STR("a.pdf")));
	CU_ASSERT_PTR_EQUAL(export_form_for(STR("A.HTML")), &export_html);
}

/* --- HTML --- */

/* All that may stand between `<` and `>`, but for the address of a link and the classes of a span. */
static const char *const tags[] = {
	"!DOCTYPE html", "html", "head", "/head", "body", "/body", "/html", "meta charset=\"utf-8\"", "meta name=\"referrer\" content=\"no-referrer\"",
	"meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"", "meta name=\"color-scheme\" content=\"light dark\"",
	"meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'\"",
	"title", "/title", "style", "/style", "main", "/main", "h1", "/h1", "h2", "/h2", "h3", "/h3", "p class=\"m\"", "/p", "article class=\"user\"",
	"article class=\"answer\"", "/article", "time", "/time", "details", "/details", "summary", "/summary", "div class=\"t\"", "div class=\"t l\"", "/div", "blockquote class=\"t\"", "/blockquote", "pre", "/pre",
	"code", "/code", "hr", "ol", "/ol", "li", "/li", "/span", "/a",
};
#define LINK_BEGIN "a rel=\"noopener noreferrer nofollow\" href=\""

static bool tag_is_ours(struct str tag)
{
	for (size_t i = 0; i < ARRAY_LEN(tags); i++)
		if (str_is(tag, tags[i]))
			return true;
	if (str_starts(tag, LINK_BEGIN)) {
		struct str url = str_skip(tag, sizeof LINK_BEGIN - 1);

		return (str_starts(url, "http") || str_starts(url, "mailto:")) && !memchr(url.ptr, '"', url.len - 1) && str_ends(url, "\"");
	}
	for (size_t i = 0; i < tag.len; i++)
		if (!char_is_word(tag.ptr[i]) && !strchr(" -=\"", tag.ptr[i]))
			return false;
	return str_starts(tag, "span class=\"r-") && str_ends(tag, "\"") && str_find(str_skip(tag, 12), STR("\"")) == tag.len - 13;
}

static void check_html(struct str text)
{
	struct buf out = write_with(&export_html, text);
	struct str rest = buf_str(&out);

	for (size_t at = str_find(rest, STR("<")); at < rest.len; at = str_find(rest, STR("<"))) {
		rest = str_skip(rest, at + 1);
		struct str tag = str_head(rest, str_find(rest, STR(">")));

		CHECK(tag_is_ours(tag), "<%.*s> of %.*s", STR_ARG(tag), STR_ARG(str_head(text, 300)));
	}
	for (size_t i = 0; i < out.len; i++)
		CHECK((unsigned char)out.ptr[i] >= ' ' || out.ptr[i] == '\n' || out.ptr[i] == '\t', "byte %d", out.ptr[i]);
	buf_fini(&out);
}

static void html_has_no_tag_of_a_text(void)
{
	static const char *const pieces[] = {
		"<script>alert(1)</script>", "[x](javascript:alert(1))", "[x](https://e.org/\"onclick=\"y)", "<img src=x onerror=alert(1)>", "**bold** `co<de`",
		"```c\nint x = \"<b>\"; // <i>\n```", "| a | <b> |\n|---|---|\n| 1 | 2 |", "- item <u>", "> quote &lt;", "# head <x>", "$a<b$", "<https://e.org/<x>>",
		"\x1b[31m\x01", "\xE2\x80\xAE", "![i](data:text/html,x)", "[r]\n\n[r]: vbscript:x", "</style></title><svg/onload=x>", "~~x~~", "---", "&#60;script&#62;",
		"[m](mailto:a@e.org?x='y')", "```html\n<script>x</script>", "1. a\n   ```sh\n   rm <x>\n   ```", "[^1]\n\n[^1]: note <n>", "\xff\xfe",
	};
	unsigned seed = 9;

	for (size_t i = 0; i < ARRAY_LEN(pieces); i++)
		check_html(str_from(pieces[i]));
	for (int round = 0; round < 300; round++) {
		struct buf mix = { 0 };

		for (unsigned n = 1 + check_random(&seed) % 5; n; n--) {
			buf_add_z(&mix, pieces[check_random(&seed) % ARRAY_LEN(pieces)]);
			buf_add_z(&mix, (const char *const[]){ "", "\n", "\n\n", " " }[check_random(&seed) % 4]);
		}
		check_html(buf_str(&mix));
		buf_fini(&mix);
	}
}

static void html_shows_what_markdown_means(void)
{
	struct buf out = write_with(&export_html, STR("# Head\n\nSome **bold** [link](https://e.org/a).\n\n```c\nint x;\n```\n\n- item\n\n> said\n> twice\n"));

	CHECK(strstr(buf_z(&out), "<h3>") && strstr(buf_z(&out), "Head"), "%s", buf_z(&out));
	CHECK(strstr(buf_z(&out), " b\">bold</span>"), "%s", buf_z(&out));
	CHECK(strstr(buf_z(&out), "href=\"https://e.org/a\">link</a>"), "%s", buf_z(&out));
	CHECK(strstr(buf_z(&out), "<pre><code><span class=\"r-type\">int</span>"), "%s", buf_z(&out));
	CHECK(strstr(buf_z(&out), "<div class=\"t l\">") && strstr(buf_z(&out), "<blockquote class=\"t\">"), "%s", buf_z(&out));
	CHECK(!strstr(buf_z(&out), "\u2502"), "a quote has a border: %s", buf_z(&out));
	CHECK(strstr(buf_z(&out), "<details><summary>Reasoning</summary>"), "%s", buf_z(&out));
	CHECK(strstr(buf_z(&out), "href=\"https://e.org/?a=1&amp;b=2\">&lt;b&gt;</a>"), "%s", buf_z(&out));
	buf_fini(&out);
}

static void the_option_names_each_form(void)
{
	struct option_help help;
	size_t at = 0;

	while (options_help_at(at, &help) && strcmp(help.name, "format") != 0)
		at++;
	for (size_t i = 0; export_form_at(i); i++)
		CHECK(strstr(help.words, export_form_at(i)->name) != NULL, "%s is not in: %s", export_form_at(i)->name, help.words);
}

const struct suite suite_export_forms = {
	"export_forms",
	(const struct test[]){ TEST(each_form_is_found_and_writes), TEST(html_has_no_tag_of_a_text), TEST(html_shows_what_markdown_means),
		TEST(the_option_names_each_form), { 0 } },
};
