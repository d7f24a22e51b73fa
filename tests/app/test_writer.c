/* The writer: what of a conversation is in the history, and when. The process that maintains is tested with `weir ask` (test_ask_history). */
#include "app/keep/writer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/node_text.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/meter.h"
#include "store/maintain/maintain.h"
#include "support/check.h"
#include "support/clock.h"
#include "support/home.h"
#include "wire/protocol/protocol.h"

static char *home;
static struct error err;
static struct writer *writer;
static struct conversation *talk;
static struct buf told;

static void remember(void *ctx, enum writer_news news, const char *sentence)
{
	(void)ctx, (void)news;
	buf_printf(&told, "%s\n", sentence);
}

static void maintain(bool purge)
{
	struct maintain_result result;

	CHECK(history_maintain(&(struct maintain_options){ .purge = purge }, &result, &err) == HISTORY_OK, "%s", err.text);
	maintain_result_fini(&result);
}

static void begin(void)
{
	home = home_new();
	setenv("XDG_DATA_HOME", home_path(home, "data"), 1);
	maintain(false);
	writer = writer_new(0, remember, NULL);
	talk = conversation_new();
	writer_take(writer, talk, 0);
}

static void end(void)
{
	writer_free(writer);
	conversation_free(talk);
	unsetenv("XDG_DATA_HOME");
	buf_fini(&told);
	home_free(home);
}

static void run(void)
{
	writer_note(writer);
	if (writer_deadline(writer) <= clock_now_ms())
		writer_run(writer, NULL, 0, clock_now_ms());
}

static struct turn *say(const char *prompt)
{
	struct turn *t = conversation_ask(talk);

	turn_add(t, PART_TEXT, str_from(prompt), STR_NONE, STR_NONE);
	run();
	return t;
}

static struct turn *answer(void)
{
	struct turn *t = conversation_answer(talk, STR("prov"), protocol_find(STR("anthropic")), STR("model"));

	turn_delta(t, &(struct delta){ .kind = DELTA_BEGIN });
	run();
	return t;
}

static void stream(struct turn *t, const char *text)
{
	const struct delta delta = { .kind = DELTA_TEXT, .text = str_from(text) };

	meter_delta(&t->meter, &delta);
	turn_delta(t, &delta);
	run();
}

static void finish(struct turn *t)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .end.outcome = OUTCOME_COMPLETE });
	run();
}

/* --- what another program finds in the file --- */

struct reading { struct history *h; struct buf *text; };

static bool add_line(void *ctx, const struct history_node *node)
{
	struct reading *r = ctx;

	buf_printf(r->text, "%s%s:%s:", node->parent ? "  " : "", node->role == TURN_USER ? "user" : "model", node->ended ? "ended" : "open");
	node_text_add(r->h, node, r->text);
	buf_add_z(r->text, "\n");
	return true;
}

static bool add_title(void *ctx, const struct history_conversation *c)
{
	buf_printf(ctx, "[%s]\n", c->title ? c->title : "-");
	return true;
}

static const char *stored(void)
{
	static struct buf text;
	enum history_status status;
	struct history *h = history_open(0, &status, &err);

	buf_fini(&text);
	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	history_list(h, NULL, 10, add_title, &text, &err);
	if (writer_row(writer))
		history_nodes(h, writer_row(writer), add_line, &(struct reading){ h, &text }, &err);
	history_close(h);
	return buf_z(&text);
}

#define CHECK_STORED(expected) CHECK_STR(str_from(stored()), expected)

/* --- tests --- */

static void a_conversation_begins_with_its_first_turn(void)
{
	begin();
	writer_run(writer, NULL, 0, clock_now_ms());
	CHECK_STORED("");
	CU_ASSERT_PTR_NULL(writer_key(writer));
	struct turn *prompt = say("What is\nthe capital of\x1b[31m France?");
	CHECK_STORED("[What is the capital of [31m France?]\nuser:ended:What is\nthe capital of\x1b[31m France?\n");
	CU_ASSERT(prompt->stored != 0 && writer_row(writer) != 0 && !writer_is_behind(writer));
	CU_ASSERT(writer_key(writer) && strlen(writer_key(writer)) == 16);
	end();
}

