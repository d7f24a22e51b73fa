/* Words in all texts, indexed and not indexed yet. */
#include "store/shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
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
	shelf_check_search(h, "grusse", "Second: \x02Gr\u00fc\u00dfe\x03\n");
	shelf_check_search(h, "GRU\u00dfE", "Second: \x02Gr\u00fc\u00dfe\x03\n");
	shelf_check_search(h, "colog", "Cologne: title\n");
	shelf_check_search(h, "\u00dcBER", "\u00fcber den Stra\u00dfen: title\n");
	shelf_check_search(h, "strassen", "\u00fcber den Stra\u00dfen: title\n");
	shelf_check_search(h, "", "");
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
		struct buf found = { 0 };

		CHECK(history_search(h, str_from(harmless[i]), 10, NULL, shelf_see_hit, &found, &err) == HISTORY_OK, "%s: %s", harmless[i], err.text);
		buf_fini(&found);
	}
}

/* The same before the texts are indexed as behind it. */
static void words_are_found(void)
{
	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t one = shelf_conversation(h, "First"), two = shelf_conversation(h, "Second"), three = shelf_conversation(h, "Cologne");
	shelf_conversation(h, "\u00fcber den Stra\u00dfen");
	int64_t node = shelf_exchange(h, one, 0, "What is a walrus?", "A walrus is a large marine mammal");
	shelf_exchange(h, one, node, "Are walruses heavy?", "Yes");
	shelf_exchange(h, two, 0, "Gr\u00fc\u00dfe", "the large red house");
	shelf_exchange(h, three, 0, "x", "nothing");
	check_words(h);
	history_close(h);
	shelf_maintain();
	h = shelf_open();
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM stale", NO_VALUES, -1), 0);
	check_words(h);
	history_close(h);
	shelf_end();
}

/* Conversations of which some texts are indexed, texts behind many others, deleted ones. */
static void texts_that_are_not_indexed_yet_are_found(void)
{
	int64_t mark = 0, one, gone;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	one = shelf_conversation(h, "one");
	int64_t node = shelf_exchange(h, one, 0, "walrus was seen", "x");
	history_close(h);
	shelf_maintain();
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
	history_close(h);
	shelf_maintain();
	h = shelf_open();
	shelf_check_search(h, "quok*", "new: a new \x02quokka\x03\nold: a rare \x02quokka\x03\n");
	shelf_check_search(h, "walrus", "one: \x02walrus\x03 second\n");
	history_close(h);
	shelf_end();
}

static bool add_title(void *found, const struct history_hit *hit)
{
	return buf_printf(found, "%s ", hit->conversation.title);
}

static bool count_hit(void *ctx, const struct history_hit *hit)
{
	struct history_hit *last = ctx;

	last->conversation.turns++;
	last->text = hit->text;
	return true;
}

/* As behind an import that was interrupted: what the index has comes first, and all of it is found. */
static void many_texts_that_are_not_indexed_are_found_last(void)
{
	static const char *const words[] = { "walrus", "newest", "hidden" };
	static const char *const titles[] = { "indexed ", "last ", "behind " };
	struct buf text;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "indexed"), 0, "walrus", "x");
	history_close(h);
	shelf_maintain();
	h = shelf_open();
	buf_init(&text, (size_t)32 << 20);
	while (text.len < (size_t)17 << 20)
		buf_add_z(&text, "much of it ");
	shelf_exchange(h, shelf_conversation(h, "behind"), 0, "hidden", buf_z(&text));
	shelf_exchange(h, shelf_conversation(h, "last"), 0, "newest", buf_z(&text) + text.len - ((size_t)9 << 20) + 5);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct history_search *s = history_search_new(str_from(words[i]), 10);
		struct buf found = { 0 };
		bool more = true;
		int steps = 0;

		for (; more && steps < 1000; steps++)
			CHECK(history_search_step(h, s, add_title, &found, &more, &err) == HISTORY_OK, "%s: %s", words[i], err.text);
		CHECK(!more && steps < 200 && str_is(buf_str(&found), titles[i]), "%s: %d steps, %s", words[i], steps, buf_z(&found));
		buf_fini(&found);
		history_search_free(s);
	}
	buf_fini(&text);
	history_close(h);
	shelf_end();
}

