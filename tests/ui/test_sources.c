/* Numbers of sources in an answer's text, and the row of sources below it. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "chat/conversation/citations.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "ui/dump.h"
#include "ui/page/page.h"

static struct turn *answer(struct conversation *c, const char *text)
{
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));

	setlocale(LC_ALL, "C.UTF-8");
	turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .text = str_from(text) });
	return t;
}

static void cite(struct turn *t, const char *url, const char *title, size_t end)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_CITATION, .part = DELTA_NO_PART, .citation = {
		.url = str_from(url), .title = str_from(title), .unit = end ? CITATION_BYTES : CITATION_NO_PLACE, .end = (int64_t)end } });
}

static void end(struct turn *t)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .end = { OUTCOME_COMPLETE } });
}

/* --- numbers in the text --- */

/* A "^" in the text marks the end of what source 1 supports. */
static void check_numbers(const char *marked, const char *expected)
{
	struct conversation *c = conversation_new();
	struct page_cites cites = { 0 };
	struct buf text = { 0 };
	size_t ends[8], count = 0;

	for (const char *s = marked; *s; s++) {
		if (*s == '^')
			ends[count++] = text.len;
		else
			buf_add_byte(&text, *s);
	}
	struct turn *t = answer(c, buf_z(&text));
	for (size_t i = 0; i < count; i++)
		cite(t, "https://a.org", "A", ends[i]);
	bool any = page_cites_update(&cites, t, 0, 0, buf_str(&text));
	CHECK(any == (strcmp(buf_z(&text), expected) != 0), "%s", marked);
	if (any)
		CHECK_STR(buf_str(&cites.text), expected);
	for (size_t at = 0; any && at <= text.len; at++)
		CHECK(page_cites_received(&cites, page_cites_shown(&cites, at)) == at, "%s: offset %zu is shown at %zu, which is %zu", marked, at,
		      page_cites_shown(&cites, at), page_cites_received(&cites, page_cites_shown(&cites, at)));
	page_cites_fini(&cites);
	buf_fini(&text);
	conversation_free(c);
}

static void numbers_follow_the_words_that_they_support(void)
{
	check_numbers("One^ two.^", "One[1] two.[1]");
	check_numbers("One.\n\n^Two", "One.[1]\n\nTwo");
	check_numbers("**One**^", "**One**[1]");
	check_numbers("One^^", "One[1]");
}

static void numbers_become_no_links(void)
{
	check_numbers("One^(see)", "One[1] (see)");
	check_numbers("[One]^ two", "[One] [1] two");
	check_numbers("Yes!^", "Yes! [1]");
	check_numbers("see https://a.org/b^/c there", "see https://a.org/b/c[1] there");
	check_numbers("([a](https://a.org)^).", "([a](https://a.org)).[1]");
}

static void code_gets_no_numbers(void)
{
	check_numbers("```c\nint x;^\n```\nOut.^", "```c\nint x;\n```\nOut.[1]");
	check_numbers("One\n```\nx\n```^\n", "One\n```\nx\n```\n");
	check_numbers("a `b^ c` d", "a `b c` d");
	check_numbers("Title\n=====^\n", "Title\n=====\n");
}

/* Many places in a long text cost no more than a look at it. */
static void numbers_are_bounded(void)
{
	struct conversation *c = conversation_new();
	struct page_cites cites = { 0 };
	struct buf text = { 0 };

	while (text.len < 2u << 20)
		buf_add_z(&text, "words ");
	struct turn *t = answer(c, buf_z(&text));
	for (size_t i = 0; i < 2 * CITATION_PLACES_MAX; i++)
		cite(t, "https://a.org", "A", i % 2 ? 5 + 6 * i : (size_t)CITATION_REACH + i);
	CU_ASSERT_TRUE(page_cites_update(&cites, t, 0, 0, buf_str(&text)));
	CHECK(cites.count == CITATION_PLACES_MAX / 2, "%zu places", cites.count);
	CU_ASSERT_EQUAL(cites.text.len, text.len + 3 * cites.count);
	page_cites_fini(&cites);
	buf_fini(&text);
	conversation_free(c);
}

static void several_sources_are_in_order(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = answer(c, "Rain.");
	struct page_cites cites = { 0 };

	cite(t, "https://a.org", "", 0);
	cite(t, "https://b.org", "", 5);
	cite(t, "https://a.org", "", 5);
	CU_ASSERT_TRUE(page_cites_update(&cites, t, 0, 0, STR("Rain.")));
	CHECK_STR(buf_str(&cites.text), "Rain.[1][2]");
	CU_ASSERT(page_cites_received(&cites, 6) == 5 && page_cites_received(&cites, 11) == 5);
	page_cites_fini(&cites);
	conversation_free(c);
}

/* --- the page --- */

