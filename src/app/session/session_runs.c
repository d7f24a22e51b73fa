/* Calls of the last answer that run. */
#include "app/session/session_inside.h"
#include "app/session/turn_rounds.h"
#include "app/setup/setup.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/figure.h"

/* The answer whose calls are taken up, which must still be the end of the path. NULL: none. */
static struct turn *runs_answer(const struct session *s)
{
	return s->runs.answer && s->runs.answer == conversation_last(s->conversation) ? s->runs.answer : NULL;
}

void session_leave_runs(struct session *s)
{
	tool_rounds_leave(&s->runs);
}

const struct tool_calls *session_runs(const struct session *s)
{
	static const struct tool_calls none;

	return runs_answer(s) ? &s->runs.calls : &none;
}

/* Its own, or those of the answers beside each other that hold it. NULL after the last. */
static struct tool_rounds *runs_at(const struct session *s, size_t index)
{
	if (session_is_held(s))
		return s->holder.rounds(s->holder.ctx, index);
	return index || !runs_answer(s) ? NULL : (struct tool_rounds *)&s->runs;
}

const struct tool_call *session_asking(const struct session *s)
{
	const struct tool_call *asks = NULL;
	const struct tool_rounds *r;

	for (size_t i = 0; !asks && (r = runs_at(s, i)); i++)
		asks = tool_calls_asking(&r->calls);
	return asks;
}

const struct tool_call *session_shown(const struct session *s, uint64_t shown)
{
	const struct tool_call *call = NULL;
	const struct tool_rounds *r;

	for (size_t i = 0; !call && (r = runs_at(s, i)); i++)
		call = tool_calls_shown(&r->calls, shown);
	return call;
}

/* The rounds that wait for session_go_on(); NULL: none do. */
static struct tool_rounds *runs_holding(const struct session *s)
{
	struct tool_rounds *r = NULL;

	for (size_t i = 0; (r = runs_at(s, i)) && !r->holds; i++)
		;
	return r;
}

bool session_runs_tools(const struct session *s)
{
	return tool_calls_run(session_runs(s));
}

bool session_holds_rounds(const struct session *s)
{
	return runs_holding(s) != NULL;
}

/* --- taking them up --- */

void session_mark_foreign_calls(struct setup *setup, struct turn *answer)
{
	bool asks = answer->role == TURN_ASSISTANT && answer->ended && answer->outcome == OUTCOME_TOOL_CALLS;

	for (unsigned i = 0; asks && !provider_is_demo(setup->target.provider) && i < turn_call_count(answer); i++) {
		struct part *call = turn_call(answer, i);

		if (call->run || setup_offers_tool(setup, str_from(call->name)))
			continue;
		call->run = tool_set_find(&setup->tool_set, str_from(call->name)) ? CALL_RUN_UNOFFERED : CALL_RUN_UNKNOWN;
		answer->revision++;
	}
}

static void runs_begin(struct session *s, struct turn *answer, enum tool_calls_how how)
{
	session_leave_runs(s);
	if (!s->setup)
		return;
	s->setup->approvals.is_private = s->setup->private;
	tool_rounds_begin(&s->runs, answer, setup_tool_set(s->setup), &s->setup->approvals, how);
	session_mark_foreign_calls(s->setup, answer);
}

void session_begin_runs(struct session *s, struct turn *answer)
{
	if (answer == conversation_last(s->conversation) && answer != s->summary)
		runs_begin(s, answer, TOOL_CALLS_ASK);
}

void session_take_up_runs(struct session *s)
{
	struct turn *last = conversation_last(s->conversation);

	if (last && !session_is_busy(s) && !runs_answer(s) && !s->player)
		runs_begin(s, last, TOOL_CALLS_ASK_ALWAYS);
}

/* --- the user's word --- */

/* The calls among which one asks for that plan; NULL: none does any more. */
static struct tool_calls *runs_with(struct session *s, uint64_t shown)
{
	struct tool_rounds *r;

	for (size_t i = 0; (r = runs_at(s, i)); i++)
		if (tool_calls_shown(&r->calls, shown))
			return &r->calls;
	return NULL;
}

