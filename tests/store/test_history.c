#include "store/history.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/history_inside.h"
#include "store/tend.h"
#include "store/turns.h"
#include "support/check.h"
#include "support/home.h"
#include "wire/protocol/protocol.h"

#define FILE_NAME "data/weir/history.db"

static char *home;
static struct error err;

static void begin(void)
{
	home = home_new();
	setenv("XDG_DATA_HOME", home_path(home, "data"), 1);
}

static void end(void)
{
	unsetenv("XDG_DATA_HOME");
	home_free(home);
}

static void tend(void)
{
	struct tend_result result;

	CHECK(history_tend(&(struct tend_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	tend_result_fini(&result);
}

static struct history *open_history(void)
{
	enum history_status status;
	struct history *h = history_open(0, &status, &err);

	CHECK(h && status == HISTORY_OK, "%s", err.text);
	return h;
}

static int64_t new_conversation(struct history *h, const char *title)
{
	int64_t id = 0;

	CHECK(history_begin(h, &(struct history_conversation){ .title = title, .titled_by = "prompt" }, &id, &err) == HISTORY_OK, "%s", err.text);
	return id;
}

static void put(struct history *h, int64_t conversation, int64_t parent, const struct turn *t, int64_t *node)
{
	CHECK(history_put_turn(h, conversation, parent, t, node, &err) == HISTORY_OK, "%s", err.text);
}

static void check_read(struct history *h, int64_t node, const struct turn *written)
{
	struct conversation *c = conversation_new();
	struct turn *t = written->role == TURN_USER ? conversation_ask(c) : conversation_answer(c, STR("p"), NULL, STR("m"));

	CHECK(history_read_turn(h, node, t, &err) == HISTORY_OK, "%s", err.text);
	turns_check_equal(t, written);
	conversation_free(c);
}

/* --- the file --- */

static void absent_until_it_is_tended(void)
{
	enum history_status status;
	struct stat facts;

	begin();
	CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
	CU_ASSERT_EQUAL(status, HISTORY_ABSENT);
	tend();
	history_close(open_history());
	CU_ASSERT(stat(home_path(home, FILE_NAME), &facts) == 0 && (facts.st_mode & 07777) == 0600);
	CU_ASSERT(stat(home_path(home, "data/weir"), &facts) == 0 && (facts.st_mode & 07777) == 0700);
	CU_ASSERT(stat(home_path(home, FILE_NAME "-wal"), &facts) == 0 && (facts.st_mode & 07777) == 0600);
	end();
}

/* --- turns --- */

static void a_turn_is_read_as_it_was_written(void)
{
	unsigned seed = 12;

	begin();
	tend();
	struct history *h = open_history();
	for (int round = 0; round < 150; round++) {
		struct conversation *c = conversation_new();
		struct turn *prompt = conversation_ask(c);
		struct turn *answer = conversation_answer(c, STR("prov"), protocol_at(check_random(&seed) % PROTOCOL_COUNT), STR("model"));
		int64_t conversation = new_conversation(h, "t"), first = 0, second = 0;
		double at_ms = 10;

		turns_random_prompt(prompt, &seed);
		put(h, conversation, 0, prompt, &first);
		for (int i = 0, events = (int)(check_random(&seed) % 80); i < events; i++, at_ms += 12.75) {
			turns_random_event(answer, &seed, at_ms);
			if (check_random(&seed) % 8 == 0)
				put(h, conversation, first, answer, &second);
			if (check_random(&seed) % 30 == 0) {
				turns_end(answer, (enum outcome)(check_random(&seed) % (OUTCOME_CANCELLED + 1)), at_ms);
				if (check_random(&seed) % 2)
					put(h, conversation, first, answer, &second);
				turn_continue(answer);
				answer->joints[answer->joint_count - 1].by_words = check_random(&seed) % 2;
			}
		}
		answer->copied = round % 2;
		answer->context = round % 5 * 1000;
		answer->context_is_rough = round % 4 == 1;
		if (round % 3)
			turns_end(answer, (enum outcome)(check_random(&seed) % (OUTCOME_CANCELLED + 1)), at_ms);
		put(h, conversation, first, answer, &second);
		put(h, conversation, first, answer, &second);
		check_read(h, first, prompt);
		check_read(h, second, answer);
		conversation_free(c);
	}
	history_close(h);
	end();
}

/* A prompt and its answer. Returns the answer's node. */
static int64_t put_exchange(struct history *h, int64_t conversation, int64_t parent, const char *question, const char *words)
{
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c), *answer;
	int64_t first = 0, second = 0;

	turn_add(prompt, PART_TEXT, str_from(question), STR_NONE, STR_NONE);
	put(h, conversation, parent, prompt, &first);
	answer = conversation_answer(c, STR("prov"), protocol_at(0), STR("model"));
	turn_delta(answer, &(struct delta){ .kind = DELTA_TEXT, .text = str_from(words) });
	answer->usage.of[USAGE_PROMPT] = (struct count)COUNT_SENT(10);
	answer->usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(5);
	turn_set_prices(answer, &(struct prices){ .of = { [USAGE_PROMPT] = MONEY(1), [USAGE_COMPLETION] = MONEY(2) } }, "the test");
	turns_end(answer, OUTCOME_COMPLETE, 100);
	put(h, conversation, first, answer, &second);
	conversation_free(c);
	return second;
}

static void what_grows_is_appended_in_pieces(void)
{
	struct conversation *c = conversation_new();
	struct turn *answer = conversation_answer(c, STR("p"), protocol_at(0), STR("m"));
	int64_t conversation, node = 0;
	unsigned seed = 3;

	begin();
	tend();
	struct history *h = open_history();
	conversation = new_conversation(h, "t");
	for (int i = 0; i < 300; i++) {
		char line[1200];
		size_t length = check_random(&seed) % sizeof line;

		memset(line, i % 7 ? 'x' : '\n', length);
		turn_delta(answer, &(struct delta){ .kind = DELTA_TEXT, .text = str_of(line, length), .at_ms = i });
		put(h, conversation, 0, answer, &node);
		if (i == 150)
			tend(); /* the search takes no piece of a part that grows */
	}
	turns_end(answer, OUTCOME_COMPLETE, 300);
	put(h, conversation, 0, answer, &node);
	check_read(h, node, answer);
	history_close(h);
	conversation_free(c);
	end();
}

/* --- conversations --- */

struct seen { char titles[200]; struct history_conversation last; };

static bool see(void *ctx, const struct history_conversation *c)
{
	struct seen *seen = ctx;

	snprintf(seen->titles + strlen(seen->titles), sizeof seen->titles - strlen(seen->titles), "%s ", c->title ? c->title : "-");
	seen->last = *c;
	return true;
}

static void check_list(struct history *h, const struct history_conversation *after, size_t limit, const char *titles, struct seen *seen)
{
	*seen = (struct seen){ .titles = "" };
	CHECK(history_list(h, after, limit, see, seen, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT_STRING_EQUAL(seen->titles, titles);
}

static void the_newest_are_listed_first(void)
{
	struct seen seen;

	begin();
	tend();
	struct history *h = open_history();
	int64_t one = new_conversation(h, "one"), two = new_conversation(h, "two"), three = new_conversation(h, "three");
	put_exchange(h, two, 0, "q", "a");
	put_exchange(h, three, 0, "q", "a");
	put_exchange(h, one, 0, "q", "a");
	check_list(h, NULL, 10, "one three two ", &seen);
	check_list(h, NULL, 2, "one three ", &seen);
	check_list(h, &(struct history_conversation){ .updated_ms = seen.last.updated_ms, .id = seen.last.id }, 2, "two ", &seen);
	CU_ASSERT_EQUAL(seen.last.id, two);
	history_close(h);
	end();
}

static void the_list_tells_turns_tokens_and_money(void)
{
	struct seen seen;

	begin();
	tend();
	struct history *h = open_history();
	int64_t id = new_conversation(h, "sums");
	int64_t node = put_exchange(h, id, 0, "q", "a");
	put_exchange(h, id, node, "again", "b");
	check_list(h, NULL, 10, "sums ", &seen);
	CU_ASSERT_EQUAL(seen.last.turns, 2);
	CU_ASSERT_EQUAL(seen.last.usage.of[USAGE_PROMPT].number, 20);
	CU_ASSERT_EQUAL(seen.last.usage.of[USAGE_COMPLETION].number, 10);
	CU_ASSERT_FALSE(seen.last.usage.of[USAGE_CACHED].sent);
	CU_ASSERT_TRUE(seen.last.cost.known);
	CU_ASSERT_FALSE(seen.last.cost.exact);
	CU_ASSERT_DOUBLE_EQUAL(seen.last.cost.amount, 2 * (10 * 1 + 5 * 2) / 1e6, 1e-12);
	history_close(h);
	end();
}

static void check_find(struct history *h, const char *name, int64_t expected)
{
	int64_t found = -1;
	enum history_status status = history_find(h, str_from(name), &found, &err);

	CHECK(found == expected && status == (expected ? HISTORY_OK : HISTORY_GONE), "%s: %lld, not %lld", name, (long long)found,
	      (long long)expected);
}

static void a_conversation_is_found_by_place_and_key(void)
{
	int64_t one = 0, two = 0;

	begin();
	tend();
	struct history *h = open_history();
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .key = "ab12", .updated_ms = 5 }, &one, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .key = "ab1234", .updated_ms = 9 }, &two, &err) == HISTORY_OK);
	check_find(h, "last", two);
	check_find(h, "1", two);
	check_find(h, "2", one);
	check_find(h, "3", 0);
	check_find(h, "ab12", one);
	check_find(h, "ab123", two);
	check_find(h, "ab%", 0);
	check_find(h, "", 0);
	CU_ASSERT(history_find(h, STR("ab"), &one, &err) == HISTORY_GONE);
	CHECK(strstr(err.text, "several"), "%s", err.text);
	history_close(h);
	end();
}