static void draw(struct page *p, struct canvas *canvas)
{
	unsigned row = 0;

	canvas_clear(canvas);
	for (size_t piece = 0; piece < page_pieces(p); piece++)
		for (size_t i = 0; i < page_piece_rows(p, piece) && row < canvas->rows; i++)
			page_draw_row(p, piece, i, canvas, row++, 0, canvas->columns);
}

static bool shows(struct canvas *canvas, const char *text)
{
	struct buf out = { 0 };

	dump_canvas(canvas, false, &out);
	bool found = str_find(buf_str(&out), str_from(text)) < out.len;
	if (!found)
		printf("%s", buf_z(&out));
	buf_fini(&out);
	return found;
}

/* The destination of the cell at which a text begins; "": not linked. */
static const char *link_of(const struct canvas *canvas, const char *text)
{
	for (unsigned row = 0; row < canvas->rows; row++) {
		for (unsigned at = 0; at + strlen(text) <= canvas->columns; at++) {
			size_t i = 0;

			while (text[i] && *canvas_cell(canvas, row, at + (unsigned)i)->text == text[i])
				i++;
			if (!text[i])
				return canvas_cell(canvas, row, at)->link ? links_at(&canvas->links, canvas_cell(canvas, row, at)->link) : "";
		}
	}
	return "not shown";
}

#define TEXT "First words. Then **more** words.\n\n- a row\n- last row"

static struct turn *cited_answer(struct conversation *c)
{
	struct turn *t = answer(c, TEXT);

	cite(t, "https://www.jma.go.jp/forecast?a=1", "Tokyo", 12);
	cite(t, "https://good.org@evil.org/", "Good", 33);
	cite(t, "javascript:alert(1)", "Press", 42);
	cite(t, "https://c\x1b]8;;https://evil.org\x07.org/", "Bytes", 0);
	return t;
}

static void found_pages_are_linked_as_sources_are(void)
{
	static const char result[] = "[{\"url\":\"https://ships.example/masts?a=1\",\"title\":\"Masts\"},{\"url\":\"javascript:alert(1)\"},"
	                             "{\"filename\":\"masts.pdf\",\"score\":1},{\"url\":\"https://c\\u001b]8;;https://evil.org\\u0007.org/\"}]";
	struct conversation *c = conversation_new();
	struct turn *t = answer(c, "");
	struct canvas *canvas = canvas_new(20, 60);
	struct page page;
	const struct delta_server_tool tool = { .name = STR("web_search"), .state = SERVER_TOOL_COMPLETED, .output = str_from(result) };

	turn_delta(t, &(struct delta){ .kind = DELTA_SERVER_TOOL_BEGIN, .server_tool = tool });
	turn_delta(t, &(struct delta){ .kind = DELTA_SERVER_TOOL_END, .text = STR("{\"query\":\"mast\"}"), .server_tool = tool });
	end(t);
	page_init(&page);
	page_fold_all(&page, true);
	page_update(&page, t, false, 60);
	draw(&page, canvas);
	CHECK(shows(canvas, "1 ships.example  Masts") && shows(canvas, "3 masts.pdf"), "a list");
	CU_ASSERT_STRING_EQUAL(link_of(canvas, "ships.example"), "https://ships.example/masts?a=1");
	CU_ASSERT_STRING_EQUAL(link_of(canvas, "javascript:alert(1)"), "");
	CU_ASSERT_STRING_EQUAL(link_of(canvas, "masts.pdf"), "");
	for (unsigned i = 0; i < canvas->links.count; i++)
		CHECK(!strpbrk(links_at(&canvas->links, i + 1), "\x1b\x07"), "control bytes");
	page_fini(&page);
	canvas_free(canvas);
	conversation_free(c);
}

static void only_hosts_of_web_addresses_are_linked(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = cited_answer(c);
	struct canvas *canvas = canvas_new(20, 60);
	struct page page;

	end(t);
	page_init(&page);
	page_update(&page, t, false, 60);
	draw(&page, canvas);
	CHECK(shows(canvas, "First words.[1] Then more words.[2]"), "numbers");
	CHECK(shows(canvas, "sources  1 jma.go.jp"), "row");
	CU_ASSERT_STRING_EQUAL(link_of(canvas, "jma.go.jp"), "https://www.jma.go.jp/forecast?a=1");
	CU_ASSERT_STRING_EQUAL(link_of(canvas, "good.org@evil.org"), "https://good.org@evil.org/");
	CU_ASSERT_STRING_EQUAL(link_of(canvas, "javascript:alert(1)"), "");
	CU_ASSERT_STRING_EQUAL(link_of(canvas, "Tokyo"), "");
	CU_ASSERT_STRING_EQUAL(link_of(canvas, "4 "), "");
	for (unsigned i = 0; i < canvas->links.count; i++)
		CHECK(!strpbrk(links_at(&canvas->links, i + 1), "\x1b\x07"), "control bytes");
	page_fini(&page);
	canvas_free(canvas);
	conversation_free(c);
}

