#include "app/export/export_forms.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/options/options.h"
#include "app/system/media_folder.h"
#include "base/array.h"
#include "base/mem.h"
#include "chat/conversation/citations.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "support/home.h"
#include "wire/delta.h"

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
	t->outcome = OUTCOME_ERROR;
	str_replace(&t->error_message, text);
}

static struct buf write_with(const struct export_form *form, struct str text)
{
	static const enum part_kind kinds[] = { PART_TEXT, PART_REASONING, PART_TOOL_CALL, PART_TOOL_RESULT, PART_ATTACHMENT, PART_REFUSAL };
	struct conversation *c = conversation_new();
	struct history_conversation facts = { .title = "</title><script>alert(1)</script>", .system_prompt = "<img src=x onerror=y>", .model = "<m>" };
	struct buf out = { 0 };
	struct export e;

	turn_add(conversation_ask(c), PART_TEXT, text, STR_NONE, STR_NONE);
	turn_add(conversation_last(c), PART_ATTACHMENT, STR("\x89PNG\r\n\x1A\n<script>"), STR_NONE, text);
	conversation_branch(c, NULL);
	turn_add(conversation_ask(c), PART_TEXT, text, STR_NONE, STR_NONE);
	turn_add(conversation_last(c), PART_ATTACHMENT, STR("\x89PNG\r\n\x1A\n\"<script>"), STR_NONE, text);
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
	"meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:; form-action 'none'; base-uri 'none'\"",
	"title", "/title", "style", "/style", "main", "/main", "h1", "/h1", "h2", "/h2", "h3", "/h3", "p class=\"m\"", "/p", "article class=\"user\"",
	"article class=\"answer\"", "/article", "time", "/time", "details", "/details", "summary", "/summary", "div class=\"t\"", "div class=\"t l\"", "/div", "blockquote class=\"t\"", "/blockquote", "pre", "/pre",
	"figure", "/figure", "figcaption", "/figcaption", "div class=\"w\"", "table", "/table", "tr", "/tr", "th", "/th", "td", "/td",
	"th class=\"centre\"", "th class=\"right\"", "td class=\"centre\"", "td class=\"right\"",
	"code", "/code", "hr", "ol", "/ol", "li", "/li", "/span", "/a", "/audio",
};
/* Tags with data of a type: words without quotes between them, then base64. */
static const struct { const char *begin, *data; } data_tags[] = {
	{ "img alt=\"", "\" src=\"data:image/png;base64," }, { "audio controls", " src=\"data:audio/mpeg;base64," },
	{ "a download=\"file.", "bin\" href=\"data:application/octet-stream;base64," },
	{ "a download=\"file.", "pdf\" href=\"data:application/octet-stream;base64," },
};
#define LINK_BEGIN "a rel=\"noopener noreferrer nofollow\" href=\""

static bool has_data(struct str tag, const char *begin, const char *data)
{
	struct str rest = str_skip(tag, strlen(begin)), words = str_head(rest, str_find(rest, str_from(data)));
	struct str base64 = str_skip(rest, words.len + strlen(data));

	if (!str_starts(tag, begin) || words.len == rest.len || memchr(words.ptr, '"', words.len) || !str_ends(base64, "\""))
		return false;
	for (size_t i = 0; i + 1 < base64.len; i++)
		if (!char_is_word(base64.ptr[i]) && !strchr("+/=", base64.ptr[i]))
			return false;
	return true;
}

static bool tag_is_ours(struct str tag)
{
	for (size_t i = 0; i < ARRAY_LEN(tags); i++)
		if (str_is(tag, tags[i]))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(data_tags); i++)
		if (has_data(tag, data_tags[i].begin, data_tags[i].data))
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

static void check_has(const struct buf *out, const char *words)
{
	CHECK(strstr(buf_z(out), words), "no %s in %s", words, buf_z(out));
}

