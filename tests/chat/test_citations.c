#include "chat/conversation/citations.h"

#include <stdio.h>
#include <string.h>

#include "chat/conversation/conversation.h"
#include "support/check.h"

static struct turn *answer(struct conversation *c)
{
	return conversation_answer(c, STR("p"), NULL, STR("m"));
}

static void text(struct turn *t, unsigned part, const char *words)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .part = part, .text = str_from(words) });
}

static void cite(struct turn *t, unsigned part, const char *url, const char *title, enum citation_unit unit, int64_t end)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_CITATION, .part = part,
	                               .citation = { .url = str_from(url), .title = str_from(title), .unit = unit, .end = end } });
}

static void end(struct turn *t, enum outcome outcome)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .end = { outcome } });
}

static void check_place(const struct turn *t, size_t place, size_t part, size_t offset)
{
	size_t found = 99, at = 99;
	bool known = place < t->citations.place_count && citations_find(t, &t->citations.places[place], &found, &at);

	CHECK(known && found == part && at == offset, "place %zu: %d, part %zu, offset %zu, not part %zu, offset %zu", place, known, found, at, part, offset);
}

static void numbers_each_source_once(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = answer(c);
	struct buf list = { 0 };

	cite(t, DELTA_NO_PART, "https://a.org/1", "", CITATION_NO_PLACE, 0);
	cite(t, DELTA_NO_PART, "https://b.org", "B\nline", CITATION_NO_PLACE, 0);
	cite(t, DELTA_NO_PART, "https://a.org/1", "A", CITATION_NO_PLACE, 0);
	cite(t, DELTA_NO_PART, "", "A document", CITATION_NO_PLACE, 0);
	cite(t, DELTA_NO_PART, "", "A document", CITATION_NO_PLACE, 0);
	cite(t, DELTA_NO_PART, "https://c.org", "A document", CITATION_NO_PLACE, 0);
	cite(t, DELTA_NO_PART, "", "", CITATION_NO_PLACE, 0);
	CU_ASSERT_EQUAL(t->citations.source_count, 4);
	CU_ASSERT_EQUAL(t->citations.place_count, 0);
	citations_list(&t->citations, &list);
	CHECK_STR(buf_str(&list), "1. A https://a.org/1\n2. B line https://b.org\n3. A document\n4. A document https://c.org\n");
	buf_fini(&list);
	conversation_free(c);
}

static void keeps_no_more_than_its_limits(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = answer(c);
	static char longer[CITATION_TEXT_MAX + 2];
	char url[64];

	for (int i = 0; i < 2 * CITATION_PLACES_MAX; i++) {
		snprintf(url, sizeof url, "https://example.org/%d", i);
		cite(t, 0, url, "", CITATION_PART_END, 0);
		cite(t, 0, "https://example.org/0", "", CITATION_PART_END, 0);
	}
	CU_ASSERT_EQUAL(t->citations.source_count, CITATION_SOURCES_MAX);
	CU_ASSERT_EQUAL(t->citations.place_count, CITATION_PLACES_MAX);
	t = answer(c);
	memset(longer, 'x', sizeof longer - 1);
	longer[CITATION_TEXT_MAX - 1] = '\xc3'; /* a character across the limit */
	longer[CITATION_TEXT_MAX] = '\xa9';
	cite(t, 0, longer, longer, CITATION_NO_PLACE, 0);
	CU_ASSERT_EQUAL(t->citations.source_count, 1);
	CU_ASSERT_EQUAL(strlen(t->citations.sources[0].url), 0);
	CU_ASSERT_EQUAL(strlen(t->citations.sources[0].title), CITATION_TEXT_MAX - 1);
	conversation_free(c);
}

