#include "app/compare/compare.h"

#include "app/session/session_parallel.h"
#include "app/session/session_runs.h"
#include "app/session/session_tree.h"
#include "app/setup/setup.h"
#include "app/system/loop.h"
#include "chat/conversation/conversation.h"

void compare_init(struct compare *c, struct setup *s, struct session *session, const struct model_list *models,
                  const struct compare_ways *ways)
{
	*c = (struct compare){ .setup = s, .session = session, .models = models, .ways = *ways };
}

static void compare_drop_answers(struct compare *c)
{
	for (size_t i = 0; i < c->count; i++)
		compared_answer_fini(&c->answers[i]);
	c->count = 0;
}

void compare_fini(struct compare *c)
{
	compare_drop_answers(c);
	compare_targets_fini(&c->targets);
}

bool compare_is_current(const struct compare *c)
{
	return c->count && c->number == session_number(c->session);
}

size_t compare_running(const struct compare *c)
{
	size_t running = 0;

	for (size_t i = 0; i < c->count; i++)
		running += compared_answer_runs(&c->answers[i]);
	return running;
}

const struct turn *compare_live(const struct compare *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (awaited_runs(&c->answers[i].awaited))
			return c->answers[i].awaited.turn;
	return NULL;
}

bool compare_runs(const struct compare *c)
{
	return compare_running(c) > 0;
}

bool compare_asks(const struct compare *c)
{
	return session_is_held(c->session) && (session_asking(c->session) || session_holds_rounds(c->session));
}

/* --- asking --- */

/* Names the targets of the next comparison. Fails while one runs. */
static bool compare_name(struct compare *c, struct str list, struct error *err)
{
	struct compare_targets read = { 0 };

	if (!session_is_idle(c->session, err) || !compare_targets_read(&read, c->setup, list, err))
		return false;
	compare_drop_answers(c); /* they borrow the targets */
	compare_targets_fini(&c->targets);
	c->targets = read;
	return true;
}

static bool compare_prepare(struct compare *c, struct error *err)
{
	const struct awaited_owner owner = { .by_frame = true, .models = c->models };

	compare_drop_answers(c);
	for (size_t i = 0; i < c->targets.count; i++) {
		struct error why;

		compared_answer_init(&c->answers[i], &c->targets.of[i], c->setup, &owner);
		c->count++;
		if (!compared_answer_prepare(&c->answers[i], &why))
			return error_set(err, "%s: %s", c->targets.of[i].label, why.text);
	}
	return true;
}

/* The conversation is about to be replaced: what has arrived goes into it. */
static void compare_halt(void *ctx)
{
	struct compare *c = ctx;

	for (size_t i = 0; i < c->count; i++)
		if (awaited_runs(&c->answers[i].awaited))
			queue_drain(c->answers[i].awaited.queue);
	compare_drop_answers(c);
}

/* Sends the path up to `question`; the answer is the end of the path then. */
static struct turn *compare_launch(struct compare *c, struct compared_answer *a, struct turn *question)
{
	const struct compare_target *t = a->target;
	struct conversation *conversation = session_conversation(c->session);
	struct scope scope = { .provider = t->provider->name, .model = t->model, .protocol = t->protocol };

	conversation_branch(conversation, question);
	owned_request_project(&a->awaited.owned, conversation, &scope);
	struct turn *answer = conversation_answer(conversation, str_from(t->provider->name), t->protocol, str_from(t->model));
	compared_answer_begin(a, answer, session_count_tape(c->session));
	return answer;
}

static struct tool_rounds *compare_rounds(void *ctx, size_t index)
{
	struct compare *c = ctx;

	return index < c->count ? &c->answers[index].rounds : NULL;
}

/* Call when all were sent: until they are over, the session sends nothing else. */
static void compare_hold(struct compare *c)
{
	conversation_branch(session_conversation(c->session), c->answers[0].awaited.turn);
	session_hold(c->session, &(struct session_holder){ .halt = compare_halt, .rounds = compare_rounds, .ctx = c });
	session_note_change(c->session);
}

/* The error has an example that works: two protocols of the model in use. */
static bool compare_lacks_targets(const struct compare *c, struct error *err)
{
	const struct target *t = &c->setup->target;
	const struct protocol *const *offered = t->provider->protocols;

	if (!*t->model || !offered[0] || !offered[1])
		return error_set(err, "name what to compare: /compare " COMPARE_TARGET_FORM ",... WORDS");
	return error_set(err, "name what to compare, as in /compare %s/%s,%s/%s:%s WORDS", t->provider->name, t->model, t->provider->name, t->model,
	                 (offered[0] == t->protocol ? offered[1] : offered[0])->name);
}