/* A cell keeps its words, whatever the width of the table is. */
static void html_tables_are_tables(void)
{
	struct buf text = { 0 }, wide = { 0 };

	for (int i = 0; i < 300; i++)
		buf_printf(&wide, "word%d ", i);
	buf_add_z(&text, "| a | b | c |\n|:--|--:|:-:|\n| 1 | `2` **3** | ");
	buf_add(&text, buf_str(&wide));
	buf_add_z(&text, "|\n| 4 | 5 |\n");
	for (int i = 0; i < 300; i++) /* in several parts */
		buf_printf(&text, "| row%d | | |\n", i);
	buf_add_z(&text, "\n> | q |\n> |---|\n> | r |\n");
	struct buf out = write_with(&export_html, buf_str(&text));
	check_has(&out, "<div class=\"w\"><table>\n<tr><th><span class=\"r-text b\">a</span></th><th class=\"right\"><span class=\"r-text b\">b</span></th>"
	          "<th class=\"centre\">");
	check_has(&out, "<tr><td>1</td><td class=\"right\"><span class=\"r-code-word\">2</span> <span class=\"r-text b\">3</span></td><td class=\"centre\">word0 word1 ");
	check_has(&out, " word298 word299</td></tr>\n<tr><td>4</td><td class=\"right\">5</td><td class=\"centre\"></td></tr>\n");
	check_has(&out, "<tr><td>row298</td><td class=\"right\"></td><td class=\"centre\"></td></tr>\n<tr><td>row299</td>");
	check_has(&out, "<table>\n<tr><th><span class=\"r-text b\">q</span></th></tr>\n<tr><td>r</td></tr>\n</table></div>");
	size_t tables = 0;
	for (const char *at = buf_z(&out); (at = strstr(at, "<table>")); at++)
		tables++;
	CU_ASSERT_EQUAL(tables, 4); /* two in the answer, two in the refusal */
	check_has(&out, ".w{overflow-x:auto");
	buf_fini(&out);
	buf_fini(&text);
	buf_fini(&wide);
}

static void grow(struct buf *b, size_t size)
{
	while (b->len < size)
		buf_add(b, STR("................................................................"));
}

/* A picture by what it is, not by what it is called, as long as there is room. */
static void html_shows_pictures(void)
{
	static const struct { const char *media, *bytes; bool shown; } files[] = {
		{ "image/png", "\x89PNG\r\n\x1A\n1", true }, { "text/plain", "\xFF\xD8\xFFjpeg", true }, { "image/png", "GIF89a\x01", true },
		{ "image/png", "\x01no picture", false }, { "image/svg+xml", "<svg onload=\"x\"/>", false }, { "image/png", "%PDF-1\x01", false },
	};
	struct buf out = { 0 }, large;
	struct export e;

	buf_init(&large, (size_t)16 << 20);
	buf_add_z(&large, "\x89PNG\r\n\x1A\n");
	grow(&large, (size_t)5 << 20);
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct conversation *c = conversation_new();
		struct part *p = turn_add(conversation_ask(c), PART_ATTACHMENT, str_from(files[i].bytes), STR_NONE, STR("f.\"x"));

		str_replace(&p->media, str_from(files[i].media));
		export_init(&e, &export_html, collect, &out);
		CHECK(export_in_memory(&e, &(struct history_conversation){ 0 }, c, &err) && export_end(&e, &err), "%s", err.text);
		CHECK((strstr(buf_z(&out), "<img alt=\"File f.&quot;x") != NULL) == files[i].shown, "%zu: %s", i, buf_z(&out));
		CHECK((strstr(buf_z(&out), "src=\"data:image/") != NULL) == files[i].shown, "%zu: %s", i, buf_z(&out));
		export_fini(&e);
		conversation_free(c);
		buf_fini(&out);
	}
	struct conversation *c = conversation_new();
	struct turn *t = conversation_ask(c);
	for (int i = 0; i < 13; i++)
		turn_add(t, PART_ATTACHMENT, buf_str(&large), STR_NONE, STR("p"));
	grow(&large, (size_t)9 << 20);
	turn_add(t, PART_ATTACHMENT, buf_str(&large), STR_NONE, STR("p"));
	buf_init(&out, (size_t)1 << 30);
	export_init(&e, &export_html, collect, &out);
	CHECK(export_in_memory(&e, &(struct history_conversation){ 0 }, c, &err) && export_end(&e, &err), "%s", err.text);
	size_t shown = 0;
	for (const char *at = buf_z(&out); (at = strstr(at, "<img ")); at++)
		shown++;
	CHECK(shown == 12, "%zu", shown); /* 60 of 64 MiB */
	CHECK(strstr(buf_z(&out), "the files of this document are too large to show it, too") && strstr(buf_z(&out), "it is too large to be shown here"), "-");
	export_fini(&e);
	conversation_free(c);
	buf_fini(&out);
	buf_fini(&large);
}

/* --- what is not in the document, and why an answer ended --- */