static bool see_facts(void *ctx, const struct history_conversation *c)
{
	buf_printf(ctx, "%s %s %lld turns, in %lld, leaf %d\n", c->provider, c->model, (long long)c->turns,
	           (long long)c->usage.of[USAGE_PROMPT].number, c->leaf == conversation_last(talk)->stored);
	return true;
}

static void see_sum(void *ctx, const struct history_sum *sum)
{
	buf_printf(ctx, "%s in %lld\n", sum->key, (long long)sum->usage.of[USAGE_PROMPT].number);
}

/* The title's answer counts as any other; the conversation is not of its model, and does not end with it. */
static void what_a_title_took_is_kept(void)
{
	struct conversation *scratch = conversation_new();
	struct buf seen = { 0 };

	begin();
	say("hello");
	struct turn *t = answer();
	t->usage.of[USAGE_PROMPT] = (struct count)COUNT_SENT(100);
	finish(t);
	struct turn *written = conversation_answer(scratch, STR("far"), protocol_find(STR("gemini")), STR("small"));
	written->usage.of[USAGE_PROMPT] = (struct count)COUNT_SENT(40);
	turn_delta(written, &(struct delta){ .kind = DELTA_TEXT, .text = STR("A greeting") });
	turn_delta(written, &(struct delta){ .kind = DELTA_END, .end.outcome = OUTCOME_COMPLETE });
	conversation_set_aside(talk, written);
	conversation_free(scratch);
	writer_describe(writer, &(struct history_conversation){ .title = "A greeting", .titled_by = "model" });
	run();
	CHECK_STORED("[A greeting]\nuser:ended:hello\n  model:ended:\nmodel:ended:A greeting\n");
	struct history *h = writer_history(writer);
	CU_ASSERT(h && history_look(h, writer_row(writer), see_facts, &seen, &err) == HISTORY_OK);
	CU_ASSERT(h && history_usage(h, HISTORY_BY_MODEL, 0, see_sum, &seen, &err) == HISTORY_OK);
	CHECK_STR(buf_str(&seen), "prov model 1 turns, in 140, leaf 1\nmodel in 100\nsmall in 40\n");
	buf_fini(&seen);
	end();
}

static void a_growing_answer_is_written_once_a_second(void)
{
	begin();
	say("q");
	struct turn *t = answer();
	stream(t, "one");
	CHECK_STORED("[q]\nuser:ended:q\n  model:open:\n");
	CU_ASSERT(writer_is_behind(writer));
	clock_turn(WRITER_PAUSE_MS);
	stream(t, " two");
	CHECK_STORED("[q]\nuser:ended:q\n  model:open:one two\n");
	stream(t, " three");
	CHECK_STORED("[q]\nuser:ended:q\n  model:open:one two\n");
	finish(t);
	CHECK_STORED("[q]\nuser:ended:q\n  model:ended:one two three\n");
	CU_ASSERT(!writer_is_behind(writer) && writer_deadline(writer) == NO_DEADLINE);
	CHECK_STR(buf_str(&told), "");
	end();
}

/* What waits is little, so that a write takes no time. */
static void a_fast_answer_is_written_earlier(void)
{
	const size_t size = 900000;
	char *text = mem_new(size + 1);

	memset(text, 'x', size);
	begin();
	say("q");
	struct turn *t = answer();
	stream(t, text);
	CHECK_STORED("[q]\nuser:ended:q\n  model:open:\n");
	stream(t, text);
	CU_ASSERT(!writer_is_behind(writer));
	CHECK(strstr(stored(), "model:open:xxx"), "%.100s", stored());
	stream(t, " more");
	CU_ASSERT(writer_is_behind(writer) && writer_deadline(writer) > clock_now_ms());
	finish(t);
	CU_ASSERT_FALSE(writer_is_behind(writer));
	mem_free(text);
	end();
}

