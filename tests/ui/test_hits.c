#include "chat/conversation/conversation.h"
#include "ui/page/hits.h"

#include "support/check.h"
#include "wire/delta.h"
#include "wire/part.h"

static struct conversation *conversation;
static struct hits hits;

static struct turn *begin(void)
{
	conversation = conversation_new();
	hits_init(&hits);
	struct turn *t = conversation_ask(conversation);
	turn_add(t, PART_TEXT, STR("What is a Lorry? A lorry."), STR_NONE, STR_NONE);
	t = conversation_answer(conversation, STR("p"), NULL, STR("m"));
	turn_add(t, PART_REASONING, STR("lorry: a truck"), STR_NONE, STR_NONE);
	turn_add(t, PART_TEXT, STR("A lo"), STR_NONE, STR_NONE);
	turn_add(t, PART_TEXT, STR("rry carries."), STR_NONE, STR_NONE);
	turn_add(t, PART_TOOL_CALL, STR("{\"look\":\"lorry\"}"), STR_NONE, STR("f"));
	turn_add(t, PART_TOOL_RESULT, STR("no Lorry"), STR_NONE, STR("f"));
	turn_add(t, PART_OPAQUE, STR("lorry"), STR_NONE, STR_NONE);
	return t;
}

static void end(void)
{
	hits_fini(&hits);
	conversation_free(conversation);
}

static size_t count(const char *needle)
{
	hits_search(&hits, str_from(needle));
	hits_update(&hits, conversation);
	return hits.count;
}

static void searches_all_visible_text(void)
{
	begin();
	CU_ASSERT_EQUAL(count("lorry"), 6);
	CU_ASSERT_EQUAL(hits.list[0].offset, 10);
	CU_ASSERT_EQUAL(hits.list[1].offset, 19);
	CU_ASSERT(hits.list[3].turn == 1 && hits.list[3].part == 1 && hits.list[3].offset == 2); /* spans two adjacent text parts */
	CHECK(hits.list[4].part == 3 && hits.list[4].offset == 6, "where it stands in the lines of members: %zu", hits.list[4].offset);
	CU_ASSERT_EQUAL(count("Lorry"), 2);
	CU_ASSERT_EQUAL(count("lorries"), 0);
	CU_ASSERT_EQUAL(count(""), 0);
	end();
}

static void check_as_anew(unsigned seed, const struct turn *t)
{
	struct hits anew;
	bool same;

	hits_init(&anew);
	hits_search(&anew, buf_str(&hits.needle));
	hits_update(&anew, conversation);
	same = anew.count == hits.count;
	for (size_t i = 0; same && i < anew.count; i++)
		same = anew.list[i].turn == hits.list[i].turn && anew.list[i].part == hits.list[i].part && anew.list[i].offset == hits.list[i].offset;
	CHECK(same, "seed %u: %zu hits, anew %zu, in %zu parts", seed, hits.count, anew.count, t->part_count);
	hits_fini(&anew);
}

/* However a turn grows, the hits are those of one search of the whole turn. */
static void finds_the_same_in_growing_text(void)
{
	static const char *const pieces[] = { "a", "b", "ab", "aab", "A", " ", "ba", "bb" };
	static const char *const needles[] = { "a", "ab", "aa", "aba", "abab", "Ab" };

	for (unsigned seed = 1; seed <= 300; seed++) {
		unsigned state = seed;

		begin();
		struct turn *t = conversation_answer(conversation, STR("p"), NULL, STR("m"));
		hits_search(&hits, str_from(needles[seed % 6]));
		for (unsigned step = 0; step < 40; step++) {
			static const enum delta_kind kinds[] = { DELTA_TEXT, DELTA_TEXT, DELTA_TEXT, DELTA_REASONING, DELTA_REFUSAL, DELTA_RESTART };
			struct delta d = { .kind = kinds[check_random(&state) % (seed % 3 ? 5 : 6)], .part = check_random(&state) % (1 + seed % 3) };

			d.text = str_from(pieces[check_random(&state) % 8]);
			turn_delta(t, &d);
			if (check_random(&state) % 2)
				hits_update(&hits, conversation);
		}
		hits_update(&hits, conversation);
		check_as_anew(seed, t);
		end();
	}
}

