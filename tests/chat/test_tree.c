#include "chat/conversation/conversation.h"

#include <string.h>

#include "base/mem.h"
#include "chat/conversation/projection.h"
#include "chat/conversation/totals.h"
#include "support/check.h"
#include "wire/protocol/protocol.h"

static struct turn *ask(struct conversation *c, const char *text)
{
	struct turn *t = conversation_ask(c);

	turn_add(t, PART_TEXT, str_from(text), STR_NONE, STR_NONE);
	return t;
}

static struct turn *answer(struct conversation *c, const char *text)
{
	struct turn *t = conversation_answer(c, STR("box"), &protocol_anthropic, STR("m"));

	turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .text = str_from(text) });
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .end = { OUTCOME_COMPLETE } });
	return t;
}

/* The first words of the path: "a b c". */
static void check_path(const struct conversation *c, const char *expected, int line)
{
	struct buf words = { 0 };

	for (size_t i = 0; i < c->count; i++)
		buf_printf(&words, "%s%s", i ? " " : "", buf_z(&c->turns[i]->parts[0].text));
	check_str(buf_str(&words), expected, __FILE__, line);
	buf_fini(&words);
}
#define CHECK_PATH(c, expected) check_path((c), (expected), __LINE__)

/* One question with two answers; the first goes on with two questions, the second with one. */
struct grown { struct conversation *c; struct turn *q, *one, *more, *other, *two, *then; };

static struct grown grow(void)
{
	struct grown g = { .c = conversation_new() };

	g.q = ask(g.c, "q");
	g.one = answer(g.c, "one");
	g.more = ask(g.c, "more");
	conversation_branch(g.c, g.one);
	g.other = ask(g.c, "other");
	conversation_branch(g.c, g.q);
	g.two = answer(g.c, "two");
	g.then = ask(g.c, "then");
	return g;
}

static void what_is_asked_again_is_a_sibling(void)
{
	struct grown g = grow();

	CHECK_PATH(g.c, "q two then");
	CU_ASSERT_EQUAL(g.c->node_count, 6);
	CU_ASSERT_PTR_EQUAL(g.two->parent, g.q);
	CU_ASSERT_PTR_EQUAL(g.q->parent, NULL);
	struct siblings two = conversation_siblings(g.c, g.two);
	CU_ASSERT(two.at == 1 && two.count == 2);
	CU_ASSERT_EQUAL(conversation_siblings(g.c, g.q).count, 1);
	CU_ASSERT_PTR_EQUAL(conversation_sibling(g.c, g.two, -1), g.one);
	CU_ASSERT_PTR_EQUAL(conversation_sibling(g.c, g.one, 1), g.two);
	CU_ASSERT_PTR_EQUAL(conversation_sibling(g.c, g.one, -1), NULL);
	CU_ASSERT_PTR_EQUAL(conversation_sibling(g.c, g.two, 1), NULL);
	conversation_branch(g.c, NULL);
	ask(g.c, "p");
	CHECK_PATH(g.c, "p");
	CU_ASSERT_EQUAL(conversation_siblings(g.c, g.q).count, 2);
	conversation_free(g.c);
}

static void a_branch_is_left_where_it_was(void)
{
	struct grown g = grow();

	conversation_select(g.c, g.one);
	CHECK_PATH(g.c, "q one other");
	conversation_select(g.c, g.more);
	CHECK_PATH(g.c, "q one more");
	conversation_select(g.c, g.two);
	CHECK_PATH(g.c, "q two then");
	conversation_select(g.c, g.one);
	CHECK_PATH(g.c, "q one more");
	CU_ASSERT_TRUE(conversation_shows(g.c, g.more));
	CU_ASSERT_FALSE(conversation_shows(g.c, g.other));
	conversation_select(g.c, g.q);
	CHECK_PATH(g.c, "q one more");
	conversation_free(g.c);
}

