/* Requests after a conversation was stored and read again: they equal, byte for byte, those of the conversation that went on. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/ask/ask_conversation.h"
#include "app/growing.h"
#include "app/keep/keep_inside.h"
#include "app/keep/request_context.h"
#include "app/options/options.h"
#include "app/session/session.h"
#include "app/session/session_inside.h"
#include "app/setup/setup.h"
#include "base/array.h"
#include "base/mem.h"
#include "chat/conversation/attachments.h"
#include "chat/conversation/totals.h"
#include "chat/exchange/continuation.h"
#include "store/history/database.h"
#include "support/check.h"
#include "support/home.h"

#define TREES 60
#define PATIENCE_MS 5000

static char *home;
static struct error err;
static struct writer *writer;
static struct conversation *talk; /* the one that goes on */

static void no_trouble(void *ctx, const char *sentence)
{
	(void)ctx;
	CHECK(false, "%s", sentence);
}

static void no_news(void *ctx, enum writer_news news, const char *sentence)
{
	(void)news;
	no_trouble(ctx, sentence);
}

static void nothing(void *ctx)
{
	(void)ctx;
}

static void begin(void)
{
	struct maintain_result result;

	home = home_new();
	setenv("XDG_DATA_HOME", home_path(home, "data"), 1);
	setenv("XDG_CONFIG_HOME", home_path(home, "config"), 1);
	setenv("XDG_STATE_HOME", home_path(home, "state"), 1);
	CHECK(history_maintain(&(struct maintain_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	maintain_result_fini(&result);
}

static void end(void)
{
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
	home_free(home);
}

static void keep(void)
{
	writer_note(writer);
	CU_ASSERT_TRUE(writer_settle(writer, PATIENCE_MS));
}

/* --- requests --- */

static void tell_nobody(void *ctx, struct str sentence)
{
	(void)ctx, (void)sentence;
}

/* The next request with the path as it is; a question at its end is answered, an answer is continued. */
static void write_request(const struct conversation *c, const struct provider *provider, const struct protocol *protocol, const char *model,
                          struct buf *out)
{
	struct scope scope = { (char *)(uintptr_t)"box", (char *)(uintptr_t)model, protocol, protocol->name };
	struct continuation continuation = { 0 };
	struct projection p;

	conversation_project(c, c->count, &scope, 0, &p);
	attachments_fit(attachment_limits_of(str_from(protocol->name), STR("box")), &p, tell_nobody, NULL);
	struct request request = { .model = str_from(model), .messages = p.messages, .message_count = p.count, .max_tokens = 100,
	                           .temperature = (double)NAN, .stream = true, .continues = CONTINUE_TEXT };
	continuation_init(&continuation, continuation_of(provider, protocol, &request), &request);
	buf_clear(out);
	protocol_build(protocol, &request, out);
	continuation_fini(&continuation);
	projection_fini(&p);
}

static void check_requests(const char *how, const struct conversation *read, const struct provider *provider)
{
	struct buf expected = { 0 }, found = { 0 };

	CHECK(read->count == talk->count, "%s: %zu turns in the path, not %zu", how, read->count, talk->count);
	for (size_t i = 0; protocol_at(i); i++)
		for (size_t m = 0; m < GROWING_MODELS; m++) {
			write_request(talk, provider, protocol_at(i), growing_models[m], &expected);
			write_request(read, provider, protocol_at(i), growing_models[m], &found);
			CHECK(expected.len > 50 && str_equal(buf_str(&found), buf_str(&expected)), "%s, to %s:\n%s\nnot\n%s", how, protocol_at(i)->name,
			      buf_z(&found), buf_z(&expected));
		}
	buf_fini(&expected);
	buf_fini(&found);
}

/* --- reading again --- */

struct reader { struct options options; struct setup setup; struct session *session; struct keep *keep; };

static void end_nothing(void *ctx, struct turn *turn)
{
	(void)ctx, (void)turn;
}

static void reader_init(struct reader *r)
{
	options_init(&r->options);
	r->options.base_url = "http://127.0.0.1:1";
	r->options.model = "m-1";
	CHECK(setup_init(&r->setup, &r->options, &err), "%s", err.text);
	r->session = session_new(&r->setup, end_nothing, NULL);
	r->keep = keep_new(&r->setup, r->session, &(struct keep_ways){ .tell = no_trouble, .entered = nothing });
}

static void reader_fini(struct reader *r)
{
	keep_free(r->keep);
	session_free(r->session);
	setup_fini(&r->setup);
	options_fini(&r->options);
}


static void put_one(struct history *h, int64_t row, int64_t *parent, bool answers, struct str text)
{
	struct conversation *c = conversation_new();
	struct turn *t = answers ? conversation_answer(c, STR("custom"), NULL, STR("m-1")) : conversation_ask(c);
	int64_t node = 0;

	turn_add(t, PART_TEXT, text, STR_NONE, STR_NONE);
	CHECK(history_put_turn(h, row, *parent, t, &node, &err) == HISTORY_OK, "%s", err.text);
	*parent = node;
	conversation_free(c);
}

/* Else a question would be asked without what was said before. */
static void a_leaf_that_is_gone_is_the_newest_turn(void)
{
	enum history_status status;
	enum database_status opened;
	struct ask_conversation stored;
	int64_t row = 0, node = 0;

	begin();
	struct history *h = history_open(0, &status, &err);
	CHECK(h && history_begin(h, &(struct history_conversation){ .title = "t" }, &row, &err) == HISTORY_OK, "%s", err.text);
	put_one(h, row, &node, false, STR("words"));
	put_one(h, row, &node, true, STR("words"));
	history_close(h);
	char *path = history_path();
	struct database *db = database_open(path, DATABASE_WRITE, 0, &opened, &err);
	CHECK(db != NULL, "%s", err.text);
	database_script(db, "UPDATE conversation SET leaf = 4711");
	database_close(db);
	CHECK(ask_conversation_read(&stored, STR("last"), &err), "%s", err.text);
	CU_ASSERT_EQUAL(stored.conversation->count, 2);
	ask_conversation_fini(&stored);
	mem_free(path);
	end();
}

static bool see_label(void *ctx, const struct history_node *node)
{
	(void)ctx;
	CU_ASSERT_PTR_NOT_NULL_FATAL(node->label);
	CU_ASSERT_STRING_EQUAL(node->label, "good");
	return false;
}

/* A label is written when the turn has been read: its parts are in the history only. */
static void a_turn_that_is_not_read_is_not_written(void)
{
	enum history_status status;
	struct reader r;
	int64_t row = 0, first = 0, node;
	char *many = mem_new(100000);

	begin();
	struct history *h = history_open(0, &status, &err);
	CHECK(h && history_begin(h, &(struct history_conversation){ .title = "t" }, &row, &err) == HISTORY_OK, "%s", err.text);
	memset(many, 'x', 100000);
	put_one(h, row, &first, false, STR("words"));
	node = first;
	put_one(h, row, &node, true, str_of(many, 100000)); /* more than what is read at once */
	history_close(h);
	reader_init(&r);
	CHECK(keep_open(r.keep, row, &err), "%s", err.text);
	struct turn *t = session_conversation(r.session)->turns[0];
	CU_ASSERT(t->is_unread && !t->part_count);
	session_label(r.session, t, STR("good"));
	writer_note(r.keep->writer);
	CU_ASSERT_TRUE(writer_settle(r.keep->writer, PATIENCE_MS));
	CHECK(keep_read_all(r.keep, &err) && t->part_count == 1, "%s", err.text);
	writer_note(r.keep->writer);
	CU_ASSERT_TRUE(writer_settle(r.keep->writer, PATIENCE_MS));
	reader_fini(&r);
	struct ask_conversation stored;
	CHECK(ask_conversation_read(&stored, STR("last"), &err), "%s", err.text);
	CU_ASSERT(stored.conversation->count == 2 && stored.conversation->turns[0]->part_count == 1);
	ask_conversation_fini(&stored);
	h = history_open(PATIENCE_MS, &status, &err);
	CU_ASSERT(history_nodes(h, row, see_label, NULL, &err) == HISTORY_OK);
	history_close(h);
	mem_free(many);
	end();
}

static void check_stored(const char *key, const struct provider *provider)
{
	struct ask_conversation stored;
	bool is_read = ask_conversation_read(&stored, str_from(key), &err);

	CHECK(is_read, "%s", err.text);
	if (!is_read)
		return;
	check_requests("ask -c", stored.conversation, provider);
	ask_conversation_fini(&stored);
}

/* The turns that are in the tree, in the order of their creation; those of the reader have no removed ones. */
static struct turn *next_present(const struct conversation *c, size_t *at)
{
	while (*at < c->node_count && (c->nodes[*at]->removed || turn_is_aside(c->nodes[*at])))
		++*at;
	return *at < c->node_count ? c->nodes[(*at)++] : NULL;
}

/* Whatever is chosen in the tree that was read. */
static void check_branches(struct conversation *read, const struct provider *provider)
{
	size_t at = 0, read_at = 0;
	struct turn *t, *of;

	while ((t = next_present(talk, &at))) {
		of = next_present(read, &read_at);
		CHECK(of && of->role == t->role && of->depth == t->depth, "turn %zu is another one", at);
		if (!of)
			return;
		conversation_branch(talk, t);
		conversation_branch(read, of);
		check_requests("a branch", read, provider);
	}
	CU_ASSERT_PTR_NULL(next_present(read, &read_at));
}

static void check_resumed(struct reader *r, const char *key)
{
	bool opened = keep_open_named(r->keep, str_from(key), &err) && keep_read_all(r->keep, &err);

	CHECK(opened, "%s", err.text);
	if (!opened)
		return;
	check_requests("-c", session_conversation(r->session), r->setup.target.provider);
	check_branches(session_conversation(r->session), r->setup.target.provider);
}

/* Random trees in all protocols, kept while they grow, to all protocols. */
static void requests_equal_those_of_the_conversation_that_went_on(void)
{
	struct reader reader;

	begin();
	for (unsigned i = 0; i < TREES; i++) {
		writer = writer_new(0, no_news, NULL);
		talk = conversation_new();
		writer_take(writer, talk, 0);
		growing(talk, 100 + i, keep);
		reader_init(&reader);
		check_stored(writer_key(writer), reader.setup.target.provider);
		check_resumed(&reader, writer_key(writer));
		reader_fini(&reader);
		writer_free(writer);
		conversation_free(talk);
	}
	end();
}

/* --- a long one --- */

#define LONG_TURNS 60

/* How many turns at the end of the path are read. Nothing above them is. */
static size_t count_read(const struct reader *r)
{
	const struct conversation *c = session_conversation(r->session);
	size_t count = 0;

	while (count < c->count && !c->turns[c->count - 1 - count]->is_unread)
		count++;
	for (size_t i = 0; i + count < c->count; i++)
		CU_ASSERT(c->turns[i]->is_unread && !c->turns[i]->part_count);
	return count;
}

static void open_long(struct reader *r, const char *key)
{
	reader_init(r);
	CHECK(keep_open_named(r->keep, str_from(key), &err), "%s", err.text);
	CU_ASSERT_EQUAL_FATAL(session_conversation(r->session)->count, LONG_TURNS);
	CU_ASSERT_TRUE(session_is_partly(r->session));
	CU_ASSERT_EQUAL(count_read(r), 4); /* 64 KB */
}

/* The end is there at once, the rest comes from the loop, or at once when it is needed. */
static void the_end_of_a_long_conversation_is_read_first(void)
{
	struct reader reader;
	char *text = mem_new(16 << 10);

	begin();
	writer = writer_new(0, no_news, NULL);
	talk = conversation_new();
	writer_take(writer, talk, 0);
	memset(text, 'x', 16 << 10);
	for (int i = 0; i < LONG_TURNS; i++)
		turn_add(conversation_ask(talk), PART_TEXT, str_of(text, 16 << 10), STR_NONE, STR_NONE);
	keep();
	open_long(&reader, writer_key(writer));
	struct loop_member member = keep_member(reader.keep);
	for (size_t read = 4, runs = 0; session_is_partly(reader.session) && runs < LONG_TURNS; runs++) {
		CU_ASSERT(member.deadline(member.ctx) <= clock_now_ms());
		member.run(member.ctx, NULL, 0, clock_now_ms());
		CU_ASSERT(count_read(&reader) > read || !session_is_partly(reader.session));
		read = count_read(&reader);
	}
	CU_ASSERT_FALSE(session_is_partly(reader.session));
	check_requests("in the loop", session_conversation(reader.session), reader.setup.target.provider);
	reader_fini(&reader);
	open_long(&reader, writer_key(writer));
	CU_ASSERT_TRUE(session_is_whole(reader.session, &err));
	check_requests("when it is needed", session_conversation(reader.session), reader.setup.target.provider);
	reader_fini(&reader);
	writer_free(writer);
	conversation_free(talk);
	mem_free(text);
	end();
}

/* --- copies --- */

static void add_sum(void *ctx, const struct history_sum *sum)
{
	struct history_sum *all = ctx;

	CHECK(sum->unpriced == 0, "%lld answers without a price", (long long)sum->unpriced);
	all->answers += sum->answers;
	all->usage.of[USAGE_PROMPT].number += sum->usage.of[USAGE_PROMPT].number;
	all->usage.of[USAGE_COMPLETION].number += sum->usage.of[USAGE_COMPLETION].number;
	all->cost.amount += sum->cost.amount;
}

static void check_sums(void)
{
	for (enum history_by by = HISTORY_BY_DAY; by <= HISTORY_BY_CONVERSATION; by++) {
		struct history_sum all = { 0 };

		CHECK(history_usage(writer_history(writer), by, 0, add_sum, &all, &err) == HISTORY_OK, "%s", err.text);
		CHECK(all.answers == 2, "%lld answers", (long long)all.answers);
		CHECK(all.usage.of[USAGE_PROMPT].number == 30 && all.usage.of[USAGE_COMPLETION].number == 4 && all.cost.amount == 0.75, "%lld, %lld, %g",
		      (long long)all.usage.of[USAGE_PROMPT].number, (long long)all.usage.of[USAGE_COMPLETION].number, all.cost.amount);
	}
}

static void count_answer(int64_t prompt, int64_t completion, double usd)
{
	struct turn *t;

	turn_add(conversation_ask(talk), PART_TEXT, STR("How much?"), STR_NONE, STR_NONE);
	t = conversation_answer(talk, STR("box"), protocol_at(0), STR("m-1"));
	turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .text = STR("This much.") });
	turn_delta(t, &(struct delta){ .kind = DELTA_USAGE, .cost = MONEY(usd),
		.usage = { .of = { [USAGE_PROMPT] = COUNT_SENT(prompt), [USAGE_COMPLETION] = COUNT_SENT(completion) } } });
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .end.outcome = OUTCOME_COMPLETE });
}