static void searches_only_changed_turns_again(void)
{
	struct turn *t = begin();

	CU_ASSERT_EQUAL(count("lorry"), 6);
	hits.list[0].offset = 4711; /* a second search of the first turn would correct this */
	turn_add(t, PART_TEXT, STR("lorry"), STR_NONE, STR_NONE);
	hits_update(&hits, conversation);
	CU_ASSERT_EQUAL(hits.count, 7);
	CU_ASSERT_EQUAL(hits.list[0].offset, 4711);
	hits_forget(&hits);
	CU_ASSERT_EQUAL(hits.count, 0);
	end();
}

/* However the text is split into pieces, the hits are those of the whole text, and the current hit stays the same. */
static void resumes_the_search(void)
{
	static const char *const words[] = { "lorr", "y", "lor", "ry lorry", " ", "LORRY", "lo" };
	struct hits fresh;
	struct turn *t = begin();

	CU_ASSERT_EQUAL(count("lorry"), 6);
	hits.current = 3;
	struct delta begin_call = { .kind = DELTA_TOOL_BEGIN, .tool = { .index = 1, .id = STR("c"), .name = STR("g") } };
	turn_delta(t, &begin_call);
	begin_call.tool.index = 2;
	turn_delta(t, &begin_call);
	for (size_t i = 0; i < 70; i++) {
		struct str word = str_from(words[i * 5 % 7]);
		struct delta d = { .kind = i % 3 == 0 ? DELTA_REASONING : DELTA_TOOL_ARGUMENTS, .text = word, .tool = { .index = 1 + i % 2 }, .part = 9 };

		if (d.kind == DELTA_TOOL_ARGUMENTS && i < 6)
			d.text = STR("{\"a\":[1,\"lorry\",2,\"lo");
		turn_delta(t, &d);
		hits_update(&hits, conversation);
		CU_ASSERT(hits.current == 3 && hits.list[3].part == 1);
	}
	hits_init(&fresh);
	hits_search(&fresh, STR("lorry"));
	hits_update(&fresh, conversation);
	CU_ASSERT_EQUAL(hits.count, fresh.count);
	for (size_t i = 0; i < hits.count && i < fresh.count; i++)
		CHECK(hits.list[i].turn == fresh.list[i].turn && hits.list[i].part == fresh.list[i].part && hits.list[i].offset == fresh.list[i].offset,
		      "%zu: part %zu at %zu, not part %zu at %zu", i, hits.list[i].part, hits.list[i].offset, fresh.list[i].part, fresh.list[i].offset);
	CU_ASSERT(hits.count > 30);
	hits_fini(&fresh);
	end();
}

static void searches_only_new_bytes(void)
{
	struct turn *t = begin();

	turn_add(t, PART_TEXT, STR("lorry"), STR_NONE, STR_NONE);
	CU_ASSERT_EQUAL(count("lorry"), 7);
	size_t index = t->part_count - 1;
	t->parts[index].text.ptr[0] = 'x'; /* a second search of this text would lose the hit */
	buf_add_z(&t->parts[index].text, " lorry");
	t->revision++;
	hits_update(&hits, conversation);
	CU_ASSERT_EQUAL(hits.count, 8);
	end();
}

static void hidden_reasoning_has_no_hits(void)
{
	begin();
	CU_ASSERT_EQUAL(count("lorry"), 6);
	hits_skip_reasoning(&hits, true);
	hits_update(&hits, conversation);
	CU_ASSERT_EQUAL(hits.count, 5);
	hits_skip_reasoning(&hits, false);
	hits_update(&hits, conversation);
	CU_ASSERT_EQUAL(hits.count, 6);
	end();
}

/* As lines of members, or as they were sent. */
static void searches_calls_as_they_are_shown(void)
{
	begin();
	CU_ASSERT(count("\"") == 0 && count("lorry") == 6);
	hits_read_source(&hits, true);
	CU_ASSERT(count("\"") == 4 && count("lorry") == 6);
	CU_ASSERT_EQUAL(hits.list[4].offset, 9);
	end();
}

