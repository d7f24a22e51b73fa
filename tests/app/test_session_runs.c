/* Calls that run in a session. The tools are functions of the test, which know whether they were allowed to run. */
#include "app/session/session_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/life.h"
#include "app/program.h"
#include "app/session/session_inside.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"

/* --- tools --- */

static struct { unsigned ran, unapproved, compared, elsewhere; bool allows; char last[200]; } log_of;

static bool count_run(struct str arguments, struct buf *out)
{
	log_of.ran++;
	log_of.unapproved += !log_of.allows;
	snprintf(log_of.last, sizeof log_of.last, "%.*s", STR_ARG(arguments));
	buf_printf(out, "ran with %.*s", STR_ARG(arguments));
	return true;
}

static struct tool *tool_add(struct life *l, const char *name, enum tool_approve approve)
{
	struct tool_set *set = &l->setup.tool_set;
	struct tool *t = ARRAY_ADD(set->items, set->count, set->capacity);

	*t = (struct tool){ .name = mem_dup_z(name), .source = TOOL_OF_SETTINGS, .approve = approve, .answer = count_run,
	                    .schema = mem_dup_z("{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}"), .facts = mem_dup_z("one") };
	return t;
}

/* The number of the plan of a call; 0: no call has it. */
static uint64_t plan_of(const struct session *s, unsigned call)
{
	const struct tool_call *of = tool_calls_find(session_runs(s), call);

	return of ? of->shown : 0;
}

static void begin(struct life *l)
{
	life_begin(l);
	l->setup.tool_set.closed = false;
	memset(&log_of, 0, sizeof log_of);
}

#define CALL(name, arguments) "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"" name \
	"\",\"arguments\":\"" arguments "\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"

/* --- rounds --- */

static void a_call_asks_and_its_result_goes_back(void)
{
	struct life l;

	begin(&l);
	tool_add(&l, "f", TOOL_ASK);
	life_answer_with(&l, CALL("f", "{\\\"n\\\":1}"));
	life_answer_with(&l, ANSWER("thanks"));
	struct turn *t = life_send(&l, "first");
	CU_ASSERT_TRUE(life_asked(&l, "\"name\":\"f\""));
	CU_ASSERT_EQUAL(t->outcome, OUTCOME_TOOL_CALLS);
	const struct tool_call *asks = session_asking(l.session);
	CU_ASSERT_PTR_NOT_NULL_FATAL(asks);
	CU_ASSERT_EQUAL(log_of.ran, 0);
	CU_ASSERT_FALSE(session_is_busy(l.session));
	log_of.allows = true;
	session_approve(l.session, asks->shown);
	CU_ASSERT_EQUAL(log_of.ran, 1);
	session_drain(l.session);
	CU_ASSERT_EQUAL(t->parts[t->part_count - 1].run, CALL_RUN_RAN);
	t = life_settle(&l);
	CHECK_STR(buf_str(&t->parts[0].text), "thanks");
	CU_ASSERT_TRUE(life_asked(&l, "ran with {\\\"n\\\":1}"));
	session_approve(l.session, plan_of(l.session, 0)); /* a second yes has nothing to act on */
	CU_ASSERT_EQUAL(log_of.ran, 1);
	life_end(&l);
}