static void branches_labels_and_removals_follow(void)
{
	begin();
	struct turn *first = say("first");
	struct turn *old = answer();
	finish(old);
	conversation_branch(talk, first);
	struct turn *other = answer();
	stream(other, "other");
	finish(other);
	CU_ASSERT(other->stored > old->stored);
	conversation_select(talk, old);
	turn_label(old, STR("good"));
	clock_turn(WRITER_PAUSE_MS);
	run();
	conversation_remove(talk, other);
	clock_turn(WRITER_PAUSE_MS);
	run();
	CHECK_STORED("[first]\nuser:ended:first\n  model:ended:\n");
	conversation_restore(talk);
	clock_turn(WRITER_PAUSE_MS);
	run();
	CHECK_STORED("[first]\nuser:ended:first\n  model:ended:\n  model:ended:other\n");
	end();
}

static bool take_leaf(void *ctx, const struct history_conversation *c)
{
	*(int64_t *)ctx = c->leaf;
	return false;
}

static void the_leaf_is_the_end_of_the_path(void)
{
	int64_t leaf = 0;

	begin();
	struct turn *first = say("first");
	struct turn *old = answer();
	finish(old);
	conversation_branch(talk, first);
	finish(answer());
	conversation_select(talk, old);
	clock_turn(WRITER_PAUSE_MS);
	run();
	CU_ASSERT(history_look(writer_history(writer), writer_row(writer), take_leaf, &leaf, &err) == HISTORY_OK);
	CU_ASSERT_EQUAL(leaf, old->stored);
	end();
}

/* What was removed and deleted for good meanwhile is written anew when it is restored. */
static void a_restored_turn_is_kept_after_a_purge(void)
{
	begin();
	struct turn *first = say("first");
	finish(answer());
	say("second");
	finish(answer());
	conversation_remove(talk, first->child->child);
	clock_turn(WRITER_PAUSE_MS);
	run();
	maintain(true);
	conversation_restore(talk);
	clock_turn(WRITER_PAUSE_MS);
	run();
	clock_turn(WRITER_PAUSE_MS);
	run();
	CHECK_STORED("[first]\nuser:ended:first\n  model:ended:\n  user:ended:second\n  model:ended:\n");
	CU_ASSERT(!writer_is_behind(writer));
	end();
}

static void a_deleted_conversation_is_left_alone(void)
{
	int64_t mark;

	begin();
	say("q");
	CU_ASSERT(history_delete(writer_history(writer), writer_row(writer), 0, &mark, &err) == HISTORY_OK);
	maintain(true);
	struct turn *t = answer();
	clock_turn(WRITER_PAUSE_MS);
	stream(t, "word");
	finish(t);
	CHECK_STORED("");
	CU_ASSERT(strstr(buf_z(&told), "was deleted by another program") && !writer_is_behind(writer));
	end();
}

/* What another program hides goes when it ends: what follows here would go with it, so it is told at once. */
static void a_hidden_conversation_is_left_alone(void)
{
	int64_t mark;

	begin();
	say("q");
	CU_ASSERT(history_delete(writer_history(writer), writer_row(writer), 0, &mark, &err) == HISTORY_OK);
	finish(answer());
	CU_ASSERT(strstr(buf_z(&told), "was deleted by another program") && !writer_is_behind(writer));
	end();
}

static void nothing_is_kept_without_a_conversation(void)
{
	begin();
	writer_take(writer, NULL, 0);
	say("secret");
	clock_turn(WRITER_PAUSE_MS);
	run();
	CU_ASSERT(!writer_is_behind(writer) && writer_deadline(writer) == NO_DEADLINE);
	CHECK_STORED("");
	end();
}