static void finds_the_current_hit_of_a_row(void)
{
	begin();
	CU_ASSERT_EQUAL(count("lorry"), 6);
	hits.current = 1; /* at 19 of "What is a Lorry? A lorry." */
	CU_ASSERT_EQUAL(hits_current_in(&hits, (struct hits_row){ 0, 0, 0, 25 }), 1);
	CU_ASSERT_EQUAL(hits_current_in(&hits, (struct hits_row){ 0, 0, 17, 25 }), 0);
	CU_ASSERT_EQUAL(hits_current_in(&hits, (struct hits_row){ 0, 0, 21, 25 }), -1);
	CU_ASSERT_EQUAL(hits_current_in(&hits, (struct hits_row){ 0, 0, 0, 19 }), HITS_NO_CURRENT);
	CU_ASSERT_EQUAL(hits_current_in(&hits, (struct hits_row){ 0, 0, 24, 25 }), HITS_NO_CURRENT);
	CU_ASSERT_EQUAL(hits_current_in(&hits, (struct hits_row){ 1, 0, 0, 25 }), HITS_NO_CURRENT);
	end();
}

static void check_current(const char *row, int current, const char *expected)
{
	struct span span = { .text = str_from(row), .role = ROLE_TEXT };
	struct buf out;
	size_t n = 1;

	buf_init(&out, 1000);
	hits_search(&hits, STR("two"));
	const struct span *marked = hits_mark(&hits, STR("x t"), &span, &n, STR_NONE, current);
	for (size_t i = 0; i < n; i++)
		buf_printf(&out, marked[i].role == ROLE_HIT_CURRENT ? "<%.*s>" : marked[i].role == ROLE_HIT ? "[%.*s]" : "(%.*s)", STR_ARG(marked[i].text));
	CHECK(str_is(buf_str(&out), expected), "%d: %s, not %s", current, buf_z(&out), expected);
	buf_fini(&out);
}

static void marks_the_current_hit(void)
{
	hits_init(&hits);
	check_current("wo one two, two", -1, "<wo>( one )[two](, )[two]");
	check_current("wo one two, two", 0, "[wo]( one )<two>(, )[two]");
	check_current("wo one two, two", 1, "[wo]( one )[two](, )<two>");
	check_current("wo one two, two", 7, "[wo]( one )[two](, )<two>"); /* markup hides some hits */
	check_current("wo one two, two", HITS_NO_CURRENT, "[wo]( one )[two](, )[two]");
	check_current("twotwo", 1, "[two]<two>");
	hits_fini(&hits);
}

static void check_marked(const struct span *spans, size_t n, const char *needle, const char *expected)
{
	struct buf out;

	buf_init(&out, 1000);
	hits_search(&hits, str_from(needle));
	const struct span *marked = hits_mark(&hits, STR_NONE, spans, &n, STR_NONE, HITS_NO_CURRENT);
	for (size_t i = 0; i < n; i++)
		buf_printf(&out, marked[i].role == ROLE_HIT ? "[%.*s]" : "(%.*s)", STR_ARG(marked[i].text));
	CHECK(str_is(buf_str(&out), expected), "%s: %s, not %s", needle, buf_z(&out), expected);
	buf_fini(&out);
}

static void marks_whole_clusters_across_spans(void)
{
	static const struct span spans[] = {
		{ .text = { "one tw", 6 }, .role = ROLE_TEXT }, { .text = { "o two", 5 }, .role = ROLE_CODE, .link = 3 },
		{ .text = { " e\u0301a", 5 }, .role = ROLE_TEXT },
	};

	hits_init(&hits);
	check_marked(spans, 3, "two", "(one )[tw][o]( )[two]( e\u0301a)");
	check_marked(spans, 3, "one", "[one]( tw)(o two)( e\u0301a)");
	check_marked(spans, 3, "e\u0301", "(one tw)(o two)( )[e\u0301](a)");
	check_marked(spans, 3, " e", "(one tw)(o two)[ e\u0301](a)");
	check_marked(spans, 3, "o", "[o](ne tw)[o]( tw)[o]( e\u0301a)");
	check_marked(spans, 3, "xyz", "(one tw)(o two)( e\u0301a)");
	size_t n = 3;
	hits_search(&hits, STR("TWO"));
	CU_ASSERT_PTR_EQUAL(hits_mark(&hits, STR_NONE, spans, &n, STR_NONE, HITS_NO_CURRENT), spans);
	hits_fini(&hits);
}

const struct suite suite_hits = { "hits", (const struct test[]){
	TEST(searches_all_visible_text), TEST(finds_the_same_in_growing_text), TEST(searches_only_changed_turns_again),
	TEST(marks_whole_clusters_across_spans), TEST(resumes_the_search), TEST(searches_only_new_bytes),
	TEST(hidden_reasoning_has_no_hits), TEST(searches_calls_as_they_are_shown), TEST(finds_the_current_hit_of_a_row), TEST(marks_the_current_hit), { 0 } } };