static void facts_change_where_they_are_given(void)
{
	struct seen seen = { .titles = "" };

	begin();
	tend();
	struct history *h = open_history();
	int64_t id = new_conversation(h, "old");
	CU_ASSERT(history_change(h, id, &(struct history_conversation){ .title = "new", .titled_by = "user" }, &err) == HISTORY_OK);
	CU_ASSERT(history_change(h, id, &(struct history_conversation){ .system_prompt = "be brief" }, &err) == HISTORY_OK);
	CU_ASSERT(history_pin(h, id, true, &err) == HISTORY_OK);
	CU_ASSERT(history_look(h, id, see, &seen, &err) == HISTORY_OK);
	CU_ASSERT_STRING_EQUAL(seen.titles, "new ");
	CU_ASSERT_TRUE(seen.last.pinned);
	CU_ASSERT(history_pin(h, id + 1, true, &err) == HISTORY_GONE);
	CU_ASSERT(history_look(h, id + 1, see, &seen, &err) == HISTORY_GONE);
	history_close(h);
	end();
}

/* --- the tree --- */

struct tree { size_t count; struct history_node nodes[20]; char labels[20][20]; };

static bool see_node(void *ctx, const struct history_node *node)
{
	struct tree *tree = ctx;

	snprintf(tree->labels[tree->count], 20, "%s", node->label ? node->label : "");
	tree->nodes[tree->count++] = *node;
	return true;
}

static struct tree read_tree(struct history *h, int64_t conversation)
{
	struct tree tree = { .count = 0 };

	CHECK(history_nodes(h, conversation, see_node, &tree, &err) == HISTORY_OK, "%s", err.text);
	return tree;
}

static void the_tree_is_read_without_its_texts(void)
{
	begin();
	tend();
	struct history *h = open_history();
	int64_t id = new_conversation(h, "t"), first = put_exchange(h, id, 0, "q1", "a1");
	int64_t left = put_exchange(h, id, first, "q2", "a2"), right = put_exchange(h, id, first, "q3", "a3");
	struct tree tree = read_tree(h, id);
	CU_ASSERT_EQUAL_FATAL(tree.count, 6);
	CU_ASSERT_EQUAL(tree.nodes[3].id, left);
	CU_ASSERT_EQUAL(tree.nodes[0].parent, 0);
	CU_ASSERT_EQUAL(tree.nodes[2].parent, first);
	CU_ASSERT_EQUAL(tree.nodes[4].parent, first);
	CU_ASSERT_EQUAL(tree.nodes[1].child, tree.nodes[4].id);
	CU_ASSERT_EQUAL(tree.nodes[5].id, right);
	CU_ASSERT(history_set_leaf(h, id, left, &err) == HISTORY_OK);
	CU_ASSERT(history_label(h, left, "good", &err) == HISTORY_OK);
	tree = read_tree(h, id);
	CU_ASSERT_EQUAL(tree.nodes[1].child, tree.nodes[2].id);
	CU_ASSERT_STRING_EQUAL(tree.labels[3], "good");
	CU_ASSERT(history_set_leaf(h, id, 999, &err) == HISTORY_GONE);
	history_close(h);
	end();
}