void session_approve(struct session *s, uint64_t shown)
{
	struct tool_calls *calls = runs_with(s, shown);

	if (calls)
		tool_calls_approve(calls, shown);
}

bool session_approve_all(struct session *s, uint64_t shown, struct error *err)
{
	struct tool_calls *calls = runs_with(s, shown);

	return !calls || tool_calls_approve_all(calls, shown, err);
}

void session_refuse(struct session *s, uint64_t shown, struct str word)
{
	struct tool_calls *calls = runs_with(s, shown);

	if (calls)
		tool_calls_refuse(calls, shown, word);
}

bool session_edit_arguments(struct session *s, uint64_t shown, struct str arguments, struct error *err)
{
	struct tool_calls *calls = runs_with(s, shown);

	return calls ? tool_calls_edit(calls, shown, arguments, err) : error_set(err, "no call waits for a word");
}

/* --- their results --- */

static void runs_note(struct session *s)
{
	tool_rounds_note(&s->runs);
	for (size_t i = 0; i < s->runs.calls.count; i++) {
		const struct tool_call *call = &s->runs.calls.items[i];

		if (call->state == TOOL_CALL_DONE)
			session_answer_by_run(s, call);
	}
}

static bool runs_have_all_results(const struct session *s)
{
	for (unsigned call = 0; session_waiting_call(s, &call); call++) {
		bool has = false;

		for (size_t i = 0; i < s->result_count; i++)
			has |= s->results[i].call == call;
		if (!has)
			return false;
	}
	return true;
}

/* Sends the results; what is in the way stands in the page. */
static bool runs_send(struct session *s, struct error *err)
{
	if (!session_send_results(s, err))
		return false;
	s->runs.sent++;
	return true;
}

bool session_drain_runs(struct session *s)
{
	struct error err = { "" };

	if (!s->runs.calls.changed || !runs_answer(s))
		return false;
	s->runs.calls.changed = false;
	runs_note(s);
	if (tool_tape_tell(&s->runs.calls.tape, &err))
		turn_note(runs_answer(s), STR("weir"), str_from(err.text));
	session_note_change(s);
	if (s->live || s->runs.stopped || !tool_calls_are_over(&s->runs.calls) || !runs_have_all_results(s))
		return true;
	s->runs.holds = tool_rounds_are_spent(&s->runs, s->setup->settings.tool_rounds) || !session_goes_on(s, false);
	if (!s->runs.holds && !runs_send(s, &err))
		turn_note(conversation_last(s->conversation), STR("weir"), str_from(err.text));
	return true;
}

/* What the next request adds to. Rounds beyond TURN_ROUNDS_MOST are not looked for. */
static void write_cost_of_rounds(const struct session *s, const struct turn *answer, struct buf *out)
{
	const struct turn *rounds[TURN_ROUNDS_MOST];
	size_t count = turn_rounds(s->conversation, answer, rounds);
	struct cost cost = { .is_unknown = count == TURN_ROUNDS_MOST };
	char figure[FIGURE_SIZE];

	for (size_t i = 0; i < count; i++)
		cost = cost_sum(cost, turn_cost(rounds[i]));
	if (*figure_cost(figure, cost))
		buf_printf(out, " %s since the prompt.", figure);
}

void session_write_hold(const struct session *s, struct buf *out)
{
	const struct tool_rounds *r = runs_holding(s);

	if (r && r->asker)
		buf_printf(out, "%s: ", r->asker);
	if (r)
		tool_rounds_write_hold(r, s->setup->settings.tool_rounds, out);
	if (r && r->answer)
		write_cost_of_rounds(s, r->answer, out);
}

bool session_go_on(struct session *s, struct error *err)
{
	struct tool_rounds *r = runs_holding(s);

	if (!r)
		return error_set(err, "no results wait");
	r->sent = 0;
	if (r == &s->runs)
		return runs_send(s, err);
	r->holds = false;
	r->calls.changed = true; /* who has them sends them */
	return true;
}

void session_stop_runs(struct session *s)
{
	if (session_runs_tools(s))
		tool_rounds_stop(&s->runs);
}