static void rows_are_copied_without_numbers(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = cited_answer(c);
	struct buf out = { 0 };
	struct page page;

	end(t);
	page_init(&page);
	page_update(&page, t, false, 24);
	page_source(&page, (struct page_row){ 0, 0 }, (struct page_row){ page_pieces(&page) - 1, 0 }, &out);
	CHECK_STR(buf_str(&out), TEXT);
	for (size_t piece = 0; piece < page_pieces(&page); piece++) {
		for (size_t row = 0; row < page_piece_rows(&page, piece); row++) {
			size_t found_piece, found_row;

			page_find(&page, page_mark_of(&page, piece, row), &found_piece, &found_row);
			CHECK(found_piece == piece && found_row == row, "row %zu of piece %zu is found in row %zu of %zu", row, piece, found_row, found_piece);
		}
	}
	page_fini(&page);
	buf_fini(&out);
	conversation_free(c);
}

/* In one row where they all fit, else each begins a row: none begins behind the end of a long one. */
static void sources_that_do_not_fit_have_rows(void)
{
	static const struct { unsigned columns; const char *rows; } widths[] = {
		{ 120, "\nsources  1 a.org  Short   2 b.org  A title of many words that does not fit into what is left of a row   3 c.org  Last\n" },
		{ 100, "\nsources  1 a.org  Short\n         2 b.org  A title of many words that does not fit into what is left of a row\n         3 c.org  Last\n" },
		{ 60, "\nsources  1 a.org  Short\n         2 b.org  A title of many words that does not fit\n           into what is left of a row\n         3 c.org  Last\n" },
	};
	struct conversation *c = conversation_new();
	struct turn *t = answer(c, "Rain.");
	struct page page;

	cite(t, "https://a.org", "Short", 0);
	cite(t, "https://b.org", "A title of many words that does not fit into what is left of a row", 0);
	cite(t, "https://c.org", "Last", 0);
	end(t);
	page_init(&page);
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		struct canvas *canvas = canvas_new(20, widths[i].columns);

		page_update(&page, t, false, widths[i].columns);
		draw(&page, canvas);
		CHECK(shows(canvas, widths[i].rows), "%u columns", widths[i].columns);
		canvas_free(canvas);
	}
	page_fini(&page);
	conversation_free(c);
}

/* While it streams an answer has no numbers; its source view never has. */
static void numbers_come_when_the_answer_has_ended(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = cited_answer(c);
	struct canvas *canvas = canvas_new(20, 60);
	struct page page;

	page_init(&page);
	page_update(&page, t, true, 60);
	draw(&page, canvas);
	CHECK(shows(canvas, "First words. Then more words."), "streaming");
	CHECK(shows(canvas, "sources  1 "), "streaming");
	end(t);
	page_update(&page, t, false, 60);
	draw(&page, canvas);
	CHECK(shows(canvas, "First words.[1] Then more words.[2]"), "ended");
	page_set_options(&page, &(struct markdown_options){ .raw = true });
	page_update(&page, t, false, 60);
	draw(&page, canvas);
	CHECK(shows(canvas, "First words. Then **more** words."), "source");
	page_set_options(&page, &(struct markdown_options){ .raw = false });
	page_update(&page, t, false, 60);
	draw(&page, canvas);
	CHECK(shows(canvas, "First words.[1] Then more words.[2]"), "markdown again");
	page_fini(&page);
	canvas_free(canvas);
	conversation_free(c);
}

static void printed_pages_have_addresses(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = cited_answer(c);
	struct canvas *canvas = canvas_new(20, 80);
	struct page page;

	end(t);
	page_init(&page);
	page.form = PAGE_PRINTED;
	page_update(&page, t, false, 80);
	draw(&page, canvas);
	CHECK(shows(canvas, "sources  1 https://www.jma.go.jp/forecast?a=1"), "printed");
	page_fini(&page);
	canvas_free(canvas);
	conversation_free(c);
}

const struct suite suite_sources = { "sources", (const struct test[]){
	TEST(numbers_follow_the_words_that_they_support),
	TEST(numbers_become_no_links),
	TEST(code_gets_no_numbers),
	TEST(numbers_are_bounded),
	TEST(several_sources_are_in_order),
	TEST(sources_that_do_not_fit_have_rows),
	TEST(found_pages_are_linked_as_sources_are),
	TEST(only_hosts_of_web_addresses_are_linked),
	TEST(rows_are_copied_without_numbers),
	TEST(numbers_come_when_the_answer_has_ended),
	TEST(printed_pages_have_addresses),
	{ 0 },
} };