static void what_is_deleted_is_hidden_and_brought_back(void)
{
	struct seen seen;
	int64_t mark = 0, other = 0;

	begin();
	tend();
	struct history *h = open_history();
	int64_t id = new_conversation(h, "t"), first = put_exchange(h, id, 0, "q1", "a1");
	put_exchange(h, id, first, "q2", "a2");
	struct tree tree = read_tree(h, id);
	CU_ASSERT(history_delete(h, id, tree.nodes[2].id, &mark, &err) == HISTORY_OK);
	CU_ASSERT_EQUAL(read_tree(h, id).count, 2);
	check_list(h, NULL, 10, "t ", &seen);
	CU_ASSERT_EQUAL(seen.last.turns, 1);
	CU_ASSERT_EQUAL(seen.last.leaf, first);
	CU_ASSERT(history_undelete(h, mark, &err) == HISTORY_OK);
	CU_ASSERT_EQUAL(read_tree(h, id).count, 4);
	CU_ASSERT(history_undelete(h, mark, &err) == HISTORY_GONE);
	CU_ASSERT(history_delete(h, id, 0, &mark, &err) == HISTORY_OK);
	check_list(h, NULL, 10, "", &seen);
	check_find(h, "last", 0);
	CU_ASSERT(history_delete(h, id, 0, &other, &err) == HISTORY_GONE);
	CU_ASSERT(history_look(h, id, see, &seen, &err) == HISTORY_GONE);
	CU_ASSERT(history_undelete(h, mark, &err) == HISTORY_OK);
	check_list(h, NULL, 10, "t ", &seen);
	history_close(h);
	end();
}

/* What a program adds to what another one has hidden would be deleted for good with it. */
static void nothing_is_put_into_what_is_hidden(void)
{
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c);
	int64_t mark = 0, node = 0, other = 0;

	begin();
	tend();
	struct history *h = open_history();
	int64_t id = new_conversation(h, "t"), first = put_exchange(h, id, 0, "q1", "a1");
	turn_add(prompt, PART_TEXT, STR("q2"), STR_NONE, STR_NONE);
	put(h, id, first, prompt, &node);
	for (int whole = 0; whole < 2; whole++) {
		CU_ASSERT(history_delete(h, id, whole ? 0 : node, &mark, &err) == HISTORY_OK);
		turn_add(prompt, PART_TEXT, STR("more"), STR_NONE, STR_NONE);
		CU_ASSERT(history_put_turn(h, id, first, prompt, &node, &err) == HISTORY_GONE);
		CU_ASSERT(history_put_turn(h, id, node, prompt, &other, &err) == HISTORY_GONE);
		CU_ASSERT_EQUAL(other, 0);
		CU_ASSERT(history_undelete(h, mark, &err) == HISTORY_OK);
		put(h, id, first, prompt, &node);
		check_read(h, node, prompt);
	}
	history_close(h);
	conversation_free(c);
	end();
}

/* Runs SQL on the file while nobody has it open. */
static void sql(const char *words)
{
	enum database_status status;
	struct database *db = database_open(home_path(home, FILE_NAME), DATABASE_WRITE, 0, &status, &err);

	CU_ASSERT_PTR_NOT_NULL_FATAL(db);
	database_script(db, words);
	CHECK(database_status(db) == DATABASE_OK, "%s", database_message(db));
	database_close(db);
}

/* --- sums --- */

static void sums_are_written_once_in_a_batch(void)
{
	struct seen seen;

	begin();
	tend();
	struct history *h = open_history();
	int64_t one = new_conversation(h, "one"), two = new_conversation(h, "two"), node = 0;
	database_script(h->db, "CREATE TEMP TABLE written (id); CREATE TEMP TRIGGER note_sums AFTER UPDATE OF turns ON conversation "
	                "BEGIN INSERT INTO written VALUES (new.id); END");
	CU_ASSERT(history_batch(h, &err) == HISTORY_OK);
	for (int i = 0; i < 20; i++)
		node = put_exchange(h, one, node, "q", "a");
	put_exchange(h, two, 0, "q", "a");
	put_exchange(h, one, node, "q", "a");
	CU_ASSERT(history_commit(h, &err) == HISTORY_OK);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM written WHERE id = ?", VALUES(INTEGER(one)), 0), 2);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM written", NO_VALUES, 0), 3);
	check_list(h, NULL, 1, "one ", &seen);
	CU_ASSERT(seen.last.turns == 21 && seen.last.usage.of[USAGE_PROMPT].number == 210 && seen.last.cost.known);
	CU_ASSERT(history_look(h, two, see, &seen, &err) == HISTORY_OK);
	CU_ASSERT(seen.last.turns == 1 && seen.last.usage.of[USAGE_COMPLETION].number == 5);
	history_close(h);
	end();
}

/* --- searching and counting --- */

static bool see_hit(void *ctx, const struct history_hit *hit)
{
	struct buf *out = ctx;

	buf_printf(out, "%s: %s\n", hit->conversation.title, hit->snippet ? hit->snippet : hit->node ? "?" : "title");
	return true;
}

struct place { struct history *h; const char *words; };

/* A snippet on demand marks words, as that of the search does. */
static bool see_place(void *ctx, const struct history_hit *hit)
{
	const struct place *place = ctx;
	char *snippet = hit->text ? history_snippet(place->h, str_from(place->words), hit->text) : NULL;

	CU_ASSERT_PTR_NULL(hit->snippet);
	CHECK(!hit->node || (snippet && strstr(snippet, HISTORY_HIT_BEGIN)), "%s: no snippet", place->words);
	mem_free(snippet);
	return true;
}