static void a_stored_tree_is_added_without_a_path(void)
{
	struct conversation *c = conversation_new();
	struct turn *q = conversation_add(c, NULL, TURN_USER), *a, *b;

	turn_add(q, PART_TEXT, STR("q"), STR_NONE, STR_NONE);
	a = conversation_add(c, q, TURN_ASSISTANT);
	turn_set_origin(a, STR("box"), &protocol_ollama, STR("m"));
	turn_add(a, PART_TEXT, STR("a"), STR_NONE, STR_NONE);
	b = conversation_add(c, q, TURN_ASSISTANT);
	turn_add(b, PART_TEXT, STR("b"), STR_NONE, STR_NONE);
	a->stored = 7;
	CU_ASSERT_EQUAL(c->count, 0);
	conversation_select(c, q);
	CHECK_PATH(c, "q b");
	conversation_select(c, a);
	CHECK_PATH(c, "q a");
	CU_ASSERT_STRING_EQUAL(a->scope.protocol_name, "ollama");
	conversation_free(c);
}

static void what_is_removed_comes_back(void)
{
	struct grown g = grow();

	conversation_remove(g.c, g.then);
	CHECK_PATH(g.c, "q two");
	conversation_remove(g.c, g.two);
	CHECK_PATH(g.c, "q one other");
	CU_ASSERT_EQUAL(conversation_siblings(g.c, g.one).count, 1);
	CU_ASSERT_PTR_EQUAL(conversation_next(g.one), NULL);
	conversation_remove(g.c, g.more); /* not on the path */
	CHECK_PATH(g.c, "q one other");
	conversation_remove(g.c, g.q);
	CU_ASSERT_EQUAL(g.c->count, 0);
	CU_ASSERT_PTR_EQUAL(conversation_child(g.c, NULL), NULL);
	CU_ASSERT_PTR_EQUAL(conversation_restore(g.c), g.q);
	CHECK_PATH(g.c, "q one other");
	CU_ASSERT_PTR_EQUAL(conversation_restore(g.c), g.more);
	CHECK_PATH(g.c, "q one more");
	CU_ASSERT_PTR_EQUAL(conversation_restore(g.c), g.two);
	CHECK_PATH(g.c, "q two");
	CU_ASSERT_PTR_EQUAL(conversation_restore(g.c), g.then);
	CHECK_PATH(g.c, "q two then");
	CU_ASSERT_PTR_EQUAL(conversation_restore(g.c), NULL);
	conversation_free(g.c);
}

static void a_copy_shares_nothing(void)
{
	struct grown g = grow();

	turn_label(g.two, STR(" best "));
	turn_note(g.two, STR("weir"), STR("noted"));
	g.two->stored = 3;
	turn_delta(g.two, &(struct delta){ .kind = DELTA_CITATION, .part = DELTA_NO_PART, .citation = { .url = STR("https://a.example/"), .title = STR("A"), .text = STR("") } });
	struct conversation *copy = conversation_copy(g.then);
	conversation_free(g.c);
	CHECK_PATH(copy, "q two then");
	CU_ASSERT_EQUAL(copy->node_count, 3);
	const struct turn *two = copy->turns[1];
	CU_ASSERT(two->stored == 0 && two->parent == copy->turns[0] && two->depth == 1 && two->outcome == OUTCOME_COMPLETE);
	CU_ASSERT_STRING_EQUAL(two->label, "best");
	CU_ASSERT_STRING_EQUAL(two->notes[0].text, "noted");
	CU_ASSERT_STRING_EQUAL(two->citations.sources[0].url, "https://a.example/");
	CU_ASSERT_STRING_EQUAL(two->scope.model, "m");
	conversation_free(copy);
}

