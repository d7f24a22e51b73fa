/* Calls of the last answer that run. */
#include "app/session/session_inside.h"
#include "app/setup/setup.h"

#include "chat/conversation/conversation.h"

/* The answer whose calls are taken up, which must still be the end of the path. NULL: none. */
static struct turn *runs_answer(const struct session *s)
{
	return s->runs.answer && s->runs.answer == conversation_last(s->conversation) ? s->runs.answer : NULL;
}

void session_leave_runs(struct session *s)
{
	for (size_t i = 0; s->runs.answer && i < s->runs.calls.count; i++)
		if (s->runs.calls.items[i].state != TOOL_CALL_DONE) {
			turn_call(s->runs.answer, s->runs.calls.items[i].call)->run = CALL_RUN_NONE;
			s->runs.answer->revision++;
		}
	tool_calls_fini(&s->runs.calls);
	s->runs.answer = NULL;
	s->runs.holds = s->runs.stopped = false;
}

const struct tool_calls *session_runs(const struct session *s)
{
	static const struct tool_calls none;

	return runs_answer(s) ? &s->runs.calls : &none;
}

const struct tool_call *session_asking(const struct session *s)
{
	return tool_calls_asking(session_runs(s));
}

bool session_runs_tools(const struct session *s)
{
	return tool_calls_run(session_runs(s));
}

unsigned session_rounds(const struct session *s)
{
	return s->runs.rounds;
}

bool session_holds_rounds(const struct session *s)
{
	return runs_answer(s) && s->runs.holds;
}

/* --- taking them up --- */

static void runs_begin(struct session *s, struct turn *answer, enum tool_calls_how how)
{
	session_leave_runs(s);
	if (!s->setup || answer->role != TURN_ASSISTANT || !answer->ended || answer->outcome != OUTCOME_TOOL_CALLS)
		return;
	s->setup->approvals.is_private = s->setup->private;
	tool_calls_begin(&s->runs.calls, answer, setup_tool_set(s->setup), &s->setup->approvals, how);
	if (s->runs.calls.count)
		s->runs.answer = answer;
	else
		tool_calls_fini(&s->runs.calls);
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

void session_approve(struct session *s, unsigned call)
{
	if (runs_answer(s))
		tool_calls_approve(&s->runs.calls, call);
}

bool session_approve_all(struct session *s, unsigned call, struct error *err)
{
	return !runs_answer(s) || tool_calls_approve_all(&s->runs.calls, call, err);
}

void session_refuse(struct session *s, unsigned call, struct str word)
{
	if (runs_answer(s))
		tool_calls_refuse(&s->runs.calls, call, word);
}

bool session_edit_arguments(struct session *s, unsigned call, struct str arguments, struct error *err)
{
	return runs_answer(s) ? tool_calls_edit(&s->runs.calls, call, arguments, err) : error_set(err, "no call waits for a word");
}

/* --- their results --- */

/* What the page says of a call. */
static enum call_run runs_state(const struct tool_call *call)
{
	static const enum call_run states[] = {
		[TOOL_CALL_ASKS] = CALL_RUN_ASKS, [TOOL_CALL_WAITS] = CALL_RUN_WAITS, [TOOL_CALL_RUNS] = CALL_RUN_RUNS,
	};
	static const enum call_run outcomes[] = {
		[TOOL_RUN_OK] = CALL_RUN_RAN, [TOOL_RUN_ERROR] = CALL_RUN_FAILED, [TOOL_RUN_REFUSED] = CALL_RUN_REFUSED,
		[TOOL_RUN_TIMEOUT] = CALL_RUN_LATE, [TOOL_RUN_CUT] = CALL_RUN_STOPPED,
	};

	return call->state == TOOL_CALL_DONE ? outcomes[call->outcome] : states[call->state];
}

static void runs_note(struct session *s, struct turn *answer)
{
	for (size_t i = 0; i < s->runs.calls.count; i++) {
		const struct tool_call *call = &s->runs.calls.items[i];
		struct part *part = turn_call(answer, call->call);
		enum call_run state = runs_state(call);

		if (part->run != state || state == CALL_RUN_RUNS)
			answer->revision++;
		part->run = state;
		part->run_ms = tool_run_ms(&call->run, clock_now_ms());
		if (call->state == TOOL_CALL_DONE)
			session_answer_call(s, call->call, buf_str(&call->result), call->outcome != TOOL_RUN_OK);
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

static unsigned runs_most_rounds(const struct session *s)
{
	long long most = s->setup->settings.tool_rounds;

	return most ? (unsigned)most : TOOL_ROUNDS_DEFAULT;
}

/* Sends the results; what is in the way stands in the page. */
static bool runs_send(struct session *s, struct error *err)
{
	unsigned rounds = s->runs.rounds + 1;

	if (!session_send_results(s, err))
		return false;
	s->runs.rounds = rounds;
	return true;
}

bool session_drain_runs(struct session *s)
{
	struct turn *answer = runs_answer(s);
	struct error err = { "" };

	if (!s->runs.calls.changed || !answer)
		return false;
	s->runs.calls.changed = false;
	runs_note(s, answer);
	session_note_change(s);
	if (s->live || s->runs.stopped || !tool_calls_are_over(&s->runs.calls) || !runs_have_all_results(s))
		return true;
	s->runs.holds = s->runs.rounds >= runs_most_rounds(s) || !session_goes_on(s, false);
	if (!s->runs.holds && !runs_send(s, &err))
		turn_note(conversation_last(s->conversation), STR("weir"), str_from(err.text));
	return true;
}

void session_write_hold(const struct session *s, struct buf *out)
{
	if (s->runs.rounds >= runs_most_rounds(s))
		buf_printf(out, "%u round%s of calls ran by themselves. The results of this one wait.", s->runs.rounds,
		           s->runs.rounds == 1 ? "" : "s");
	else
		buf_add_z(out, "The budget is spent. The results of the calls wait.");
}

bool session_go_on(struct session *s, struct error *err)
{
	if (!session_holds_rounds(s))
		return error_set(err, "no results wait");
	s->runs.rounds = 0;
	return runs_send(s, err);
}

void session_stop_runs(struct session *s)
{
	if (!session_runs_tools(s))
		return;
	s->runs.stopped = true;
	tool_calls_stop(&s->runs.calls);
}