static void check_steps(struct history *h, const char *words)
{
	struct history_search *s = history_search_new(str_from(words), 10);
	bool more = true;

	while (more)
		CHECK(history_search_step(h, s, see_place, &(struct place){ h, words }, &more, &err) == HISTORY_OK, "%s: %s", words, err.text);
	CU_ASSERT_FALSE(history_search_is_narrowed(s));
	history_search_free(s);
}

static void check_search(struct history *h, const char *words, const char *expected)
{
	struct buf found = { 0 };

	CHECK(history_search(h, str_from(words), 10, see_hit, &found, &err) == HISTORY_OK, "%s: %s", words, err.text);
	check_steps(h, words);
	CHECK(!strcmp(buf_z(&found), expected), "%s: %s", words, buf_z(&found));
	buf_fini(&found);
}

static void check_words(struct history *h)
{
	static const char *const harmless[] = { "\"", "\"\"", "*", "a AND", "NEAR(", "content:x", "x^2 -y", "(", "--", "a\"b", "\\", ":", "{a b}: c" };

	check_search(h, "walrus", "First: A \x02walrus\x03 is a large marine mammal\n");
	check_search(h, "walrus*", "First: Are \x02walruses\x03 heavy?\n");
	check_search(h, "large", "Second: the \x02large\x03 red house\nFirst: A walrus is a \x02large\x03 marine mammal\n");
	check_search(h, "large house", "Second: the \x02large\x03 red \x02house\x03\n");
	check_search(h, "\"large house\"", "");
	check_search(h, "\"red house\"", "Second: the large \x02red house\x03\n");
	check_search(h, "grusse", "");
	check_search(h, "GRU\u00dfE", "Second: \x02Gr\u00fc\u00dfe\x03\n");
	check_search(h, "colog", "Cologne: title\n");
	check_search(h, "", "");
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
		struct buf found = { 0 };

		CHECK(history_search(h, str_from(harmless[i]), 10, see_hit, &found, &err) == HISTORY_OK, "%s: %s", harmless[i], err.text);
		buf_fini(&found);
	}
}

/* The same before the texts are indexed as behind it. */
static void words_are_found(void)
{
	begin();
	tend();
	struct history *h = open_history();
	int64_t one = new_conversation(h, "First"), two = new_conversation(h, "Second"), three = new_conversation(h, "Cologne");
	int64_t node = put_exchange(h, one, 0, "What is a walrus?", "A walrus is a large marine mammal");
	put_exchange(h, one, node, "Are walruses heavy?", "Yes");
	put_exchange(h, two, 0, "Gr\u00fc\u00dfe", "the large red house");
	put_exchange(h, three, 0, "x", "nothing");
	check_words(h);
	history_close(h);
	tend();
	h = open_history();
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM unindexed", NO_VALUES, -1), 0);
	check_words(h);
	history_close(h);
	end();
}

/* Conversations of which some texts are indexed, texts behind many others, deleted ones. */
static void texts_that_are_not_indexed_yet_are_found(void)
{
	int64_t mark = 0, one, gone;

	begin();
	tend();
	struct history *h = open_history();
	one = new_conversation(h, "one");
	int64_t node = put_exchange(h, one, 0, "walrus was seen", "x");
	history_close(h);
	tend();
	h = open_history();
	put_exchange(h, one, node, "walrus second", "x");
	check_search(h, "walrus", "one: \x02walrus\x03 second\n");
	check_search(h, "walrus seen", "one: \x02walrus\x03 was \x02seen\x03\n");
	gone = new_conversation(h, "gone");
	put_exchange(h, gone, 0, "walrus away", "x");
	CU_ASSERT(history_delete(h, gone, 0, &mark, &err) == HISTORY_OK);
	put_exchange(h, new_conversation(h, "old"), 0, "a rare quokka", "x");
	for (int i = 0; i < 200; i++)
		node = put_exchange(h, one, node, "tapir", "okapi");
	put_exchange(h, new_conversation(h, "new"), 0, "a new quokka", "x");
	check_search(h, "quok*", "new: a new \x02quokka\x03\nold: a rare \x02quokka\x03\n");
	check_search(h, "walrus away", "");
	check_search(h, "tapir", "one: \x02tapir\x03\n");
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM search WHERE search MATCH 'tapir'", NO_VALUES, -1), 0);
	history_close(h);
	tend();
	h = open_history();
	check_search(h, "quok*", "new: a new \x02quokka\x03\nold: a rare \x02quokka\x03\n");
	check_search(h, "walrus", "one: \x02walrus\x03 second\n");
	history_close(h);
	end();
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

	begin();
	tend();
	struct history *h = open_history();
	put_exchange(h, new_conversation(h, "indexed"), 0, "walrus", "x");
	history_close(h);
	tend();
	h = open_history();
	buf_init(&text, (size_t)32 << 20);
	while (text.len < (size_t)17 << 20)
		buf_add_z(&text, "more of it ");
	put_exchange(h, new_conversation(h, "behind"), 0, "hidden", buf_z(&text));
	put_exchange(h, new_conversation(h, "last"), 0, "newest", "x");
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
	end();
}

/* The words of a language, and all of them begin alike: what begins with "word" is too much for one step, but not what begins with "wor". */
static void a_beginning_that_is_too_frequent_is_searched_as_a_word(void)
{
	static const struct { const char *words; bool is_narrowed, is_found; } cases[] = {
		{ "word*", true, true }, { "\"alone word\"*", true, true }, { "word1*", false, true }, { "wor*", false, true }, { "word", false, true },
		{ "word123456*", false, true }, { "alone", false, true }, { "absent*", false, false },
	};
	struct buf text = { 0 };

	begin();
	tend();
	struct history *h = open_history();
	int64_t id = new_conversation(h, "t");
	for (unsigned i = 0; i < 800000; i++)
		buf_printf(&text, "word%u ", 100000 + i);
	put_exchange(h, id, 0, "alone word", buf_z(&text));
	history_close(h);
	tend();
	h = open_history();
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
	end();
}