/* What the original took is counted there. */
static void what_is_repeated_took_nothing(void)
{
	struct grown g = grow();

	g.two->usage.of[USAGE_PROMPT] = g.two->usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(10);
	turn_set_prices(g.two, &(struct prices){ .of = { [USAGE_PROMPT] = MONEY(1), [USAGE_COMPLETION] = MONEY(1) } }, "the test");
	g.two->stored = 3;
	struct totals before = conversation_totals(g.c);
	conversation_branch(g.c, NULL);
	ask(g.c, "new");
	answer(g.c, "start")->usage = g.two->usage;
	conversation_repeat(g.c, g.two, g.then);
	CHECK_PATH(g.c, "new start two then");
	CU_ASSERT_EQUAL(turn_context(g.two).tokens, 20);
	CU_ASSERT_EQUAL(turn_context(g.c->turns[2]).tokens, 0); /* it stands behind other turns */
	struct conversation *copy = conversation_copy(g.two);
	CU_ASSERT(copy->turns[1]->copied && turn_context(copy->turns[1]).tokens == 20 && !turn_context(copy->turns[1]).is_rough);
	turn_continue(copy->turns[1]);
	CU_ASSERT(!copy->turns[1]->copied && !turn_context(copy->turns[1]).tokens);
	conversation_free(copy);
	CU_ASSERT(g.c->turns[2] != g.two && !g.c->turns[2]->stored && g.c->turns[2]->parent == g.c->turns[1]);
	CU_ASSERT_PTR_EQUAL(g.two->parent, g.q);
	struct totals after = conversation_totals(g.c);
	CU_ASSERT_EQUAL(after.took.usage.of[USAGE_PROMPT].number, before.took.usage.of[USAGE_PROMPT].number + 10); /* of "start" */
	CU_ASSERT_DOUBLE_EQUAL(turn_cost(g.two).usd, 2e-5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(turn_cost(g.c->turns[2]).usd, 0, 0);
	CU_ASSERT_FALSE(turn_cost(g.c->turns[2]).is_unknown);
	conversation_select(g.c, g.q);
	CHECK_PATH(g.c, "q two then");
	conversation_free(g.c);
}

static void an_aside_is_counted_and_not_shown(void)
{
	struct grown g = grow();
	struct conversation *scratch = conversation_new();

	ask(scratch, "title?");
	struct turn *written = answer(scratch, "Letters");
	written->usage.of[USAGE_PROMPT] = written->usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(7);
	struct turn *aside = conversation_set_aside(g.c, written);
	conversation_free(scratch);
	CU_ASSERT(turn_is_aside(aside) && !turn_is_aside(g.two) && !turn_is_aside(g.q));
	CHECK_PATH(g.c, "q two then");
	CU_ASSERT_EQUAL(conversation_siblings(g.c, g.q).count, 1);
	CU_ASSERT_PTR_NULL(conversation_next(g.q));
	CU_ASSERT_EQUAL(conversation_totals(g.c).took.usage.of[USAGE_PROMPT].number, 7);
	CU_ASSERT_EQUAL(conversation_totals(g.c).turns, 2);
	conversation_remove(g.c, g.q); /* the path does not fall back on it */
	CU_ASSERT_EQUAL(g.c->count, 0);
	CU_ASSERT_PTR_EQUAL(conversation_restore(g.c), g.q);
	CHECK_PATH(g.c, "q two then");
	conversation_free(g.c);
}

static void a_label_is_a_short_word(void)
{
	static const struct { const char *given, *kept; } cases[] = {
		{ " best\none ", "best one" }, { "", NULL }, { " \t", NULL },
		{ "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9x\u00e9\u00e9",
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9x" },
	};
	struct conversation *c = conversation_new();
	struct turn *t = ask(c, "q");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		turn_label(t, str_from(cases[i].given));
		CHECK(cases[i].kept ? t->label && !strcmp(t->label, cases[i].kept) : !t->label, "case %zu: %s", i, t->label ? t->label : "none");
	}
	conversation_free(c);
}

/* --- the projection depends on the path alone --- */

#define TREES 60
#define STEPS 60

static void add_random_part(struct turn *t, unsigned index, unsigned *seed)
{
	static const char *const ids[] = { "", "c1", "c2" };
	struct str id = str_from(ids[check_random(seed) % 3]);
	char words[32];

	snprintf(words, sizeof words, "word %u", check_random(seed) % 1000);
	switch (check_random(seed) % 4) {
	case 0:
		turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { index, id, STR("f"), false } });
		turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_END, .text = STR("{}"), .tool = { index, id, STR("f"), true } });
		break;
	case 1:
		turn_delta(t, &(struct delta){ .kind = DELTA_REASONING, .part = index, .text = str_from(words) });
		break;
	default:
		turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .part = index, .text = str_from(words) });
	}
}