bool compare_ask(struct compare *c, struct str prompt, struct error *err)
{
	struct turn *question;

	if (!c->targets.count)
		return compare_lacks_targets(c, err);
	if (!session_is_idle(c->session, err) || !session_is_whole(c->session, err))
		return false;
	if (!compare_prepare(c, err) || !session_ask_in_parallel(c->session, prompt, &question, err)) {
		compare_drop_answers(c);
		return false;
	}
	c->number = session_number(c->session);
	for (size_t i = 0; i < c->count; i++)
		c->answers[i].first = compare_launch(c, &c->answers[i], question);
	compare_hold(c);
	c->ways.began(c->ways.ctx);
	return true;
}

bool compare_begin(struct compare *c, struct str list, struct error *err)
{
	struct error why;

	c->asks_all = compare_name(c, list, &why);
	return c->asks_all || error_set(err, "--compare: %s", why.text);
}

/* The list at the start of a line; blanks may stand behind its commas. */
static struct str compare_split(struct str line, struct str *words)
{
	struct str list = str_first_word(line, words);

	while (list.len && words->len && str_ends(list, ",")) {
		struct str next = str_first_word(*words, words);

		list.len = (size_t)(next.ptr + next.len - list.ptr);
	}
	return list;
}

bool compare_command(struct compare *c, struct str words, struct error *err)
{
	struct str rest, list = compare_split(words, &rest);
	bool is_list = compare_is_list(c->setup, list);

	if (str_is(words, "off")) {
		c->asks_all = false;
		return error_set(err, "prompts go to one model");
	}
	if (is_list && !compare_name(c, list, err))
		return false;
	if (is_list && !rest.len && !conversation_last(session_conversation(c->session))) {
		c->asks_all = true;
		return error_set(err, "each prompt goes to all %zu; /compare off ends that", c->targets.count);
	}
	return compare_ask(c, is_list ? rest : words, err);
}

bool compare_retry(struct compare *c, struct compared_answer *a, struct error *err)
{
	if (compared_answer_runs(a))
		return error_set(err, "this answer is under way: stop it first");
	if (!compared_answer_prepare(a, err))
		return false;
	a->first = compare_launch(c, a, a->first->parent);
	a->rounds.sent = 0;
	compare_hold(c);
	return true;
}

/* --- while they run --- */

bool compare_has_news(const struct compare *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (awaited_has_news(&c->answers[i].awaited) || c->answers[i].rounds.calls.changed)
			return true;
	return false;
}

/* An answer is over: nothing of it runs or waits. */
static void compare_end(struct compare *c, struct compared_answer *a)
{
	tool_rounds_leave(&a->rounds);
	if (!compare_runs(c))
		session_hold(c->session, NULL);
	c->ways.ended(c->ways.ctx, a);
}

/* Calls run only if all of the answer can: there is no place here to answer one by hand. */
static bool compare_takes_up_calls(struct compare *c, struct compared_answer *a)
{
	struct setup *s = c->setup;
	struct target before;

	s->approvals.is_private = s->private;
	compare_target_enter(a->target, s, &before); /* what is built in is offered to the demo alone */
	tool_rounds_begin(&a->rounds, a->awaited.turn, setup_tool_set(s), &s->approvals, TOOL_CALLS_ASK);
	session_mark_foreign_calls(s, a->awaited.turn);
	compare_target_leave(a->target, s, &before);
	if (a->rounds.calls.count < turn_call_count(a->awaited.turn))
		tool_rounds_leave(&a->rounds);
	else if (tool_calls_asking(&a->rounds.calls))
		c->ways.asks(c->ways.ctx, a);
	return a->rounds.answer != NULL;
}

/* Sends the results to the answer's own target. On false the page says why it ends. */
static bool compare_send_results(struct compare *c, struct compared_answer *a)
{
	struct conversation *conversation = session_conversation(c->session);
	struct error err;

	if (!compared_answer_prepare(a, &err)) {
		turn_note(a->awaited.turn, STR("weir"), str_from(err.text));
		return false;
	}
	conversation_branch(conversation, a->awaited.turn);
	struct turn *question = conversation_ask(conversation);
	tool_calls_add_results(&a->rounds.calls, question);
	tool_rounds_leave(&a->rounds);
	a->rounds.sent++;
	compare_launch(c, a, question);
	compare_hold(c);
	return true;
}