/* It is behind all of them, and none of them is it. */
static void a_rare_phrase_of_frequent_words_is_found(void)
{
	struct buf text;
	bool more = true;
	int steps = 0;

	begin();
	tend();
	struct history *h = open_history();
	int64_t id = new_conversation(h, "t");
	buf_init(&text, (size_t)32 << 20);
	while (text.len < (size_t)24 << 20)
		buf_add_z(&text, "red blue ");
	put_exchange(h, id, 0, "blue blue", buf_z(&text));
	history_close(h);
	tend();
	h = open_history();
	struct history_search *s = history_search_new(STR("\"blue blue\""), 10);
	struct history_hit last = { .text = 0 };
	for (; more && steps < 1000; steps++)
		CHECK(history_search_step(h, s, count_hit, &last, &more, &err) == HISTORY_OK, "%s", err.text);
	CHECK(!more && !history_search_is_narrowed(s) && last.conversation.turns == 1, "%d steps, %lld hits", steps,
	      (long long)last.conversation.turns);
	history_search_free(s);
	history_close(h);
	buf_fini(&text);
	end();
}

/* Also behind the beginning of a text, which is cut at a blank. */
static void a_snippet_is_from_anywhere_in_a_text(void)
{
	begin();
	tend();
	struct history *h = open_history();
	for (size_t at = 2030; at < 2060; at += 3) {
		struct buf text = { 0 };

		while (text.len < at)
			buf_add_z(&text, text.len + 8 > at ? "." : "many me ");
		buf_add_z(&text, " walruses swim");
		put_exchange(h, new_conversation(h, "far"), 0, "x", buf_z(&text));
		buf_fini(&text);
	}
	history_close(h);
	tend();
	h = open_history();
	for (int64_t piece = 1; piece <= 20; piece++) {
		char *snippet = history_snippet(h, STR("walr* swim"), piece);
		bool is_answer = piece % 2 == 0;

		CHECK(is_answer == (snippet && strstr(snippet, "\x02walruses\x03 \x02swim\x03")), "%d: %s", (int)piece, snippet ? snippet : "-");
		mem_free(snippet);
	}
	CU_ASSERT_PTR_NULL(history_snippet(h, STR("walr"), 2));
	CU_ASSERT_PTR_NULL(history_snippet(h, STR("walrus swim"), 99));
	history_close(h);
	end();
}

static void many_texts_hide_no_other_conversation(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_ask(c);
	int64_t node = 0;

	begin();
	tend();
	struct history *h = open_history();
	put_exchange(h, new_conversation(h, "old"), 0, "x", "rain");
	for (int i = 0; i < 20500; i++)
		turn_add(t, PART_TEXT, STR("rain"), STR_NONE, STR_NONE);
	put(h, new_conversation(h, "new"), 0, t, &node);
	history_close(h);
	tend();
	h = open_history();
	check_search(h, "rain", "new: \x02rain\x03\nold: \x02rain\x03\n");
	history_close(h);
	conversation_free(c);
	end();
}

static void see_sum(void *ctx, const struct history_sum *sum)
{
	buf_printf(ctx, "%s %s %lld %lld %lld %g %lld\n", sum->key, sum->title ? sum->title : "-", (long long)sum->answers,
	           (long long)sum->usage.of[USAGE_PROMPT].number, (long long)sum->usage.of[USAGE_COMPLETION].number,
	           sum->cost.known ? sum->cost.amount * 1e6 : -1, (long long)sum->unpriced);
}

static void check_usage(struct history *h, enum history_by by, time_t since, const char *expected)
{
	struct buf out = { 0 };

	CHECK(history_usage(h, by, since, see_sum, &out, &err) == HISTORY_OK, "%s", err.text);
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
}

static void usage_is_summed_up(void)
{
	int64_t mark;

	begin();
	tend();
	struct history *h = open_history();
	int64_t one = 0, two = 0;
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .key = "k1", .title = "One" }, &one, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .key = "k2" }, &two, &err) == HISTORY_OK);
	put_exchange(h, one, put_exchange(h, one, 0, "a", "b"), "c", "d");
	put_exchange(h, two, 0, "e", "f");
	check_usage(h, HISTORY_BY_MODEL, 0, "model - 3 30 15 60 0\n");
	check_usage(h, HISTORY_BY_PROVIDER, 0, "prov - 3 30 15 60 0\n");
	check_usage(h, HISTORY_BY_CONVERSATION, 0, "k1 One 2 20 10 40 0\nk2 - 1 10 5 20 0\n");
	check_usage(h, HISTORY_BY_CONVERSATION, time(NULL) + 100, "");
	CU_ASSERT(history_delete(h, one, 0, &mark, &err) == HISTORY_OK);
	check_usage(h, HISTORY_BY_MODEL, 0, "model - 1 10 5 20 0\n");
	history_close(h);
	sql("UPDATE node SET started = 86400 * 365, cost = NULL");
	setenv("TZ", "UTC", 1);
	tzset();
	h = open_history();
	check_usage(h, HISTORY_BY_DAY, 0, "1971-01-01 - 1 10 5 -1 1\n");
	history_close(h);
	end();
}

/* --- deleting for good --- */

/* Whether a file below the home holds the words. */
static bool any_file_has(const char *words)
{
	char command[400];

	snprintf(command, sizeof command, "grep -rqaiF '%s' '%s'", words, home);
	return system(command) == 0;
}

static void see_tape(void *ctx, const char *path)
{
	buf_printf(ctx, "%s\n", path);
}

static struct tend_result purge(struct buf *tapes)
{
	struct tend_options options = { .purge = true, .tape = tapes ? see_tape : NULL, .ctx = tapes };
	struct tend_result result;

	CHECK(history_tend(&options, &result, &err) == HISTORY_OK, "%s", err.text);
	return result;
}

/* A program that has read the whole list and waits until its standard input ends. */
static pid_t start_reader(int *hold)
{
	int pipes[2], ready[2];
	pid_t child;
	char byte;

	CU_ASSERT_FATAL(pipe(pipes) == 0 && pipe(ready) == 0);
	child = fork();
	if (child == 0) {
		struct seen seen = { .titles = "" };
		enum history_status status;
		struct history *h = history_open(0, &status, &err);

		close(pipes[1]);
		if (!h || history_list(h, NULL, 100, see, &seen, &err) != HISTORY_OK)
			_exit(1);
		(void)!write(ready[1], "x", 1);
		(void)!read(pipes[0], &byte, 1);
		_exit(0);
	}
	close(pipes[0]);
	close(ready[1]);
	CU_ASSERT(read(ready[0], &byte, 1) == 1);
	close(ready[0]);
	*hold = pipes[1];
	return child;
}

