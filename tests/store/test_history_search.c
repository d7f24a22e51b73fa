/* Words in all texts, indexed and not indexed yet. */
#include "store/shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "support/check.h"

static struct error err;

static void check_words(struct history *h)
{
	static const char *const harmless[] = { "\"", "\"\"", "*", "a AND", "NEAR(", "content:x", "x^2 -y", "(", "--", "a\"b", "\\", ":", "{a b}: c" };

	shelf_check_search(h, "walrus", "First: A \x02walrus\x03 is a large marine mammal\n");
	shelf_check_search(h, "walrus*", "First: Are \x02walruses\x03 heavy?\n");
	shelf_check_search(h, "large", "Second: the \x02large\x03 red house\nFirst: A walrus is a \x02large\x03 marine mammal\n");
	shelf_check_search(h, "large house", "Second: the \x02large\x03 red \x02house\x03\n");
	shelf_check_search(h, "\"large house\"", "");
	shelf_check_search(h, "\"red house\"", "Second: the large \x02red house\x03\n");
	shelf_check_search(h, "grusse", "");
	shelf_check_search(h, "GRU\u00dfE", "Second: \x02Gr\u00fc\u00dfe\x03\n");
	shelf_check_search(h, "colog", "Cologne: title\n");
	shelf_check_search(h, "\u00dcBER", "\u00fcber den Stra\u00dfen: title\n");
	shelf_check_search(h, "strassen", "\u00fcber den Stra\u00dfen: title\n");
	shelf_check_search(h, "", "");
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
		struct buf found = { 0 };

		CHECK(history_search(h, str_from(harmless[i]), 10, shelf_see_hit, &found, &err) == HISTORY_OK, "%s: %s", harmless[i], err.text);
		buf_fini(&found);
	}
}

/* The same before the texts are indexed as behind it. */
static void words_are_found(void)
{
	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	int64_t one = shelf_conversation(h, "First"), two = shelf_conversation(h, "Second"), three = shelf_conversation(h, "Cologne");
	shelf_conversation(h, "\u00fcber den Stra\u00dfen");
	int64_t node = shelf_exchange(h, one, 0, "What is a walrus?", "A walrus is a large marine mammal");
	shelf_exchange(h, one, node, "Are walruses heavy?", "Yes");
	shelf_exchange(h, two, 0, "Gr\u00fc\u00dfe", "the large red house");
	shelf_exchange(h, three, 0, "x", "nothing");
	check_words(h);
	history_close(h);
	shelf_tend();
	h = shelf_open();
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM unindexed", NO_VALUES, -1), 0);
	check_words(h);
	history_close(h);
	shelf_end();
}

/* Conversations of which some texts are indexed, texts behind many others, deleted ones. */
static void texts_that_are_not_indexed_yet_are_found(void)
{
	int64_t mark = 0, one, gone;

	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	one = shelf_conversation(h, "one");
	int64_t node = shelf_exchange(h, one, 0, "walrus was seen", "x");
	history_close(h);
	shelf_tend();
	h = shelf_open();
	shelf_exchange(h, one, node, "walrus second", "x");
	shelf_check_search(h, "walrus", "one: \x02walrus\x03 second\n");
	shelf_check_search(h, "walrus seen", "one: \x02walrus\x03 was \x02seen\x03\n");
	gone = shelf_conversation(h, "gone");
	shelf_exchange(h, gone, 0, "walrus away", "x");
	CU_ASSERT(history_delete(h, gone, 0, &mark, &err) == HISTORY_OK);
	shelf_exchange(h, shelf_conversation(h, "old"), 0, "a rare quokka", "x");
	for (int i = 0; i < 200; i++)
		node = shelf_exchange(h, one, node, "tapir", "okapi");
	shelf_exchange(h, shelf_conversation(h, "new"), 0, "a new quokka", "x");
	shelf_check_search(h, "quok*", "new: a new \x02quokka\x03\nold: a rare \x02quokka\x03\n");
	shelf_check_search(h, "walrus away", "");
	shelf_check_search(h, "tapir", "one: \x02tapir\x03\n");
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM search WHERE search MATCH 'tapir'", NO_VALUES, -1), 0);
	history_close(h);
	shelf_tend();
	h = shelf_open();
	shelf_check_search(h, "quok*", "new: a new \x02quokka\x03\nold: a rare \x02quokka\x03\n");
	shelf_check_search(h, "walrus", "one: \x02walrus\x03 second\n");
	history_close(h);
	shelf_end();
}

static bool count_hit(void *ctx, const struct history_hit *hit)
{
	struct history_hit *last = ctx;

	last->conversation.turns++;
	last->text = hit->text;
	return true;
}

/* A search in steps reads no more of them than it may, and comes to the index. */
static void many_texts_that_are_not_indexed_end_no_search(void)
{
	static const struct { const char *words; int found; } cases[] = { { "walrus", 1 }, { "newest", 1 }, { "hidden", 0 } };
	struct buf text;

	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "indexed"), 0, "walrus", "x");
	history_close(h);
	shelf_tend();
	h = shelf_open();
	buf_init(&text, (size_t)32 << 20);
	while (text.len < (size_t)17 << 20)
		buf_add_z(&text, "more of it ");
	shelf_exchange(h, shelf_conversation(h, "behind"), 0, "hidden", buf_z(&text));
	shelf_exchange(h, shelf_conversation(h, "last"), 0, "newest", "x");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct history_search *s = history_search_new(str_from(cases[i].words), 10);
		struct history_hit last = { .text = 0 };
		bool more = true;
		int steps = 0;

		for (; more && steps < 1000; steps++)
			CHECK(history_search_step(h, s, count_hit, &last, &more, &err) == HISTORY_OK, "%s: %s", cases[i].words, err.text);
		CHECK(!more && steps < 150 && (last.text > 0) == cases[i].found, "%s: %d steps", cases[i].words, steps);
		history_search_free(s);
	}
	buf_fini(&text);
	history_close(h);
	shelf_end();
}