/* Another program holds the lock for writing: the words are written later, and a short wait is not told. */
static void a_lock_is_waited_for(void)
{
	enum history_status status;

	begin();
	struct history *other = history_open(0, &status, &err);
	CU_ASSERT_EQUAL_FATAL(history_batch(other, &err), HISTORY_OK);
	say("q");
	CU_ASSERT(writer_is_behind(writer) && !writer_trouble(writer) && writer_deadline(writer) > clock_now_ms());
	for (int64_t waited_ms = 0; waited_ms < 300; waited_ms += MAINTAIN_GAP_MS) { /* a process that maintains would let us in now */
		CU_ASSERT(writer_deadline(writer) - clock_now_ms() < MAINTAIN_GAP_MS);
		clock_turn(MAINTAIN_GAP_MS);
		run();
	}
	CU_ASSERT(!writer_settle(writer, 30));
	clock_turn(6000);
	run();
	CU_ASSERT_PTR_NOT_NULL(writer_trouble(writer));
	CU_ASSERT_EQUAL(history_commit(other, &err), HISTORY_OK);
	history_close(other);
	CU_ASSERT(writer_settle(writer, 1000));
	CHECK_STORED("[q]\nuser:ended:q\n");
	CU_ASSERT_PTR_NULL(writer_trouble(writer));
	CU_ASSERT(str_ends(buf_str(&told), "this conversation is saved now: all of it is in the history\n"));
	end();
}

/* Told once, tried again ever later, and all is written in the end. */
static void trouble_is_told_once(void)
{
	size_t lines = 0;

	begin();
	writer_free(writer);
	writer = writer_new(0, remember, NULL);
	writer_take(writer, talk, 0);
	chmod(home_path(home, "data/weir"), 0777); /* the folder is not private: it is refused */
	say("q");
	for (int i = 0; i < 8; i++) {
		clock_turn(40000);
		run();
	}
	CU_ASSERT_PTR_NOT_NULL(writer_trouble(writer));
	for (size_t i = 0; i < told.len; i++)
		lines += told.ptr[i] == '\n';
	CU_ASSERT_EQUAL(lines, 1);
	chmod(home_path(home, "data/weir"), 0700);
	finish(answer());
	clock_turn(40000);
	run();
	CHECK_STORED("[q]\nuser:ended:q\n  model:ended:\n");
	end();
}

static void many_turns_are_written_in_several_steps(void)
{
	begin();
	writer_take(writer, NULL, 0);
	for (int i = 0; i < 100; i++)
		say("q");
	writer_take(writer, talk, 0);
	run();
	CU_ASSERT(writer_is_behind(writer) && talk->nodes[0]->stored && !talk->nodes[99]->stored);
	CU_ASSERT(writer_settle(writer, 60000));
	CU_ASSERT(talk->nodes[99]->stored > 0);
	end();
}

/* The writer has what was left until it is written, whoever owns it; and frees what is its own. */
static void what_is_left_is_written_later(void)
{
	enum history_status status;
	struct conversation *kept_by_owner = conversation_new();

	begin();
	struct history *other = history_open(0, &status, &err);
	CU_ASSERT_EQUAL_FATAL(history_batch(other, &err), HISTORY_OK);
	say("first");
	writer_leave(writer);
	CU_ASSERT(writer_is_behind(writer) && writer_unwritten(writer, 0) == talk && !writer_unwritten(writer, 1));
	CU_ASSERT_FALSE(writer_release(writer, talk));
	talk = kept_by_owner;
	writer_take(writer, talk, 0);
	say("second");
	writer_leave(writer);
	talk = conversation_new();
	writer_take(writer, talk, 0);
	say("third");
	CU_ASSERT(writer_unwritten(writer, 1) == kept_by_owner && writer_unwritten(writer, 2) == talk);
	CU_ASSERT_EQUAL(history_commit(other, &err), HISTORY_OK);
	history_close(other);
	CU_ASSERT(writer_settle(writer, 1000));
	CU_ASSERT(!writer_is_behind(writer) && !writer_unwritten(writer, 0) && kept_by_owner->stored && kept_by_owner->stored != writer_row(writer));
	CHECK_STORED("[second]\n[first]\n[third]\nuser:ended:third\n");
	CU_ASSERT(writer_release(writer, kept_by_owner));
	conversation_free(kept_by_owner);
	end();
}