/* In the order of the list, wherever their texts stand. */
static void hits_are_in_the_order_of_the_list(void)
{
	static const int64_t days[] = { 5, 9, 1, 7, 3, 8 };
	struct history_search *s = history_search_new(STR("walrus"), 10);
	struct buf found = { 0 };
	bool more = true;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
		char title[20];

		snprintf(title, sizeof title, "day%d", (int)days[i]);
		int64_t id = shelf_conversation(h, title);
		shelf_exchange(h, id, 0, "x", i == 4 ? "tapir" : "a walrus");
		CU_ASSERT(history_date(h, id, days[i] * 86400000, &err) == HISTORY_OK);
		if (i == 3) {
			history_close(h);
			shelf_maintain();
			h = shelf_open();
		}
	}
	while (more)
		CHECK(history_search_step(h, s, add_title, &found, &more, &err) == HISTORY_OK, "%s", err.text);
	CHECK_STR(buf_str(&found), "day9 day8 day7 day5 day1 ");
	buf_fini(&found);
	history_search_free(s);
	history_close(h);
	shelf_end();
}

/* In sentences without blanks, without accents, with other case; one character and two. Before and behind indexing. */
static void words_of_all_scripts_are_found(void)
{
	static const struct { const char *title, *text, *words[6]; } cases[] = {
		{ "zh", "\u6211\u5728\u5317\u4eac\u5927\u5b66\u5b66\u4e60\u3002", { "\u5317\u4eac", "\u5317\u4eac\u5927\u5b66", "\u5b66", "\u6211", "\u4e60", "\u5728\u5317*" } },
		{ "ja", "\u6771\u4eac\u30bf\u30ef\u30fc\u306f\u9ad8\u3044", { "\u30bf\u30ef\u30fc", "\u9ad8\u3044", "\uff80\uff9c\uff70", "\u6771\u4eac\u30bf", "\u306f" } },
		{ "th", "\u0e09\u0e31\u0e19\u0e23\u0e31\u0e01\u0e40\u0e21\u0e37\u0e2d\u0e07\u0e44\u0e17\u0e22", { "\u0e40\u0e21\u0e37\u0e2d\u0e07", "\u0e44\u0e17\u0e22", "\u0e09" } },
		{ "ko", "\ub300\ud55c\ubbfc\uad6d\uc758 \uc218\ub3c4\ub294", { "\ub300\ud55c\ubbfc\uad6d", "\ubbfc\uad6d", "\uc218\ub3c4", "\ub294" } },
		{ "el", "\u0397 \u0391\u03b8\u03ae\u03bd\u03b1 \u03b5\u03af\u03bd\u03b1\u03b9 \u03c4\u03cc\u03c0\u03bf\u03c2", { "\u03b1\u03b8\u03b7\u03bd\u03b1", "\u0391\u0398\u0397\u039d\u0391", "\u03c4\u03bf\u03c0\u03bf\u03c3", "\u03b5\u03b9\u03bd*" } },
		{ "vi", "Th\u00e0nh ph\u1ed1 \u0110\u00e0 N\u1eb5ng", { "da nang", "\"thanh pho\"", "THANH", "Na\u0306\u0303ng" } },
		{ "ru", "\u041f\u043e\u0434 \u0451\u043b\u043a\u043e\u0439", { "\u0435\u043b\u043a\u043e\u0439", "\u0401\u041b\u041a\u041e\u0419" } },
	};

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		shelf_exchange(h, shelf_conversation(h, cases[i].title), 0, "x", cases[i].text);
	for (int indexed = 0; indexed < 2; indexed++) {
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
			for (size_t j = 0; j < 6 && cases[i].words[j]; j++) {
				struct buf found = { 0 };

				CHECK(history_search(h, str_from(cases[i].words[j]), 10, NULL, shelf_see_hit, &found, &err) == HISTORY_OK, "%s", err.text);
				CHECK(str_starts(buf_str(&found), cases[i].title) && str_find(buf_str(&found), STR("\n")) + 1 == found.len, "%s in %s: %s",
				      cases[i].words[j], cases[i].title, buf_z(&found));
				buf_fini(&found);
			}
		shelf_check_search(h, "\u5b66\u5317", "");
		shelf_check_search(h, "\u4eac\u5b66", "");
		history_close(h);
		shelf_maintain();
		h = shelf_open();
	}
	history_close(h);
	shelf_end();
}

