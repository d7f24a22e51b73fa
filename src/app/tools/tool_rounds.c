#include "app/tools/tool_rounds.h"

#include "chat/conversation/turn.h"
#include "store/config/settings.h"

void tool_rounds_begin(struct tool_rounds *r, struct turn *answer, const struct tool_set *set, struct approvals *approvals,
                       enum tool_calls_how how)
{
	tool_rounds_leave(r);
	if (answer->role != TURN_ASSISTANT || !answer->ended || answer->outcome != OUTCOME_TOOL_CALLS)
		return;
	tool_calls_begin(&r->calls, answer, set, approvals, how);
	for (size_t i = 0; i < r->calls.count; i++)
		r->calls.items[i].asker = r->asker;
	if (r->calls.count)
		r->answer = answer;
	else
		tool_calls_fini(&r->calls);
}

void tool_rounds_leave(struct tool_rounds *r)
{
	for (size_t i = 0; r->answer && i < r->calls.count; i++)
		if (r->calls.items[i].state != TOOL_CALL_DONE) {
			turn_call(r->answer, r->calls.items[i].call)->run = CALL_RUN_NONE;
			r->answer->revision++;
		}
	tool_calls_fini(&r->calls);
	r->answer = NULL;
	r->holds = r->stopped = false;
}

void tool_rounds_stop(struct tool_rounds *r)
{
	r->stopped = true;
	r->calls.changed = true;
	tool_calls_stop(&r->calls);
}

/* What the page says of a call. */
static enum call_run rounds_state(const struct tool_call *call)
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

void tool_rounds_note(struct tool_rounds *r)
{
	for (size_t i = 0; i < r->calls.count; i++) {
		const struct tool_call *call = &r->calls.items[i];
		struct part *part = turn_call(r->answer, call->call);
		enum call_run state = rounds_state(call);

		if (part->run != state || state == CALL_RUN_RUNS)
			r->answer->revision++;
		part->run = state;
		part->run_ms = tool_run_ms(&call->run, clock_now_ms());
	}
}

bool tool_rounds_are_spent(const struct tool_rounds *r, long long most)
{
	return r->sent >= (most ? most : TOOL_ROUNDS_DEFAULT);
}

void tool_rounds_write_hold(const struct tool_rounds *r, long long most, struct buf *out)
{
	if (tool_rounds_are_spent(r, most))
		buf_printf(out, "%u round%s of calls ran by themselves. The results of this one wait.", r->sent, r->sent == 1 ? "" : "s");
	else
		buf_add_z(out, "The budget is spent. The results of the calls wait.");
}