static void answer_as(struct conversation *c, const char *model, enum outcome outcome, const char *error, const char *note)
{
	struct turn *t = conversation_answer(c, STR("p"), NULL, str_from(model));

	turn_add(t, PART_TEXT, STR("words"), STR_NONE, STR_NONE);
	t->ended = true;
	t->outcome = outcome;
	t->wall = 1700000000;
	if (error) {
		t->error_status = 529;
		str_replace(&t->error_message, str_from(error));
		str_replace(&t->error_type, STR("overloaded_error"));
	}
	if (note)
		turn_note(t, STR("broken"), str_from(note));
}

static struct turn *ask(struct conversation *c, const char *words)
{
	struct turn *t = conversation_ask(c);

	turn_add(t, PART_TEXT, str_from(words), STR_NONE, STR_NONE);
	t->wall = 1700000000;
	return t;
}

/* Of each form for people: what it says in its own escapes is found without them. */
static void check_says(const struct conversation *c, const char *const *sentences)
{
	for (size_t i = 0; export_form_at(i); i++) {
		struct buf out = { 0 }, plain = { 0 };
		struct export e;

		if (export_form_at(i)->whole_tree)
			continue;
		export_init(&e, export_form_at(i), collect, &out);
		CHECK(export_in_memory(&e, &(struct history_conversation){ 0 }, c, &err) && export_end(&e, &err), "%s", err.text);
		export_fini(&e);
		for (size_t at = 0; at < out.len; at++) {
			if (str_starts(str_skip(buf_str(&out), at), "&quot;")) {
				buf_add_byte(&plain, '"');
				at += 5;
			} else if (out.ptr[at] != '\\') {
				buf_add_byte(&plain, out.ptr[at]);
			}
		}
		for (size_t n = 0; sentences[n]; n++)
			CHECK(strstr(buf_z(&plain), sentences[n]), "%s: no %s in %s", export_form_at(i)->name, sentences[n], buf_z(&plain));
		buf_fini(&out);
		buf_fini(&plain);
	}
}

static void every_form_names_other_versions_and_failures(void)
{
	struct conversation *c = conversation_new();
	struct turn *first = ask(c, "first"), *edited;

	answer_as(c, "small", OUTCOME_CUT, NULL, NULL);
	conversation_branch(c, NULL);
	edited = ask(c, "edited");
	answer_as(c, "big", OUTCOME_ERROR, "too busy", NULL);
	ask(c, "on");
	answer_as(c, "big", OUTCOME_COMPLETE, NULL, NULL);
	ask(c, "and on");
	conversation_branch(c, edited);
	answer_as(c, "huge", OUTCOME_ERROR, "too busy", NULL);
	ask(c, "again");
	answer_as(c, "small", OUTCOME_CUT, NULL, "the connection was reset");
	conversation_remove(c, conversation_child(c, first)); /* what was deleted is no version */
	check_says(c, (const char *const[]){
		"version 2 of 2; not in this document: \"first\" (2023-11-14 22:13 UTC)",
		"version 2 of 2; not in this document: big (2023-11-14 22:13 UTC, not complete, 2 more turns)",
		"the answer failed: HTTP 529: too busy (overloaded_error)", "the answer broke off: the connection was reset", NULL });
	conversation_free(c);
}

/* --- media and tools of the server --- */