/* Into a new conversation, and into a new branch. */
static void what_copies_took_is_counted_once(void)
{
	struct conversation *original, *copy;

	begin();
	writer = writer_new(0, no_news, NULL);
	original = talk = conversation_new();
	writer_take(writer, talk, 0);
	count_answer(10, 3, 0.5);
	count_answer(20, 1, 0.25);
	keep();
	check_sums();
	copy = conversation_copy(conversation_last(talk));
	CU_ASSERT_EQUAL(conversation_totals(copy).context.tokens, 21);
	writer_take(writer, copy, 0);
	keep();
	check_sums();
	talk = conversation_copy(conversation_last(copy));
	conversation_branch(talk, NULL);
	conversation_repeat(talk, talk->nodes[0], talk->nodes[1]);
	writer_take(writer, talk, 0);
	keep();
	check_sums();
	writer_free(writer);
	conversation_free(talk);
	conversation_free(copy);
	conversation_free(original);
	end();
}

const struct suite suite_resume = { "resume", (const struct test[]){
	TEST(requests_equal_those_of_the_conversation_that_went_on), TEST(what_copies_took_is_counted_once),
	TEST(the_end_of_a_long_conversation_is_read_first),	TEST(a_leaf_that_is_gone_is_the_newest_turn), TEST(a_turn_that_is_not_read_is_not_written), { 0 },
} };