/* The words of a language, and all of them begin alike: what begins with "word" is too much for one step, but not what begins with "wor". */
static void a_beginning_that_is_too_frequent_is_searched_as_a_word(void)
{
	static const struct { const char *words; bool is_narrowed, is_found; } cases[] = {
		{ "word*", true, true }, { "\"alone word\"*", true, true }, { "word1*", false, true }, { "wor*", false, true }, { "word", false, true },
		{ "word123456*", false, true }, { "alone", false, true }, { "absent*", false, false },
	};
	struct buf text = { 0 };

	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "t");
	for (unsigned i = 0; i < 800000; i++)
		buf_printf(&text, "word%u ", 100000 + i);
	shelf_exchange(h, id, 0, "alone word", buf_z(&text));
	history_close(h);
	shelf_tend();
	h = shelf_open();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct history_search *s = history_search_new(str_from(cases[i].words), 10);
		struct history_hit last = { .text = 0 };
		bool more = true;

		for (int steps = 0; more && steps < 1000; steps++)
			CHECK(history_search_step(h, s, count_hit, &last, &more, &err) == HISTORY_OK, "%s: %s", cases[i].words, err.text);
		CHECK(!more && history_search_is_narrowed(s) == cases[i].is_narrowed && last.conversation.turns == cases[i].is_found, "%s: %d, %lld hits",
		      cases[i].words, history_search_is_narrowed(s), (long long)last.conversation.turns);
		history_search_free(s);
	}
	history_close(h);
	buf_fini(&text);
	shelf_end();
}

/* It is behind all of them, and none of them is it. */
static void a_rare_phrase_of_frequent_words_is_found(void)
{
	struct buf text;
	bool more = true;
	int steps = 0;

	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "t");
	buf_init(&text, (size_t)32 << 20);
	while (text.len < (size_t)24 << 20)
		buf_add_z(&text, "red blue ");
	shelf_exchange(h, id, 0, "blue blue", buf_z(&text));
	history_close(h);
	shelf_tend();
	h = shelf_open();
	struct history_search *s = history_search_new(STR("\"blue blue\""), 10);
	struct history_hit last = { .text = 0 };
	for (; more && steps < 1000; steps++)
		CHECK(history_search_step(h, s, count_hit, &last, &more, &err) == HISTORY_OK, "%s", err.text);
	CHECK(!more && !history_search_is_narrowed(s) && last.conversation.turns == 1, "%d steps, %lld hits", steps,
	      (long long)last.conversation.turns);
	history_search_free(s);
	history_close(h);
	buf_fini(&text);
	shelf_end();
}

/* Also behind the beginning of a text, which is cut at a blank. */
static void a_snippet_is_from_anywhere_in_a_text(void)
{
	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	for (size_t at = 2030; at < 2060; at += 3) {
		struct buf text = { 0 };

		while (text.len < at)
			buf_add_z(&text, text.len + 8 > at ? "." : "many me ");
		buf_add_z(&text, " walruses swim");
		shelf_exchange(h, shelf_conversation(h, "far"), 0, "x", buf_z(&text));
		buf_fini(&text);
	}
	history_close(h);
	shelf_tend();
	h = shelf_open();
	for (int64_t piece = 1; piece <= 20; piece++) {
		char *snippet = history_snippet(h, STR("walr* swim"), piece);
		bool is_answer = piece % 2 == 0;

		CHECK(is_answer == (snippet && strstr(snippet, "\x02walruses\x03 \x02swim\x03")), "%d: %s", (int)piece, snippet ? snippet : "-");
		mem_free(snippet);
	}
	CU_ASSERT_PTR_NULL(history_snippet(h, STR("walr"), 2));
	CU_ASSERT_PTR_NULL(history_snippet(h, STR("walrus swim"), 99));
	history_close(h);
	shelf_end();
}

static void many_texts_hide_no_other_conversation(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_ask(c);
	int64_t node = 0;

	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "old"), 0, "x", "rain");
	for (int i = 0; i < 20500; i++)
		turn_add(t, PART_TEXT, STR("rain"), STR_NONE, STR_NONE);
	shelf_put(h, shelf_conversation(h, "new"), 0, t, &node);
	history_close(h);
	shelf_tend();
	h = shelf_open();
	shelf_check_search(h, "rain", "new: \x02rain\x03\nold: \x02rain\x03\n");
	history_close(h);
	conversation_free(c);
	shelf_end();
}

const struct suite suite_history_search = { "history_search", (const struct test[]){
	TEST(words_are_found),
	TEST(texts_that_are_not_indexed_yet_are_found),
	TEST(many_texts_that_are_not_indexed_end_no_search),
	TEST(a_beginning_that_is_too_frequent_is_searched_as_a_word),
	TEST(a_rare_phrase_of_frequent_words_is_found),
	TEST(a_snippet_is_from_anywhere_in_a_text),
	TEST(many_texts_hide_no_other_conversation),
	{ 0 },
} };