static void add_random_turn(struct conversation *c, unsigned *seed)
{
	const struct turn *last = conversation_last(c);
	unsigned parts = check_random(seed) % 4;

	if (!last || last->role == TURN_ASSISTANT) {
		struct turn *q = conversation_ask(c);

		for (unsigned i = 0; last && i < turn_call_count(last); i++)
			turn_add(q, PART_TOOL_RESULT, STR("result"), STR_NONE, STR_NONE)->call = (int)i;
		turn_add(q, PART_TEXT, STR("q"), STR_NONE, STR_NONE);
		return;
	}
	struct turn *a = conversation_answer(c, check_random(seed) % 2 ? STR("box") : STR("other"), &protocol_anthropic, STR("m"));
	for (unsigned i = 0; i < parts; i++)
		add_random_part(a, i, seed);
	turn_delta(a, &(struct delta){ .kind = DELTA_END, .end = { OUTCOME_COMPLETE } });
}

static void step_at_random(struct conversation *c, unsigned *seed)
{
	struct turn *t = c->node_count ? c->nodes[check_random(seed) % c->node_count] : NULL;
	unsigned what = check_random(seed) % 8;

	if (t && !t->removed && what == 0)
		conversation_select(c, t);
	else if (t && !t->removed && what == 1)
		conversation_branch(c, t);
	else if (t && !t->removed && what == 2 && check_random(seed) % 3 == 0)
		conversation_remove(c, t);
	else if (what == 3 && check_random(seed) % 2)
		conversation_restore(c);
	else
		add_random_turn(c, seed);
}

static void project(const struct conversation *c, struct buf *out)
{
	const struct scope scope = { .provider = "box", .model = "m", .protocol = &protocol_anthropic };
	struct projection p;

	conversation_project(c, c->count, &scope, 0, &p);
	for (size_t i = 0; i < p.count; i++)
		for (size_t j = 0; j < p.messages[i].part_count; j++) {
			const struct request_part *part = &p.messages[i].parts[j];

			buf_printf(out, "%d %d %.*s %.*s %.*s %d %d\n", (int)p.messages[i].role, (int)part->kind, STR_ARG(part->id), STR_ARG(part->name),
			           STR_ARG(part->text), part->id_is_ours, part->is_error);
		}
	projection_fini(&p);
}

/* The whole path is reachable, each turn once, and none of it is removed. */
static void check_tree(const struct conversation *c, unsigned seed)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct turn *t = c->turns[i];

		CHECK(!t->removed && t->depth == i && t->parent == (i ? c->turns[i - 1] : NULL), "seed %u, turn %zu", seed, i);
	}
	for (size_t i = 0; i < c->node_count; i++) {
		const struct turn *t = c->nodes[i];
		struct siblings siblings = conversation_siblings(c, t);

		CHECK(t->number == i && (t->removed || siblings.at < siblings.count), "seed %u, node %zu", seed, i);
	}
}

/* Other branches, and the order in which turns came, are not seen in what is sent: a copy of the path alone sends the same bytes. */
static void what_is_sent_depends_on_the_path_alone(void)
{
	for (unsigned tree = 0; tree < TREES; tree++) {
		struct conversation *c = conversation_new();
		unsigned seed = tree + 1;
		struct buf sent = { 0 }, alone = { 0 };

		for (int i = 0; i < STEPS; i++)
			step_at_random(c, &seed);
		check_tree(c, tree + 1);
		if (c->count) {
			struct conversation *copy = conversation_copy(conversation_last(c));

			project(c, &sent);
			project(copy, &alone);
			CHECK(str_equal(buf_str(&sent), buf_str(&alone)), "seed %u:\n%s\n%s", tree + 1, buf_z(&sent), buf_z(&alone));
			conversation_free(copy);
		}
		buf_fini(&sent);
		buf_fini(&alone);
		conversation_free(c);
	}
}

const struct suite suite_tree = { "tree", (const struct test[]){
	TEST(what_is_asked_again_is_a_sibling),
	TEST(a_branch_is_left_where_it_was),
	TEST(a_stored_tree_is_added_without_a_path),
	TEST(what_is_removed_comes_back),
	TEST(a_copy_shares_nothing),
	TEST(what_is_repeated_took_nothing),
	TEST(an_aside_is_counted_and_not_shown),
	TEST(a_label_is_a_short_word),
	TEST(what_is_sent_depends_on_the_path_alone),
	{ 0 },
} };