/* "é" has two bytes, an ideograph has three. */
static void finds_places_by_part_bytes_and_characters(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = answer(c);

	cite(t, 2, "https://before", "", CITATION_PART_END, 0); /* before its text, as Anthropic sends it */
	text(t, 0, "caf\xc3\xa9 \xe6\xb0\xb4.");
	turn_delta(t, &(struct delta){ .kind = DELTA_REASONING, .part = 1, .text = STR("hm") });
	text(t, 2, "Two");
	text(t, 2, " more");
	cite(t, DELTA_NO_PART, "https://b", "", CITATION_BYTES, 5);
	cite(t, DELTA_NO_PART, "https://b", "", CITATION_CHARACTERS, 4);
	cite(t, DELTA_NO_PART, "https://b", "", CITATION_CHARACTERS, 6);
	cite(t, DELTA_NO_PART, "https://b", "", CITATION_BYTES, 7);       /* in the middle of a character */
	cite(t, DELTA_NO_PART, "https://b", "", CITATION_CHARACTERS, 10); /* in the second text */
	cite(t, 2, "https://b", "", CITATION_CHARACTERS, 3);
	cite(t, DELTA_NO_PART, "https://b", "", CITATION_CHARACTERS, 1000);
	cite(t, 7, "https://b", "", CITATION_PART_END, 0);
	cite(t, DELTA_NO_PART, "https://b", "", CITATION_CHARACTERS, INT64_MAX);
	check_place(t, 0, 2, 8);
	check_place(t, 1, 0, 5);
	check_place(t, 2, 0, 5);
	check_place(t, 3, 0, 9);
	check_place(t, 4, 0, 9);
	check_place(t, 5, 2, 3);
	check_place(t, 6, 2, 3);
	check_place(t, 7, 2, 8);
	size_t part, offset;
	CU_ASSERT_FALSE(citations_find(t, &t->citations.places[8], &part, &offset));
	CU_ASSERT_FALSE(citations_find(t, &t->citations.places[9], &part, &offset));
	conversation_free(c);
}

/* Offsets of a continued answer count from where it went on. */
static void counts_from_the_last_joint(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = answer(c);

	text(t, 0, "First half");
	cite(t, DELTA_NO_PART, "https://a", "", CITATION_CHARACTERS, 900);
	end(t, OUTCOME_LENGTH);
	turn_continue(t);
	text(t, 0, "and the rest.");
	cite(t, DELTA_NO_PART, "https://b", "", CITATION_CHARACTERS, 3);
	cite(t, 0, "https://b", "", CITATION_PART_END, 0);
	end(t, OUTCOME_COMPLETE);
	CU_ASSERT_EQUAL(t->citations.source_count, 2);
	check_place(t, 0, 0, 10);
	check_place(t, 1, 1, 3);
	check_place(t, 2, 1, 13);
	conversation_free(c);
}

static void a_restart_withdraws_them(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = answer(c);

	text(t, 0, "First");
	cite(t, 0, "https://a", "", CITATION_PART_END, 0);
	turn_delta(t, &(struct delta){ .kind = DELTA_RESTART });
	CU_ASSERT_EQUAL(t->citations.source_count + t->citations.place_count, 0);
	text(t, 0, "Second");
	cite(t, 0, "https://b", "", CITATION_PART_END, 0);
	check_place(t, 0, 1, 6);
	conversation_free(c);
}

static void names_the_host_that_an_address_leads_to(void)
{
	static const char *const cases[][2] = {
		{ "https://jma.go.jp/a?b#c", "jma.go.jp" }, { "HTTP://www.Example.org:8080/", "Example.org" }, { "https://www.", "www." },
		{ "https://google.com@evil.org/x", "google.com@evil.org" }, { "https://google.com\\@evil.org", "google.com\\@evil.org" },
		{ "https://evil.org/google.com@", "evil.org" }, { "https://evil.org?q=@google.com", "evil.org" }, { "https://[::1]:80/x", "[::1]:80" },
		{ "javascript:alert(1)//https://a.org", "" }, { "file:///etc/passwd", "" }, { "//a.org", "" }, { "https://", "" }, { "", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_STR(citations_host(str_from(cases[i][0])), cases[i][1]);
}

const struct suite suite_citations = { "citations", (const struct test[]){
	TEST(numbers_each_source_once),
	TEST(keeps_no_more_than_its_limits),
	TEST(finds_places_by_part_bytes_and_characters),
	TEST(counts_from_the_last_joint),
	TEST(a_restart_withdraws_them),
	TEST(names_the_host_that_an_address_leads_to),
	{ 0 },
} };