static void end_reader(pid_t child, int hold)
{
	int status;

	close(hold);
	CU_ASSERT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void no_file_holds_what_was_deleted(void)
{
	int64_t mark, one, two, keep, quagmire;
	struct tend_result result;
	struct history *h;
	pid_t reader;
	int hold;

	begin();
	setenv("XDG_STATE_HOME", home_path(home, "state"), 1);
	home_write(home, "state/weir/prompts", "\"zanzibar question\"\n\"another\"\n\"zanzibar again\"\n");
	tend();
	h = open_history();
	one = new_conversation(h, "xylophone");
	two = new_conversation(h, "kept");
	put_exchange(h, one, 0, "zanzibar question", "quokka answer");
	keep = put_exchange(h, two, 0, "other", "words that stay");
	for (int i = 0; i < 10; i++) /* one segment of the search, which nothing but a whole merge touches */
		put_exchange(h, one, 0, "zanzibar again", "more of the quokka");
	quagmire = put_exchange(h, two, keep, "quagmire below", "a node with a quagmire");
	history_close(h);
	tend();
	h = open_history();
	put_exchange(h, one, 0, "zanzibar unindexed", "quokka");
	CU_ASSERT(any_file_has("zanzibar"));
	CU_ASSERT(history_delete(h, one, 0, &mark, &err) == HISTORY_OK);
	CU_ASSERT(history_delete(h, two, quagmire - 1, &mark, &err) == HISTORY_OK);
	history_close(h);
	reader = start_reader(&hold);
	result = purge(NULL);
	CU_ASSERT_FALSE(result.left);
	tend_result_fini(&result);
	CU_ASSERT_FALSE(any_file_has("xylophone"));
	CU_ASSERT_FALSE(any_file_has("zanzibar"));
	CU_ASSERT_FALSE(any_file_has("quokka"));
	CU_ASSERT_FALSE(any_file_has("quagmire"));
	CU_ASSERT_TRUE(any_file_has("words that stay"));
	CU_ASSERT_TRUE(any_file_has("another"));
	unsetenv("XDG_STATE_HOME");
	end_reader(reader, hold);
	h = open_history();
	check_search(h, "zanzibar", "");
	check_search(h, "\"words that stay\"", "kept: \x02words that stay\x03\n");
	CU_ASSERT_TRUE(database_is_sound(h->db));
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM piece WHERE part NOT IN (SELECT id FROM part)", NO_VALUES, -1), 0);
	database_script(h->db, "INSERT INTO search (search) VALUES ('integrity-check')");
	CHECK(database_status(h->db) == DATABASE_OK, "%s", database_message(h->db));
	history_close(h);
	end();
}

static void attachments_and_tapes_go_with_their_last_turn(void)
{
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c);
	int64_t one, two, node = 0, both = 0, other = 0, mark;
	struct buf tapes = { 0 };
	struct tend_result result;
	struct history *h;

	begin();
	tend();
	h = open_history();
	one = new_conversation(h, "one");
	two = new_conversation(h, "two");
	turn_add(prompt, PART_ATTACHMENT, STR("\x89PNG capybara \0 bytes"), STR(""), STR("a.png"));
	prompt->tape = mem_dup_z("/tapes/one.tape");
	put(h, one, 0, prompt, &node);
	str_replace(&prompt->tape, STR("/tapes/both.tape"));
	put(h, one, 0, prompt, &both);
	put(h, two, 0, prompt, &other);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM attachment", NO_VALUES, -1), 1);
	CU_ASSERT(history_delete(h, one, 0, &mark, &err) == HISTORY_OK);
	history_close(h);
	result = purge(&tapes);
	tend_result_fini(&result);
	CHECK_STR(buf_str(&tapes), "/tapes/one.tape\n");
	h = open_history();
	check_read(h, other, prompt);
	CU_ASSERT(history_delete(h, two, 0, &mark, &err) == HISTORY_OK);
	history_close(h);
	result = purge(&tapes);
	tend_result_fini(&result);
	CU_ASSERT_FALSE(any_file_has("capybara"));
	buf_fini(&tapes);
	conversation_free(c);
	end();
}

/* --- failures --- */

static void a_failure_in_a_batch_keeps_nothing(void)
{
	struct seen seen;
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c);
	int64_t id = 0, node = 0;

	begin();
	tend();
	struct history *h = open_history();
	turn_add(prompt, PART_TEXT, STR("x"), STR_NONE, STR_NONE);
	CU_ASSERT(history_batch(h, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .title = "lost" }, &id, &err) == HISTORY_OK);
	CU_ASSERT(history_put_turn(h, id, 4711, prompt, &node, &err) == HISTORY_GONE);
	CU_ASSERT(history_commit(h, &err) == HISTORY_GONE);
	CU_ASSERT_EQUAL(node, 0);
	check_list(h, NULL, 10, "", &seen);
	CU_ASSERT(history_batch(h, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .title = "kept" }, &id, &err) == HISTORY_OK);
	CU_ASSERT(history_put_turn(h, id, 0, prompt, &node, &err) == HISTORY_OK);
	CU_ASSERT(history_commit(h, &err) == HISTORY_OK);
	check_list(h, NULL, 10, "kept ", &seen);
	history_close(h);
	conversation_free(c);
	end();
}

static void another_writer_makes_it_busy_at_once(void)
{
	int64_t id = 0;

	begin();
	tend();
	struct history *h = open_history(), *other = open_history();
	CU_ASSERT(history_batch(other, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .title = "t" }, &id, &err) == HISTORY_BUSY);
	CHECK(strstr(err.text, "another program"), "%s", err.text);
	CU_ASSERT(history_commit(other, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .title = "t" }, &id, &err) == HISTORY_OK);
	history_close(other);
	history_close(h);
	end();
}

static void a_later_version_is_left_alone(void)
{
	enum history_status status;
	struct tend_result result;

	begin();
	tend();
	sql("PRAGMA user_version = 99999; UPDATE form SET number = 99999");
	CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
	CU_ASSERT_EQUAL(status, HISTORY_NEWER);
	CU_ASSERT_EQUAL(history_tend(&(struct tend_options){ .purge = true, .check = true }, &result, &err), HISTORY_NEWER);
	CHECK(strstr(err.text, "later version"), "%s", err.text);
	tend_result_fini(&result);
	end();
}