/* Nothing runs; the model is told. */
static void refusals_and_wrong_arguments_are_results(void)
{
	static const struct { const char *answer, *edit, *word, *sent; } rows[] = {
		{ CALL("f", "{\\\"n\\\":1}"), NULL, "not on my disk", "The user chose not to run this tool. The user says: not on my disk" },
		{ CALL("f", "{\\\"n\\\":1}"), NULL, "", "The user chose not to run this tool.\"" },
		{ CALL("f", "{\\\"n\\\":\\\"x\\\"}"), NULL, NULL, "It was not run: the arguments do not follow the schema: $.n is" },
		{ CALL("off", "{}"), NULL, NULL, "It was not run: this tool is off." },
		{ CALL("f", "{\\\"n\\\":1}"), "{\"n\":2}", NULL, "[the user changed the arguments to {\\\"n\\\":2}]\\nran with {\\\"n\\\":2}" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct life l;

		begin(&l);
		tool_add(&l, "f", TOOL_ASK);
		tool_add(&l, "off", TOOL_ALWAYS)->wish = TOOL_OFF;
		life_answer_with(&l, rows[i].answer);
		life_answer_with(&l, ANSWER("so be it"));
		life_send(&l, "first");
		if (rows[i].edit) {
			CU_ASSERT_FALSE(session_edit_arguments(l.session, plan_of(l.session, 0), STR("{\"n\":\"y\"}"), &l.err));
			CHECK(session_edit_arguments(l.session, plan_of(l.session, 0), str_from(rows[i].edit), &l.err), "%s", l.err.text);
			log_of.allows = true;
			session_approve(l.session, plan_of(l.session, 0));
		} else if (rows[i].word) {
			session_refuse(l.session, plan_of(l.session, 0), str_from(rows[i].word));
		}
		session_drain(l.session);
		life_settle(&l);
		CHECK(life_asked(&l, rows[i].sent), "%s", buf_z(&l.bodies) + l.body_at);
		CU_ASSERT_EQUAL(log_of.ran, rows[i].edit != NULL);
		CU_ASSERT_EQUAL(log_of.unapproved, 0);
		life_end(&l);
	}
}

/* The rounds of tools that need no question end at the setting, and go on when the user says so. */
static void rounds_are_held(void)
{
	struct life l;

	begin(&l);
	log_of.allows = true;
	tool_add(&l, "f", TOOL_ALWAYS);
	l.setup.settings.tool_rounds = 3;
	life_answer_with(&l, CALL("f", "{}")); /* again and again */
	life_send(&l, "first");
	CU_ASSERT_EQUAL(l.asked, 4);
	CU_ASSERT_EQUAL(log_of.ran, 4);
	CU_ASSERT_TRUE(session_holds_rounds(l.session));
	CHECK(session_go_on(l.session, &l.err), "%s", l.err.text);
	life_settle(&l);
	CU_ASSERT_EQUAL(l.asked, 7);
	CU_ASSERT_TRUE(session_holds_rounds(l.session));
	life_send(&l, "enough"); /* a prompt takes the results along, and begins to count anew */
	CU_ASSERT_EQUAL(l.asked, 11);
	CU_ASSERT_EQUAL(log_of.unapproved, 0);
	life_end(&l);
}

#define PAID_CALL "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}," \
	"\"finish_reason\":\"tool_calls\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":20,\"cost\":0.25}}\n\n" \
	"data: [DONE]\n\n"

/* Whoever lets them go on knows what they took. */
static void rounds_that_are_held_say_what_they_cost(void)
{
	struct buf words = { 0 };
	struct life l;

	begin(&l);
	log_of.allows = true;
	tool_add(&l, "f", TOOL_ALWAYS);
	l.setup.settings.tool_rounds = 2;
	life_answer_with(&l, PAID_CALL); /* again and again */
	life_send(&l, "first");
	CU_ASSERT_TRUE(session_holds_rounds(l.session));
	session_write_hold(l.session, &words);
	CHECK_STR(buf_str(&words), "2 rounds of calls ran by themselves. The results of this one wait. $0.75 since the prompt.");
	life_send(&l, "second"); /* what was before it is not of its rounds */
	buf_clear(&words);
	session_write_hold(l.session, &words);
	CHECK_STR(buf_str(&words), "2 rounds of calls ran by themselves. The results of this one wait. $0.75 since the prompt.");
	buf_fini(&words);
	life_end(&l);
}

static struct tool_rounds *held_rounds(void *ctx, size_t index)
{
	return index < 2 ? (struct tool_rounds *)ctx + index : NULL;
}

static void held_halt(void *ctx)
{
	tool_rounds_leave(ctx);
	tool_rounds_leave((struct tool_rounds *)ctx + 1);
}

/* Answers beside each other ask for the same call: the word for the one that was shown is none for the other, also when the first is gone. */
static void a_word_is_for_the_call_that_was_shown(void)
{
	struct tool_rounds rounds[2] = { { .asker = "one" }, { .asker = "two" } };
	struct turn *answers[2];
	struct life l;

	begin(&l);
	tool_add(&l, "f", TOOL_ASK);
	for (size_t i = 0; i < 2; i++) {
		life_answer_with(&l, CALL("f", "{}"));
		answers[i] = life_send(&l, "first");
	}
	session_leave_runs(l.session);
	for (size_t i = 0; i < 2; i++)
		tool_rounds_begin(&rounds[i], answers[i], &l.setup.tool_set, &l.setup.approvals, TOOL_CALLS_ASK);
	session_hold(l.session, &(struct session_holder){ .halt = held_halt, .rounds = held_rounds, .ctx = rounds });
	uint64_t shown = session_asking(l.session)->shown, other = rounds[1].calls.items[0].shown;
	CHECK_STR(str_from(session_shown(l.session, shown)->asker), "one");
	CHECK_STR(str_from(session_shown(l.session, other)->asker), "two");
	tool_rounds_leave(&rounds[0]);
	CU_ASSERT_PTR_NULL(session_shown(l.session, shown));
	session_approve(l.session, shown);
	CHECK(session_approve_all(l.session, shown, &l.err), "%s", l.err.text);
	tool_rounds_begin(&rounds[0], answers[0], &l.setup.tool_set, &l.setup.approvals, TOOL_CALLS_ASK); /* anew: it is another question */
	session_approve(l.session, shown);
	CU_ASSERT_EQUAL(log_of.ran, 0);
	log_of.allows = true;
	session_approve(l.session, other);
	CU_ASSERT_EQUAL(log_of.ran, 1);
	CU_ASSERT_EQUAL(rounds[0].calls.items[0].state, TOOL_CALL_ASKS);
	session_hold(l.session, NULL);
	held_halt(rounds);
	life_end(&l);
}

/* Those that end at once take no turn from those that wait. */
static void many_calls_of_an_answer_all_end(void)
{
	struct life l;

	begin(&l);
	log_of.allows = true;
	tool_add(&l, "f", TOOL_ALWAYS);
	struct turn *t = conversation_answer(session_conversation(l.session), STR("p"), &protocol_openai_chat, STR("m"));
	for (int i = 0; i < 3 * TOOL_CALLS_AT_ONCE; i++) {
		struct part *part = turn_add(t, PART_TOOL_CALL, STR("{}"), STR("id"), STR("f"));

		part->call = i;
		part->valid = true;
	}
	t->ended = true;
	t->outcome = OUTCOME_TOOL_CALLS;
	session_begin_runs(l.session, t);
	CU_ASSERT_EQUAL(log_of.ran, 3 * TOOL_CALLS_AT_ONCE);
	CU_ASSERT_FALSE(session_is_busy(l.session));
	life_end(&l);
}

/* `a` holds for the tool and the conversation, not for another one, nor for what it has become. */
static void all_calls_of_a_tool_in_a_conversation(void)
{
	struct life l;

	begin(&l);
	struct tool *t = tool_add(&l, "f", TOOL_ASK);
	tool_add(&l, "g", TOOL_ASK);
	life_answer_with(&l, ANSWER_CALLS); /* f and g */
	life_send(&l, "first");
	log_of.allows = true;
	CHECK(session_approve_all(l.session, plan_of(l.session, 0), &l.err), "%s", l.err.text);
	log_of.allows = false;
	CU_ASSERT_EQUAL(log_of.ran, 1);
	CU_ASSERT_EQUAL(session_asking(l.session)->call, 1);
	session_refuse(l.session, plan_of(l.session, 1), STR(""));
	log_of.allows = true;
	session_drain(l.session);
	life_settle(&l);
	CU_ASSERT_EQUAL(log_of.ran, 2); /* f again, without a question */
	log_of.allows = false;
	t = tool_set_find(&l.setup.tool_set, STR("f"));
	str_replace(&t->facts, STR("two"));
	session_refuse(l.session, plan_of(l.session, 1), STR(""));
	session_drain(l.session);
	life_settle(&l);
	const struct tool_call *asks = session_asking(l.session);
	CU_ASSERT_PTR_NOT_NULL_FATAL(asks);
	CHECK_STR(str_from(asks->change), "- one\n+ two\n");
	session_forget(l.session);
	CU_ASSERT_PTR_NULL(session_asking(l.session));
	life_send(&l, "another");
	CU_ASSERT_EQUAL(session_asking(l.session)->call, 0);
	CU_ASSERT_EQUAL(log_of.ran, 2);
	CU_ASSERT_EQUAL(log_of.unapproved, 0);
	life_end(&l);
}

/* What was asked before is asked again, also for a tool that always runs. */
static void another_place_runs_nothing_by_itself(void)
{
	struct life l;
	struct turn *back;

	begin(&l);
	log_of.allows = true;
	tool_add(&l, "f", TOOL_ALWAYS);
	l.setup.settings.tool_rounds = 1;
	life_answer_with(&l, CALL("f", "{}"));
	life_send(&l, "first");
	CU_ASSERT_EQUAL(log_of.ran, 2);
	log_of.allows = false;
	struct turn *last = conversation_last(session_conversation(l.session));
	CHECK(session_remove(l.session, last, &l.err) && session_undo(l.session, &back, &l.err), "%s", l.err.text);
	session_drain(l.session);
	CU_ASSERT_PTR_NULL(session_asking(l.session));
	session_take_up_runs(l.session);
	CU_ASSERT_PTR_NOT_NULL(session_asking(l.session));
	CHECK(session_copy(l.session, last, &l.err), "%s", l.err.text);
	CU_ASSERT_PTR_NULL(session_asking(l.session));
	session_take_up_runs(l.session);
	CU_ASSERT_PTR_NOT_NULL(session_asking(l.session));
	CU_ASSERT_EQUAL(log_of.ran, 2);
	life_end(&l);
}

/* --- random sequences --- */

#define SEQUENCES 10000
#define STEPS 40
#define TWO_OF 10
#define TOOLS 4

static unsigned chance;

static unsigned pick(unsigned most)
{
	chance = chance * 1103515245u + 12345u;
	return (chance >> 16) % most;
}

/* What the user has allowed so far, beside the code under test: by tool, its facts then. */
struct allowed { char here[TOOLS][8], kept[TOOLS][8]; bool taken_back[TOOLS]; };

static const char *const tool_names[TOOLS] = { "ask", "once", "always", "never" };

static unsigned tool_number(const char *name)
{
	unsigned i = 0;

	while (i < TOOLS && strcmp(tool_names[i], name) != 0)
		i++;
	return i;
}

/* An answer with calls by chance: known tools and others, arguments that are right and wrong. */
static struct turn *answer_with_calls(struct conversation *c)
{
	static const char *const names[] = { "ask", "once", "always", "never", "other", "clock" };
	static const char *const arguments[] = { "{}", "{\"n\":1}", "{\"n\":2}", "{\"n\":\"x\"}", "[]", "{\"n\":1" };
	unsigned count = 1 + pick(3);
	struct turn *t = conversation_answer(c, STR("p"), &protocol_openai_chat, STR("m"));
	for (unsigned i = 0; i < count; i++) {
		const char *text = arguments[pick(6)];
		struct part *part = turn_add(t, PART_TOOL_CALL, str_from(text), STR("id"), str_from(names[pick(6)]));

		part->call = (int)i;
		part->valid = text[strlen(text) - 1] != '1';
	}
	t->ended = true;
	t->outcome = pick(8) ? OUTCOME_TOOL_CALLS : OUTCOME_CUT;
	return t;
}

/* An answer that ends here. */
static void answer_ends(struct life *l)
{
	struct conversation *c = session_conversation(l->session);

	if (session_is_busy(l->session))
		return;
	session_leave_runs(l->session); /* as the request did */
	turn_add(conversation_ask(c), PART_TEXT, STR("go"), STR_NONE, STR_NONE);
	session_begin_runs(l->session, answer_with_calls(c));
}

/* Whether each call of the answer that would run without a question was allowed; called before it is taken up. */
static bool all_free_calls_are_allowed(const struct life *l, const struct allowed *allowed, unsigned tool)
{
	const char *facts = l->setup.tool_set.items[tool].facts;

	if (allowed->taken_back[tool])
		return false;
	if (tool_names[tool][0] == 'a' && tool_names[tool][1] == 'l') /* always: as it was at first */
		return !*allowed->kept[tool] || !strcmp(allowed->kept[tool], facts) || !strcmp(allowed->here[tool], facts);
	return !strcmp(allowed->here[tool], facts) || !strcmp(allowed->kept[tool], facts);
}

static struct allowed *model;
static struct life *model_life;
static bool model_is_other;    /* the other program does it */
static bool model_begins;      /* an answer ends: what is allowed may run */
static const char *model_call; /* the tool whose call was allowed just now; NULL: none */

static bool judged_run(unsigned tool, struct str arguments, struct buf *out)
{
	bool free = model_begins && tool < 3 && all_free_calls_are_allowed(model_life, model, tool);

	log_of.allows = free || (model_call && !strcmp(model_call, tool_names[tool]));
	log_of.compared += session_is_held(model_life->session);
	log_of.elsewhere += model_is_other;
	if (model_begins && tool == 2 && !*model->kept[tool])
		snprintf(model->kept[tool], sizeof model->kept[tool], "%s", model_life->setup.tool_set.items[tool].facts);
	return count_run(arguments, out);
}

static bool judge_ask(struct str a, struct buf *out) { return judged_run(0, a, out); }
static bool judge_once(struct str a, struct buf *out) { return judged_run(1, a, out); }
static bool judge_always(struct str a, struct buf *out) { return judged_run(2, a, out); }
static bool judge_never(struct str a, struct buf *out) { return judged_run(3, a, out); }

static void begin_conversation(struct allowed *allowed)
{
	memset(allowed->here, 0, sizeof allowed->here);
	memset(allowed->taken_back, 0, sizeof allowed->taken_back);
}

/* What is not kept in a file is gone. */
static void restart(struct approvals *approvals, struct allowed *allowed)
{
	approvals_fini(approvals);
	begin_conversation(allowed);
	if (!approvals->keeps)
		memset(allowed->kept, 0, sizeof allowed->kept);
}

static void take_back(struct life *l, struct approvals *approvals, struct allowed *allowed, unsigned tool)
{
	struct error err;

	(void)!approval_take_back(approvals, &l->setup.tool_set.items[tool], &err);
	*allowed->here[tool] = '\0';
	allowed->taken_back[tool] = true;
	if (tool == 1)
		*allowed->kept[tool] = '\0';
}

/* --- a comparison --- */

static struct tool_rounds columns[2];

static void columns_leave(void *ctx)
{
	(void)ctx;
	tool_rounds_leave(&columns[0]);
	tool_rounds_leave(&columns[1]);
}

static struct tool_rounds *columns_at(void *ctx, size_t index)
{
	(void)ctx;
	return index < 2 ? &columns[index] : NULL;
}

/* Two answers to one question have ended, each with calls (app/compare/compare.c). */
static void comparison_begins(struct life *l)
{
	struct conversation *c = session_conversation(l->session);
	struct turn *question;
	struct error err;

	if (session_is_busy(l->session) || !session_ask_in_parallel(l->session, STR("which?"), &question, &err))
		return;
	session_hold(l->session, &(struct session_holder){ .halt = columns_leave, .rounds = columns_at });
	for (size_t i = 0; i < 2; i++) {
		conversation_branch(c, question);
		tool_rounds_begin(&columns[i], answer_with_calls(c), &l->setup.tool_set, &l->setup.approvals, TOOL_CALLS_ASK);
	}
}

static void comparison_ends(struct life *l)
{
	columns_leave(NULL);
	session_hold(l->session, NULL);
}

/* --- a step --- */

/* What the user presses now is for the call that is shown, or for none. */
static void press_approve_all(struct allowed *allowed, const struct tool_call *of)
{
	unsigned tool;

	model_call = of && of->state == TOOL_CALL_ASKS ? of->name : NULL;
	tool = model_call ? tool_number(model_call) : TOOLS;
	if (tool == TOOLS)
		return;
	snprintf(allowed->here[tool], 8, "%s", of->tool.facts);
	allowed->taken_back[tool] = false;
	if (tool == 1 || tool == 2)
		snprintf(allowed->kept[tool], 8, "%s", of->tool.facts);
}

static void step(struct life *l, struct allowed *allowed)
{
	struct session *s = l->session;
	struct conversation *c = session_conversation(s);
	unsigned call = pick(4);
	struct turn *back, *last = conversation_last(c);
	const struct tool_calls *calls = session_is_held(s) ? &columns[pick(2)].calls : session_runs(s);
	const struct tool_call *of = tool_calls_find(calls, call);
	uint64_t shown = of ? of->shown : 0;
	struct error err;
	char number[8];

	switch (pick(20)) {
	case 0: case 1: case 2:
		model_begins = true;
		answer_ends(l);
		model_begins = false;
		break;
	case 3: case 4:
		model_call = of && of->state == TOOL_CALL_ASKS ? of->name : NULL;
		session_approve(s, shown);
		break;
	case 5:
		press_approve_all(allowed, of);
		(void)!session_approve_all(s, shown, &err);
		break;
	case 6: session_refuse(s, shown, STR("no")); break;
	case 7: (void)!session_edit_arguments(s, shown, pick(2) ? STR("{\"n\":3}") : STR("{\"n\":[]}"), &err); break;
	case 8: session_stop(s); break;
	case 9: session_drain(s); break;
	case 10: session_take_up_runs(s); break;
	case 11:
		if (last && last->parent && session_remove(s, last, &err) && pick(2))
			(void)!session_undo(s, &back, &err);
		break;
	case 12:
		if (last && session_copy(s, last, &err))
			begin_conversation(allowed);
		break;
	case 13:
		session_forget(s);
		begin_conversation(allowed);
		break;
	case 14:
		snprintf(number, sizeof number, "%u", pick(3));
		str_replace(&l->setup.tool_set.items[pick(TOOLS)].facts, str_from(number));
		break;
	case 15: take_back(l, &l->setup.approvals, allowed, pick(TOOLS)); break;
	case 16:
		model_begins = true;
		comparison_begins(l);
		model_begins = false;
		break;
	case 17: comparison_ends(l); break;
	case 18: /* it is killed, and begins again with a conversation that was stored */
		session_forget(s);
		restart(&l->setup.approvals, allowed);
		break;
	default: tool_set_wish(&l->setup.tool_set, &l->setup.tool_set.items[pick(TOOLS)], (enum tool_wish)pick(3)); break;
	}
	model_call = NULL;
}

/* --- another program --- */

/* With the same settings and the same file of approvals. */
static const char *approvals_path;
static struct { struct approvals approvals; struct tool_rounds rounds; struct conversation *conversation; struct allowed allowed; } other;

static void other_step(struct life *l)
{
	struct conversation *c = other.conversation;
	const struct tool_call *of = tool_calls_find(&other.rounds.calls, pick(4));
	struct error err;

	switch (pick(7)) {
	case 0: case 1:
		turn_add(conversation_ask(c), PART_TEXT, STR("go"), STR_NONE, STR_NONE);
		model_begins = true;
		tool_rounds_begin(&other.rounds, answer_with_calls(c), &l->setup.tool_set, &other.approvals, TOOL_CALLS_ASK);
		model_begins = false;
		break;
	case 2:
		model_call = of && of->state == TOOL_CALL_ASKS ? of->name : NULL;
		tool_calls_approve(&other.rounds.calls, of ? of->shown : 0);
		break;
	case 3:
		press_approve_all(&other.allowed, of);
		(void)!tool_calls_approve_all(&other.rounds.calls, of ? of->shown : 0, &err);
		break;
	case 4: take_back(l, &other.approvals, &other.allowed, pick(TOOLS)); break;
	case 5: /* it is killed, and its conversation resumed */
		tool_rounds_leave(&other.rounds);
		restart(&other.approvals, &other.allowed);
		if (conversation_last(c))
			tool_rounds_begin(&other.rounds, conversation_last(c), &l->setup.tool_set, &other.approvals, TOOL_CALLS_ASK_ALWAYS);
		break;
	default: tool_rounds_leave(&other.rounds); break;
	}
	model_call = NULL;
}

static void other_begins(void)
{
	other.conversation = conversation_new();
	other.allowed = (struct allowed){ 0 };
	other.approvals = (struct approvals){ .keeps = true };
	unlink(approvals_path);
}

static void other_ends(void)
{
	tool_rounds_leave(&other.rounds);
	approvals_fini(&other.approvals);
	conversation_free(other.conversation);
}

/* The steps of one sequence. With two programs, each may take any of them; what one keeps is kept for both. */
static void sequence(struct life *l, struct allowed *allowed, bool two)
{
	l->setup.approvals.keeps = two;
	if (two)
		other_begins();
	for (int i = 0; i < STEPS; i++) {
		bool others = two && pick(3) == 0;
		struct allowed *now = others ? &other.allowed : allowed, *then = others ? allowed : &other.allowed;

		model = now;
		model_is_other = others;
		if (others)
			other_step(l);
		else
			step(l, allowed);
		memcpy(then->kept, now->kept, sizeof now->kept);
	}
	if (two)
		other_ends();
	comparison_ends(l);
	session_forget(l->session);
	approvals_fini(&l->setup.approvals);
}

/*
 * Tools that are allowed do run in these sequences, and no other run ever. In one of TWO_OF two programs have one file of approvals; with
 * WEIR_SWEEP=more in each.
 */
static void random_sequences_run_nothing_unapproved(void)
{
	static bool (*const answers[TOOLS])(struct str a, struct buf *out) = { judge_ask, judge_once, judge_always, judge_never };
	static const enum tool_approve approves[TOOLS] = { TOOL_ASK, TOOL_ONCE, TOOL_ALWAYS, TOOL_NEVER };
	unsigned two_of = check_depth() == CHECK_SOME ? TWO_OF : 1;
	struct life l;

	begin(&l);
	setup_use_model(&l.setup, STR("")); /* nothing can be sent */
	struct tool_set built_in = l.setup.tool_set;
	l.setup.tool_set = (struct tool_set){ 0 };
	for (unsigned i = 0; i < TOOLS; i++)
		tool_add(&l, tool_names[i], approves[i])->answer = answers[i];
	model_life = &l;
	approvals_path = folder_file("weir/approvals", NULL);
	for (chance = 1; chance <= SEQUENCES; chance++) {
		unsigned seed = chance;
		struct allowed allowed = { 0 };

		sequence(&l, &allowed, seed % two_of == 0);
		CHECK(!log_of.unapproved, "sequence %u: %u unapproved runs", seed, log_of.unapproved);
		chance = log_of.unapproved ? SEQUENCES : seed;
	}
	CHECK(log_of.ran > SEQUENCES && log_of.compared > SEQUENCES / 10 && log_of.elsewhere > SEQUENCES / two_of / 2, "%u ran, %u compared, %u elsewhere",
	      log_of.ran, log_of.compared, log_of.elsewhere);
	tool_set_fini(&built_in);
	life_end(&l);
}

const struct suite suite_session_runs = { "session_runs", (const struct test[]){
	TEST(a_call_asks_and_its_result_goes_back), TEST(refusals_and_wrong_arguments_are_results), TEST(rounds_are_held), TEST(rounds_that_are_held_say_what_they_cost), TEST(a_word_is_for_the_call_that_was_shown),
	TEST(many_calls_of_an_answer_all_end),
	TEST(all_calls_of_a_tool_in_a_conversation), TEST(another_place_runs_nothing_by_itself),
	TEST(random_sequences_run_nothing_unapproved), { 0 } } };