/* What was left goes on when it is taken again, also with a turn that is not written. */
static void what_was_left_is_taken_again(void)
{
	enum history_status status;
	struct conversation *other_talk = conversation_new(), *first;

	begin();
	say("first");
	first = talk;
	struct history *other = history_open(0, &status, &err);
	CU_ASSERT_EQUAL_FATAL(history_batch(other, &err), HISTORY_OK);
	finish(answer());
	int64_t row = writer_row(writer);
	writer_leave(writer);
	CU_ASSERT_PTR_NULL(writer_reclaim(writer, row)); /* it is its owner's */
	CU_ASSERT_FALSE(writer_release(writer, talk));
	talk = other_talk;
	writer_take(writer, talk, 0);
	CU_ASSERT(writer_reclaim(writer, row) == first && !writer_reclaim(writer, row));
	writer_take(writer, first, row);
	conversation_free(other_talk);
	talk = first;
	CU_ASSERT_EQUAL(history_commit(other, &err), HISTORY_OK);
	history_close(other);
	CU_ASSERT(writer_settle(writer, 1000));
	CHECK_STORED("[first]\nuser:ended:first\n  model:ended:\n");
	end();
}

/* The file is another one now, without the conversation: all of it is written there, in as many steps as it takes. */
static void a_new_file_gets_all_of_it(void)
{
	struct buf command = { 0 };

	begin();
	for (int i = 0; i < 100; i++)
		say("q");
	CU_ASSERT(writer_settle(writer, 60000) && talk->nodes[99]->stored);
	buf_printf(&command, "rm '%s'", home_path(home, "data/weir/history.db"));
	buf_printf(&command, "*");
	CU_ASSERT_EQUAL(system(buf_z(&command)), 0);
	buf_fini(&command);
	maintain(false);
	say("last");
	CU_ASSERT(writer_settle(writer, 60000));
	CU_ASSERT(str_ends(str_from(stored()), "  user:ended:last\n"));
	size_t lines = 0;
	for (const char *at = stored(); *at; at++)
		lines += *at == '\n';
	CU_ASSERT_EQUAL(lines, 102); /* the title, and the turns */
	end();
}

static bool check_facts(void *ctx, const struct history_conversation *c)
{
	*(bool *)ctx = !strcmp(c->system_prompt, "be brief") && !strcmp(c->parameters, "{\"top_p\":0.5}") && !strcmp(c->tools, "[]") && !c->schema &&
	               !strcmp(c->title, "q");
	return false;
}

static void facts_are_kept(void)
{
	bool good = false;

	begin();
	writer_describe(writer, &(struct history_conversation){ .system_prompt = "be long", .parameters = "{\"top_p\":0.5}" });
	say("q");
	writer_describe(writer, &(struct history_conversation){ .system_prompt = "be brief", .tools = "[]" });
	clock_turn(WRITER_PAUSE_MS);
	run();
	CU_ASSERT(history_look(writer_history(writer), writer_row(writer), check_facts, &good, &err) == HISTORY_OK);
	CU_ASSERT(good);
	end();
}

const struct suite suite_writer = { "writer", (const struct test[]){
	TEST(a_conversation_begins_with_its_first_turn),
	TEST(what_a_title_took_is_kept),
	TEST(a_growing_answer_is_written_once_a_second),
	TEST(a_fast_answer_is_written_earlier),
	TEST(branches_labels_and_removals_follow),
	TEST(the_leaf_is_the_end_of_the_path),
	TEST(a_restored_turn_is_kept_after_a_purge),
	TEST(a_deleted_conversation_is_left_alone), TEST(a_hidden_conversation_is_left_alone),
	TEST(nothing_is_kept_without_a_conversation),
	TEST(a_lock_is_waited_for),
	TEST(trouble_is_told_once),
	TEST(many_turns_are_written_in_several_steps),
	TEST(what_is_left_is_written_later),
	TEST(what_was_left_is_taken_again),
	TEST(a_new_file_gets_all_of_it),
	TEST(facts_are_kept),
	{ 0 },
} };