/* It is behind all of them, and none of them is it. */
static void a_rare_phrase_of_frequent_words_is_found(void)
{
	struct buf text;
	bool more = true;
	int steps = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "t");
	buf_init(&text, (size_t)32 << 20);
	while (text.len < (size_t)24 << 20)
		buf_add_z(&text, "red blue ");
	shelf_exchange(h, id, 0, "blue blue", buf_z(&text));
	history_close(h);
	shelf_maintain();
	h = shelf_open();
	struct history_search *s = history_search_new(STR("\"blue blue\""), 10);
	struct history_hit last = { .text = 0 };
	for (; more && steps < 1000; steps++)
		CHECK(history_search_step(h, s, count_hit, &last, &more, &err) == HISTORY_OK, "%s", err.text);
	CHECK(!more && last.conversation.turns == 1, "%d steps, %lld hits", steps,
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
	shelf_maintain();
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
	shelf_maintain();
	h = shelf_open();
	for (int64_t piece = 1; piece <= 20; piece++) {
		char *snippet = history_snippet(h, STR("walr* swim"), piece, NULL);
		bool is_answer = piece % 2 == 0;

		CHECK(is_answer == (snippet && strstr(snippet, "\x02walruses\x03 \x02swim\x03")), "%d: %s", (int)piece, snippet ? snippet : "-");
		mem_free(snippet);
	}
	CU_ASSERT_PTR_NULL(history_snippet(h, STR("walr"), 2, NULL));
	CU_ASSERT_PTR_NULL(history_snippet(h, STR("walrus swim"), 99, NULL));
	history_close(h);
	shelf_end();
}

/* In a later piece of its part, at the first place that has both words. */
static void a_place_is_a_byte_of_a_part(void)
{
	struct history_place place;
	struct buf text = { 0 }, found = { 0 };
	int64_t piece = 2;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	while (text.len < 50000)
		buf_add_z(&text, "many more words ");
	buf_add_z(&text, "a Walrus swims");
	shelf_exchange(h, shelf_conversation(h, "far"), 0, "x", buf_z(&text));
	while (piece < 20 && !history_locate(h, STR("walr* swims"), piece, &place, &found))
		piece++;
	CHECK_STR(buf_str(&found), "Walrus");
	CU_ASSERT(piece > 2 && place.node == 2 && place.part == 0 && (size_t)place.offset == text.len - strlen("Walrus swims"));
	history_close(h);
	buf_fini(&text);
	buf_fini(&found);
	shelf_end();
}

static void titles_and_what_is_left_out_are_not_found(void)
{
	bool more = true;
	struct buf found = { 0 };

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t first = shelf_conversation(h, "rain");
	shelf_exchange(h, first, 0, "x", "rain");
	shelf_exchange(h, shelf_conversation(h, "sun"), 0, "x", "rain");
	(void)shelf_conversation(h, "rain only above");
	struct history_search *s = history_search_new(STR("rain"), 10);
	history_search_skip_titles(s);
	history_search_leave_out(s, first);
	while (more)
		CHECK(history_search_step(h, s, shelf_see_hit, &found, &more, &err) == HISTORY_OK, "%s", err.text);
	CHECK_STR(buf_str(&found), "sun: ?\n");
	history_search_free(s);
	history_close(h);
	buf_fini(&found);
	shelf_end();
}

static void many_texts_hide_no_other_conversation(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_ask(c);
	int64_t node = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "old"), 0, "x", "rain");
	for (int i = 0; i < 20500; i++)
		turn_add(t, PART_TEXT, STR("rain"), STR_NONE, STR_NONE);
	shelf_put(h, shelf_conversation(h, "new"), 0, t, &node);
	history_close(h);
	shelf_maintain();
	h = shelf_open();
	shelf_check_search(h, "rain", "new: \x02rain\x03\nold: \x02rain\x03\n");
	history_close(h);
	conversation_free(c);
	shelf_end();
}

const struct suite suite_history_search = { "history_search", (const struct test[]){
	TEST(words_are_found),
	TEST(texts_that_are_not_indexed_yet_are_found),
	TEST(many_texts_that_are_not_indexed_are_found_last),
	TEST(hits_are_in_the_order_of_the_list),
	TEST(words_of_all_scripts_are_found),
	TEST(a_rare_phrase_of_frequent_words_is_found),
	TEST(a_snippet_is_from_anywhere_in_a_text),
	TEST(a_place_is_a_byte_of_a_part),
	TEST(titles_and_what_is_left_out_are_not_found),
	TEST(many_texts_hide_no_other_conversation),
	{ 0 },
} };