/* One flipped bit does not hide a turn: the word is read alike in the list of nodes and in the turn. */
static void a_turn_whose_role_is_damaged_is_read(void)
{
	int64_t conversation, node = 0;

	begin();
	tend();
	struct history *h = open_history();
	struct conversation *c = conversation_new(), *read = conversation_new();
	conversation = new_conversation(h, "t");
	turn_add(conversation_ask(c), PART_TEXT, STR("words"), STR_NONE, STR_NONE);
	put(h, conversation, 0, c->turns[0], &node);
	database_do(h->db, "UPDATE node SET role = 'uses'", NO_VALUES);
	struct turn *t = conversation_answer(read, STR(""), NULL, STR(""));
	CHECK(history_read_turn(h, node, t, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT_EQUAL_FATAL(t->part_count, 1);
	CHECK_STR(buf_str(&t->parts[0].text), "words");
	conversation_free(c);
	conversation_free(read);
	history_close(h);
	end();
}

static void another_file_in_its_place_is_noticed(void)
{
	char old[300];
	int64_t id = 0;

	begin();
	tend();
	struct history *h = open_history();
	new_conversation(h, "t");
	snprintf(old, sizeof old, "%s", home_path(home, FILE_NAME));
	CU_ASSERT(rename(old, home_path(home, "moved")) == 0);
	CU_ASSERT_EQUAL(history_begin(h, &(struct history_conversation){ .title = "t" }, &id, &err), HISTORY_REPLACED);
	history_close(h);
	end();
}

static void an_earlier_version_is_migrated(void)
{
	struct tend_result result;
	struct seen seen;
	enum history_status status;
	char command[300];
	int64_t mark;

	begin();
	tend();
	struct history *h = open_history();
	int64_t id = new_conversation(h, "old");
	int64_t node = put_exchange(h, id, 0, "walrus", "a marine mammal");
	history_close(h);
	tend();
	sql("PRAGMA user_version = 5; UPDATE form SET number = 5; ALTER TABLE node DROP COLUMN cached_tokens; ALTER TABLE conversation ADD COLUMN dropped");
	CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
	CU_ASSERT_EQUAL(status, HISTORY_OLDER);
	CHECK(history_tend(&(struct tend_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT_TRUE(result.migrated);
	CU_ASSERT_PTR_NULL(result.damaged);
	tend_result_fini(&result);
	h = open_history();
	check_list(h, NULL, 10, "old ", &seen);
	CU_ASSERT_EQUAL(seen.last.usage.of[USAGE_PROMPT].number, 10);
	CU_ASSERT_EQUAL(seen.last.leaf, node);
	check_search(h, "walrus", "old: \x02walrus\x03\n");
	snprintf(command, sizeof command, "ls '%s'/data/weir/ | grep -q '^history.db.before-'", home);
	CU_ASSERT_EQUAL(system(command), 0);
	CU_ASSERT(history_delete(h, id, 0, &mark, &err) == HISTORY_OK);
	history_close(h);
	result = purge(NULL);
	tend_result_fini(&result);
	CU_ASSERT_FALSE(any_file_has("walrus"));
	end();
}

static void a_turn_that_was_read_in_part_is_read_anew(void)
{
	struct conversation *c = conversation_new(), *other = conversation_new();
	struct turn *prompt = conversation_ask(c), *read = conversation_ask(other);
	int64_t node = 0;

	begin();
	tend();
	struct history *h = open_history();
	turn_add(prompt, PART_TEXT, STR("words"), STR_NONE, STR_NONE);
	turn_note(prompt, STR("rule"), STR("note"));
	put(h, new_conversation(h, "t"), 0, prompt, &node);
	database_script(h->db, "ALTER TABLE joint RENAME TO hidden");
	CU_ASSERT(history_read_turn(h, node, read, &err) != HISTORY_OK);
	CU_ASSERT(!read->part_count && !read->note_count);
	database_script(h->db, "ALTER TABLE hidden RENAME TO joint");
	CHECK(history_read_turn(h, node, read, &err) == HISTORY_OK, "%s", err.text);
	turns_check_equal(read, prompt);
	history_close(h);
	conversation_free(c);
	conversation_free(other);
	end();
}

/* Rows that another program changed: no cost without a currency, no tokens below zero. */
static void figures_that_make_no_sense_are_not_known(void)
{
	struct seen seen;

	begin();
	tend();
	struct history *h = open_history();
	put_exchange(h, new_conversation(h, "t"), 0, "q", "a");
	history_close(h);
	sql("UPDATE node SET currency = NULL, prompt_tokens = -7; UPDATE conversation SET currency = NULL, prompt_tokens = -7");
	h = open_history();
	check_usage(h, HISTORY_BY_MODEL, 0, "model - 1 0 5 -1 1\n");
	check_list(h, NULL, 10, "t ", &seen);
	CU_ASSERT(!seen.last.cost.known && !seen.last.usage.of[USAGE_PROMPT].sent);
	history_close(h);
	end();
}

/* People query the file with other programs, which may leave something in it. */
static void what_others_add_is_no_damage(void)
{
	struct tend_result result;

	begin();
	tend();
	struct history *h = open_history();
	put_exchange(h, new_conversation(h, "t"), 0, "q", "a");
	history_close(h);
	sql("CREATE TABLE mine (words); INSERT INTO mine VALUES ('my own'); ALTER TABLE node ADD COLUMN mine; ANALYZE");
	CHECK(history_tend(&(struct tend_options){ .check = true }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT_PTR_NULL(result.damaged);
	tend_result_fini(&result);
	h = open_history();
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM mine", NO_VALUES, -1), 1);
	history_close(h);
	end();
}

/* Zeros in the place of a table's first page. */
static void damage_table(const char *name)
{
	enum database_status status;
	struct database *db = database_open(home_path(home, FILE_NAME), DATABASE_WRITE, 0, &status, &err);
	char zeros[4096] = "";

	CU_ASSERT_PTR_NOT_NULL_FATAL(db);
	int64_t page = database_integer(db, "SELECT rootpage FROM sqlite_schema WHERE name = ?", VALUES(TEXT(str_from(name))), 0);
	database_checkpoint(db, true);
	database_close(db);
	CU_ASSERT_FATAL(page > 1);
	int fd = open(home_path(home, FILE_NAME), O_WRONLY);
	CU_ASSERT_EQUAL(pwrite(fd, zeros, sizeof zeros, (page - 1) * (off_t)sizeof zeros), (ssize_t)sizeof zeros);
	close(fd);
}

/* Where no prompt is left, the title says what happened. */
static void a_lost_title_is_made_of_the_first_prompt(void)
{
	struct conversation *c = conversation_new();
	struct turn *file = conversation_ask(c);
	struct tend_result result;
	struct seen seen;
	int64_t node = 0;

	begin();
	tend();
	struct history *h = open_history();
	int64_t id = new_conversation(h, "one");
	put_exchange(h, id, put_exchange(h, id, 0, " A walrus,\n seen ", "big"), "And seals?", "too");
	turn_add(file, PART_TEXT, STR("  "), STR_NONE, STR_NONE);
	turn_add(file, PART_ATTACHMENT, STR("bytes"), STR_NONE, STR("report.txt"));
	put(h, new_conversation(h, "two"), 0, file, &node);
	put_exchange(h, new_conversation(h, "three"), 0, "x", "an answer");
	history_close(h);
	sql("UPDATE node SET role = 'assistant' WHERE conversation = 3");
	damage_table("conversation");
	CHECK(history_tend(&(struct tend_options){ .check = true }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT(result.damaged && result.recovered == 7);
	tend_result_fini(&result);
	h = open_history();
	check_list(h, NULL, 10, "Recovered conversation report.txt A walrus, seen ", &seen);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM conversation WHERE titled_by = 'prompt'", NO_VALUES, 0), 2);
	check_search(h, "seals", "A walrus, seen: And \x02seals\x03?\n");
	history_close(h);
	conversation_free(c);
	end();
}

/* Its rows have the columns that it had, so their form is that of its own tables. */
static void a_damaged_file_of_an_earlier_version_is_recovered(void)
{
	struct tend_result result;
	struct seen seen;

	begin();
	tend();
	struct history *h = open_history();
	int64_t id = new_conversation(h, "old"), first = put_exchange(h, id, 0, "walrus", "a marine mammal");
	int64_t last = put_exchange(h, id, first, "and seals?", "too");
	history_close(h);
	tend();
	sql("PRAGMA user_version = 5; UPDATE form SET number = 5; ALTER TABLE node DROP COLUMN cached_tokens; ALTER TABLE conversation ADD COLUMN dropped");
	sql("UPDATE conversation SET dropped = 'x'");
	damage_table("source");
	CHECK(history_tend(&(struct tend_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT(result.damaged && result.recovered == 4);
	tend_result_fini(&result);
	h = open_history();
	check_list(h, NULL, 10, "old ", &seen);
	CU_ASSERT(seen.last.usage.of[USAGE_PROMPT].number == 20 && seen.last.turns == 2 && seen.last.leaf == last);
	struct tree tree = read_tree(h, id);
	CU_ASSERT_EQUAL_FATAL(tree.count, 4);
	CU_ASSERT(tree.nodes[2].parent == first && tree.nodes[3].role == TURN_ASSISTANT && tree.nodes[3].outcome == OUTCOME_COMPLETE);
	check_search(h, "walrus", "old: \x02walrus\x03\n");
	history_close(h);
	end();
}

static void a_full_disk_is_told_and_the_turn_is_put_later(void)
{
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c);
	char *long_text = mem_new(400000);
	int64_t node = 0;

	begin();
	tend();
	struct history *h = open_history();
	int64_t id = new_conversation(h, "t");
	memset(long_text, 'x', 400000);
	turn_add(prompt, PART_TEXT, str_of(long_text, 400000), STR_NONE, STR_NONE);
	database_script(h->db, "PRAGMA max_page_count = 60");
	CU_ASSERT_EQUAL(history_put_turn(h, id, 0, prompt, &node, &err), HISTORY_FULL);
	CHECK(strstr(err.text, "disk is full"), "%s", err.text);
	database_script(h->db, "PRAGMA max_page_count = 1000000");
	CU_ASSERT_EQUAL(history_put_turn(h, id, 0, prompt, &node, &err), HISTORY_OK);
	check_read(h, node, prompt);
	history_close(h);
	mem_free(long_text);
	conversation_free(c);
	end();
}

const struct suite suite_history = { "history", (const struct test[]){
	TEST(absent_until_it_is_tended), TEST(a_turn_is_read_as_it_was_written), TEST(what_grows_is_appended_in_pieces),
	TEST(the_newest_are_listed_first), TEST(the_list_tells_turns_tokens_and_money), TEST(a_conversation_is_found_by_place_and_key),
	TEST(facts_change_where_they_are_given), TEST(the_tree_is_read_without_its_texts), TEST(what_is_deleted_is_hidden_and_brought_back), TEST(nothing_is_put_into_what_is_hidden),
	TEST(sums_are_written_once_in_a_batch), TEST(words_are_found), TEST(texts_that_are_not_indexed_yet_are_found), TEST(many_texts_that_are_not_indexed_end_no_search), TEST(a_beginning_that_is_too_frequent_is_searched_as_a_word),
	TEST(a_rare_phrase_of_frequent_words_is_found), TEST(many_texts_hide_no_other_conversation), TEST(a_snippet_is_from_anywhere_in_a_text), TEST(usage_is_summed_up),
	TEST(no_file_holds_what_was_deleted), TEST(attachments_and_tapes_go_with_their_last_turn), TEST(a_failure_in_a_batch_keeps_nothing), TEST(another_writer_makes_it_busy_at_once), TEST(a_later_version_is_left_alone),
	TEST(a_turn_whose_role_is_damaged_is_read), TEST(another_file_in_its_place_is_noticed), TEST(an_earlier_version_is_migrated), TEST(a_damaged_file_of_an_earlier_version_is_recovered), TEST(a_lost_title_is_made_of_the_first_prompt), TEST(a_turn_that_was_read_in_part_is_read_anew), TEST(what_others_add_is_no_damage), TEST(figures_that_make_no_sense_are_not_known),
	TEST(a_full_disk_is_told_and_the_turn_is_put_later), { 0 } } };