/* True: something of the answer changed. */
static bool compare_drain_calls(struct compare *c, struct compared_answer *a)
{
	struct tool_rounds *r = &a->rounds;

	if (!r->answer || !r->calls.changed)
		return false;
	r->calls.changed = false;
	tool_rounds_note(r);
	if (!tool_calls_are_over(&r->calls))
		return true;
	r->holds = !r->stopped &&
	           (tool_rounds_are_spent(r, c->setup->settings.tool_rounds) || !session_goes_on(c->session, false));
	if (r->holds)
		c->ways.asks(c->ways.ctx, a);
	else if (r->stopped || !compare_send_results(c, a))
		compare_end(c, a);
	return true;
}

bool compare_drain(struct compare *c)
{
	bool changed = false;

	for (size_t i = 0; i < c->count; i++) {
		struct compared_answer *a = &c->answers[i];

		changed |= awaited_drain(&a->awaited);
		if (awaited_is_over(&a->awaited)) {
			awaited_drop(&a->awaited);
			if (!compare_takes_up_calls(c, a))
				compare_end(c, a);
		}
		changed |= compare_drain_calls(c, a);
	}
	if (changed)
		session_note_change(c->session);
	return changed;
}

/* --- the end --- */

void compare_stop(struct compare *c)
{
	for (size_t i = 0; i < c->count; i++)
		compared_answer_stop(&c->answers[i]);
	compare_drain(c);
}

/* At once: the answers are left. */
static void compare_cut(struct compare *c)
{
	compare_stop(c);
	for (size_t i = 0; i < c->count; i++)
		if (c->answers[i].rounds.answer)
			compare_end(c, &c->answers[i]);
}

void compare_stop_others(struct compare *c, const struct compared_answer *a)
{
	for (size_t i = 0; i < c->count; i++)
		if (&c->answers[i] != a)
			compared_answer_stop(&c->answers[i]);
}

bool compare_choose(struct compare *c, struct compared_answer *a, struct error *err)
{
	if (compared_answer_runs(a))
		return error_set(err, "this answer is under way: stop it first");
	if (a->awaited.turn->removed)
		return error_set(err, "this answer was deleted: /undo brings it back");
	compare_cut(c);
	if (!session_select(c->session, a->awaited.turn, err))
		return false;
	compare_target_choose(a->target, c->setup);
	c->asks_all = false;
	return true;
}

struct compared_answer *compare_on_path(struct compare *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (conversation_shows(session_conversation(c->session), c->answers[i].awaited.turn))
			return &c->answers[i];
	return NULL;
}

void compare_leave(struct compare *c)
{
	struct turn *first = c->answers[0].awaited.turn;
	struct error err;

	compare_cut(c);
	for (size_t i = c->count; i > 0; i--) {
		struct turn *t = c->answers[i - 1].awaited.turn;

		first = t->ended && !outcome_is_trouble(t->outcome) && !t->removed ? t : first;
	}
	if (session_select(c->session, first, &err))
		return;
	session_note_change(c->session); /* the path stays as it is */
}

/* --- the loop's member --- */

static size_t compare_fds(void *ctx, struct pollfd *fds, size_t room)
{
	struct compare *c = ctx;
	size_t used = 0;

	for (size_t i = 0; i < c->count; i++)
		used += awaited_fds(&c->answers[i].awaited, fds + used, room - used);
	for (size_t i = 0; i < c->count; i++)
		used += tool_calls_fds(&c->answers[i].rounds.calls, fds + used, room - used);
	return used;
}

static int64_t compare_deadline(void *ctx)
{
	struct compare *c = ctx;
	int64_t first = NO_DEADLINE, now_ms = clock_now_ms();

	for (size_t i = 0; i < c->count; i++) {
		int64_t deadline = awaited_deadline(&c->answers[i].awaited);
		int64_t calls = tool_calls_deadline(&c->answers[i].rounds.calls, now_ms);

		deadline = calls < deadline ? calls : deadline;
		first = deadline < first ? deadline : first;
	}
	return first;
}

static void compare_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct compare *c = ctx;

	for (size_t i = 0; i < c->count; i++)
		awaited_run(&c->answers[i].awaited, fds, count, now_ms);
	for (size_t i = 0; i < c->count; i++)
		tool_calls_turn(&c->answers[i].rounds.calls, fds, count, now_ms);
}

struct loop_member compare_member(struct compare *c)
{
	return (struct loop_member){ .ctx = c, .fds = compare_fds, .deadline = compare_deadline, .run = compare_run };
}