static struct conversation *with_media(void)
{
	static const char boat[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x0c";
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
	struct part *p = turn_add(t, PART_MEDIA, STR("A red boat"), STR_NONE, STR_NONE);

	blob_add(&p->data, str_of(boat, sizeof boat - 1));
	p->media_kind = MEDIA_IMAGE;
	str_replace(&p->media, STR("image/png"));
	p = turn_add(t, PART_MEDIA, STR("Good morning."), STR_NONE, STR_NONE);
	blob_add(&p->data, STR("ID3 a tune"));
	p->media_kind = MEDIA_AUDIO;
	str_replace(&p->media, STR("../../x"));
	p = turn_add(t, PART_SERVER_TOOL, STR("{\"query\":\"masts <b>\"}"), STR("s1"), STR("web_search"));
	p->call = 0;
	p = turn_add(t, PART_SERVER_RESULT, STR("[{\"url\":\"https://a.example/\"},{\"url\":\"x\"}]"), STR_NONE, STR_NONE);
	p->call = 0;
	t->ended = true;
	for (size_t i = 0; i < t->part_count; i++)
		t->parts[i].valid = true;
	return c;
}

static void every_form_has_the_lines_of_the_page(void)
{
	struct conversation *c = with_media();

	check_says(c, (const char *const[]){ "image 1  png  16x12  24 B  A red boat", "audio 1", "Good morning.", "~ web_search  query=masts ",
	                                     "2 results", "\u2514 https://a.example/ and 1 more", NULL });
	conversation_free(c);
}

static void html_plays_sounds_and_gives_files(void)
{
	struct conversation *c = with_media();
	struct buf out = { 0 };
	struct export e;

	turn_add(conversation_ask(c), PART_ATTACHMENT, STR("%PDF-\xff"), STR_NONE, STR("a\"><script>.html"));
	export_init(&e, &export_html, collect, &out);
	CHECK(export_in_memory(&e, &(struct history_conversation){ 0 }, c, &err) && export_end(&e, &err), "%s", err.text);
	check_has(&out, "<audio controls src=\"data:audio/mpeg;base64,SUQzIGEgdHVuZQ==\"></audio><figcaption>audio 1");
	check_has(&out, "<a download=\"file.pdf\" href=\"data:application/octet-stream;base64,JVBERi3/\">Save</a>");
	CU_ASSERT_PTR_NULL(strstr(buf_z(&out), "<script"));
	export_fini(&e);
	buf_fini(&out);
	conversation_free(c);
}

static bool write_beside(const struct conversation *c, struct media_folder *beside, struct buf *out)
{
	struct export e;

	export_init(&e, &export_markdown, collect, out);
	e.beside = (struct export_beside){ media_folder_add, beside };
	bool good = export_in_memory(&e, &(struct history_conversation){ 0 }, c, &err) && export_end(&e, &err);
	export_fini(&e);
	return good;
}

static void markdown_has_its_files_beside_it(void)
{
	struct conversation *c = with_media();
	char *home = home_new();
	struct media_folder beside;
	struct buf out = { 0 };
	struct stat facts;

	media_folder_beside(&beside, home_path(home, "my.talk.md"));
	CHECK(write_beside(c, &beside, &out), "%s", err.text);
	media_folder_close(&beside);
	check_has(&out, "\n![image 1  png  16x12  24 B  A red boat](my.talk-media/01.png)\n");
	check_has(&out, "](my.talk-media/02.mp3)\n\nGood morning.\n");
	CU_ASSERT(stat(home_path(home, "my.talk-media/02.mp3"), &facts) == 0 && facts.st_size == 10 && (facts.st_mode & 0777) == 0600);
	media_folder_beside(&beside, home_path(home, "my.talk.txt"));
	CHECK(write_beside(c, &beside, &out), "%s", err.text);
	CU_ASSERT_TRUE(home_has(home, "my.talk-media/03.png"));
	media_folder_drop(&beside); /* what was there stays */
	CU_ASSERT(!home_has(home, "my.talk-media/03.png") && !home_has(home, "my.talk-media/04.mp3") && home_has(home, "my.talk-media/02.mp3"));
	media_folder_beside(&beside, home_path(home, "a b"));
	CHECK(write_beside(c, &beside, &out), "%s", err.text);
	check_has(&out, "](a%20b-media/01.png)");
	media_folder_drop(&beside);
	CU_ASSERT_FALSE(home_has(home, "a b-media"));
	char *link = mem_dup_z(home_path(home, "l-media"));
	CU_ASSERT(symlink("my.talk-media", link) == 0);
	mem_free(link);
	media_folder_beside(&beside, home_path(home, "l.md"));
	CU_ASSERT_FALSE(write_beside(c, &beside, &out));
	media_folder_drop(&beside);
	CU_ASSERT_TRUE(home_has(home, "l-media"));
	buf_fini(&out);
	home_free(home);
	conversation_free(c);
}

static void the_option_names_each_form(void)
{
	struct option_help help;
	struct buf words = { 0 };
	size_t at = 0;

	while (options_help_at(at, &help) && strcmp(help.name, "format") != 0)
		at++;
	option_help_write(&help, &words);
	for (size_t i = 0; export_form_at(i); i++)
		CHECK(strstr(buf_z(&words), export_form_at(i)->name) != NULL, "%s is not in: %s", export_form_at(i)->name, buf_z(&words));
	buf_fini(&words);
}

const struct suite suite_export_forms = {
	"export_forms",
	(const struct test[]){ TEST(each_form_is_found_and_writes), TEST(html_has_no_tag_of_a_text), TEST(html_shows_what_markdown_means),
		TEST(html_tables_are_tables), TEST(html_shows_pictures), TEST(every_form_names_other_versions_and_failures),
		TEST(every_form_has_the_lines_of_the_page), TEST(html_plays_sounds_and_gives_files), TEST(markdown_has_its_files_beside_it), TEST(the_option_names_each_form),
		{ 0 } },
};
