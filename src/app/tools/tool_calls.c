#include "app/tools/tool_calls.h"

#include "app/tools/tool_shown.h"
#include "base/mem.h"
#include "chat/conversation/turn.h"

/* --- one call --- */

static void call_finish(struct tool_calls *c, struct tool_call *call, enum tool_outcome outcome, struct str result)
{
	call->state = TOOL_CALL_DONE;
	call->outcome = outcome;
	buf_clear(&call->result);
	buf_add(&call->result, result);
	c->changed = true;
}

/* The outcome of a run that has ended. */
static void call_settle(struct tool_calls *c, struct tool_call *call)
{
	struct buf words = { 0 };

	if (call->state != TOOL_CALL_RUNS || call->run.runs)
		return;
	if (call->edited) /* the model has asked for something else */
		buf_printf(&words, "[the user changed the arguments to %s]\n", call->plan.arguments);
	buf_add(&words, buf_str(&call->run.result));
	call_finish(c, call, call->run.outcome, buf_str(&words));
	buf_fini(&words);
}

static void call_start(struct tool_calls *c, struct tool_call *call)
{
	size_t running = 0;

	for (size_t i = 0; i < c->count; i++)
		running += c->items[i].state == TOOL_CALL_RUNS;
	call->state = running < TOOL_CALLS_AT_ONCE ? TOOL_CALL_RUNS : TOOL_CALL_WAITS;
	if (call->state == TOOL_CALL_RUNS && call->plan.hub)
		tool_tape_watch(&c->tape, call->plan.hub, c->items);
	if (call->state == TOOL_CALL_RUNS)
		tool_run_start(&call->run, &call->plan);
	call_settle(c, call); /* at once, so that it takes no turn from those that wait */
	c->changed = true;
}

/* A call that breaks the schema goes back to the model. */
static bool call_plan(struct tool_calls *c, struct tool_call *call, const struct tool *tool, struct str arguments)
{
	struct error why;
	struct buf words = { 0 };

	call->shown = ++c->approvals->plans;
	if (tool_plan_make(&call->plan, tool, arguments, &why)) {
		call->plan.media_bytes = c->set->media_bytes;
		return true;
	}
	buf_printf(&words, "It was not run: %s.", why.text);
	call_finish(c, call, TOOL_RUN_ERROR, buf_str(&words));
	buf_fini(&words);
	return false;
}

static void call_decide(struct tool_calls *c, struct tool_call *call, const struct tool *tool, enum tool_calls_how how)
{
	enum approval approval = approval_of(c->approvals, tool);
	struct buf change = { 0 };

	if (approval == APPROVAL_REFUSED) {
		call_finish(c, call, TOOL_RUN_REFUSED, STR("It was not run: the user has not allowed this tool."));
		return;
	}
	if (approval == APPROVAL_CHANGED) {
		approval_write_change(c->approvals, tool, &change);
		call->change = buf_take(&change);
	}
	if (how == TOOL_CALLS_RUN || (how == TOOL_CALLS_ASK && approval == APPROVAL_GIVEN))
		call_start(c, call);
}

static void call_take_up(struct tool_calls *c, struct tool_call *call, const struct part *part, const struct tool *tool, enum tool_calls_how how)
{
	*call = (struct tool_call){
		.call = (unsigned)part->call, .id = mem_dup_z(part->id), .name = mem_dup_z(tool->name), .arguments = str_dup(buf_str(&part->text)),
		.state = TOOL_CALL_ASKS,
		.tool = { .name = mem_dup_z(tool->name), .source = tool->source, .approve = tool->approve, .facts = mem_dup_z(tool->facts),
		          .description = mem_dup_z(tool->description) },
	};
	if (!tool_is_offered(c->set, tool))
		call_finish(c, call, TOOL_RUN_REFUSED, STR("It was not run: this tool is off."));
	else if (call_plan(c, call, tool, buf_str(&part->text)))
		call_decide(c, call, tool, how);
}

static void call_fini(struct tool_call *call)
{
	tool_run_fini(&call->run);
	tool_plan_fini(&call->plan);
	mem_free(call->id);
	mem_free(call->name);
	mem_free(call->arguments);
	mem_free(call->change);
	mem_free(call->tool.name);
	mem_free(call->tool.facts);
	mem_free(call->tool.description);
	buf_fini(&call->result);
}

/* --- all of them --- */

void tool_calls_begin(struct tool_calls *c, const struct turn *answer, const struct tool_set *set, struct approvals *approvals,
                      enum tool_calls_how how)
{
	tool_calls_fini(c);
	*c = (struct tool_calls){ .set = set, .approvals = approvals, .changed = true };
	tool_tape_init(&c->tape, answer->tape, answer->ended_ms, turn_call_count(answer));
	c->items = mem_new((turn_call_count(answer) + 1) * sizeof *c->items); /* they do not move: their runs have callbacks */
	for (unsigned i = 0; i < turn_call_count(answer); i++) {
		const struct part *part = turn_call(answer, i);
		const struct tool *tool = part && part->valid ? tool_set_find(set, str_from(part->name)) : NULL;

		if (!tool || tool->approve == TOOL_NEVER || (tool->source == TOOL_BUILT_IN && !tool_is_offered(set, tool)))
			continue;
		call_take_up(c, &c->items[c->count], part, tool, how);
		c->items[c->count++].of = turn_call_count(answer);
	}
	tool_tape_note(&c->tape, c->items, c->count);
}

void tool_calls_fini(struct tool_calls *c)
{
	for (size_t i = 0; i < c->count; i++)
		call_fini(&c->items[i]);
	tool_tape_fini(&c->tape);
	mem_free(c->items);
	*c = (struct tool_calls){ 0 };
}

const struct tool_call *tool_calls_find(const struct tool_calls *c, unsigned call)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].call == call)
			return &c->items[i];
	return NULL;
}

const struct tool_call *tool_calls_asking(const struct tool_calls *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].state == TOOL_CALL_ASKS)
			return &c->items[i];
	return NULL;
}

static struct tool_call *calls_asked(const struct tool_calls *c, uint64_t shown)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].shown == shown && c->items[i].state == TOOL_CALL_ASKS)
			return &c->items[i];
	return NULL;
}

const struct tool_call *tool_calls_shown(const struct tool_calls *c, uint64_t shown)
{
	return calls_asked(c, shown);
}

/* --- the user's word --- */

#define SAID_BYTES 300u /* of a description: it says what a tool is for, and must not push the plan out of view */

void tool_call_tell(const struct tool_call *call, tool_plan_tell *tell, void *ctx)
{
	struct buf said = { 0 };

	tool_plan_tell_all(&call->plan, tell, ctx);
	if (call->tool.source == TOOL_OF_SERVER && call->tool.description) {
		tool_shown_write_line(str_from(call->tool.description), SAID_BYTES, &said);
		tell(ctx, "server says", buf_str(&said));
	}
	buf_fini(&said);
}

void tool_calls_approve(struct tool_calls *c, uint64_t shown)
{
	struct tool_call *asked = calls_asked(c, shown);

	if (!asked)
		return;
	call_start(c, asked);
	tool_tape_note(&c->tape, c->items, c->count);
}

bool tool_calls_approve_all(struct tool_calls *c, uint64_t shown, struct error *err)
{
	const struct tool_call *asked = calls_asked(c, shown);

	if (!asked)
		return true;
	bool kept = approval_give(c->approvals, &asked->tool, err);
	const char *facts = asked->tool.facts;
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].state == TOOL_CALL_ASKS && str_is(str_from(c->items[i].tool.facts), facts) &&
		    str_is(str_from(c->items[i].name), asked->name))
			call_start(c, &c->items[i]);
	return kept;
}

void tool_calls_refuse(struct tool_calls *c, uint64_t shown, struct str word)
{
	struct tool_call *asked = calls_asked(c, shown);
	struct buf words = { 0 };

	if (!asked)
		return;
	buf_add_z(&words, RESULT_SKIPPED);
	if (str_trim(word).len)
		buf_printf(&words, " The user says: %.*s", STR_ARG(str_trim(word)));
	call_finish(c, asked, TOOL_RUN_REFUSED, buf_str(&words));
	buf_fini(&words);
	tool_tape_note(&c->tape, c->items, c->count);
}

bool tool_calls_edit(struct tool_calls *c, uint64_t shown, struct str arguments, struct error *err)
{
	struct tool_call *asked = calls_asked(c, shown);
	const struct tool *tool = asked ? tool_set_find(c->set, str_from(asked->name)) : NULL;
	struct tool_plan plan;

	if (!tool || !str_is(str_from(tool->facts), asked->tool.facts))
		return error_set(err, "the tool has changed: its calls can be refused, or asked again with /answer");
	if (!tool_plan_make(&plan, tool, arguments, err))
		return false;
	tool_plan_fini(&asked->plan);
	asked->plan = plan;
	asked->plan.media_bytes = c->set->media_bytes;
	asked->shown = ++c->approvals->plans;
	asked->edited = c->changed = true;
	return true;
}

/* --- under way --- */

bool tool_calls_run(const struct tool_calls *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].state == TOOL_CALL_RUNS || c->items[i].state == TOOL_CALL_WAITS)
			return true;
	return false;
}

bool tool_calls_are_over(const struct tool_calls *c)
{
	return !tool_calls_run(c) && !tool_calls_asking(c);
}

void tool_calls_stop(struct tool_calls *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct tool_call *call = &c->items[i];

		if (call->state == TOOL_CALL_RUNS)
			tool_run_stop(&call->run);
		else if (call->state != TOOL_CALL_DONE)
			call_finish(c, call, TOOL_RUN_CUT, STR("It was not run: the user stopped the calls of this answer."));
	}
	tool_tape_note(&c->tape, c->items, c->count);
}

static void tool_call_add_media(const struct tool_call *call, struct turn *question)
{
	for (size_t i = 0; i < call->run.media.count; i++) {
		const struct kept_media *item = &call->run.media.items[i];

		turn_add_media(question, (int)call->call, item->data, buf_str(&item->type));
	}
}

void tool_calls_add_results(const struct tool_calls *c, struct turn *question)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct tool_call *call = &c->items[i];
		struct part *part = turn_add(question, PART_TOOL_RESULT, buf_str(&call->result), str_from(call->id), str_from(call->name));

		part->call = (int)call->call;
		part->is_error = call->outcome != TOOL_RUN_OK;
		tool_call_add_media(call, question);
	}
}

size_t tool_calls_fds(const struct tool_calls *c, struct pollfd *fds, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].state == TOOL_CALL_RUNS)
			count += tool_run_fds(&c->items[i].run, fds + count, room - count);
	return count;
}

int64_t tool_calls_deadline(const struct tool_calls *c, int64_t now_ms)
{
	int64_t first_ms = NO_DEADLINE;

	for (size_t i = 0; i < c->count; i++) {
		int64_t due_ms = c->items[i].state == TOOL_CALL_RUNS ? tool_run_deadline(&c->items[i].run, now_ms) : NO_DEADLINE;

		first_ms = due_ms < first_ms ? due_ms : first_ms;
	}
	return first_ms;
}

void tool_calls_turn(struct tool_calls *c, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	bool ended = false;

	for (size_t i = 0; i < c->count; i++) {
		struct tool_call *call = &c->items[i];

		if (call->state != TOOL_CALL_RUNS)
			continue;
		tool_run_turn(&call->run, fds, count, now_ms);
		c->changed |= call->run.news;
		call->run.news = false;
		call_settle(c, call);
		ended |= call->state == TOOL_CALL_DONE;
	}
	for (size_t i = 0; ended && i < c->count; i++)
		if (c->items[i].state == TOOL_CALL_WAITS)
			call_start(c, &c->items[i]);
	if (c->changed)
		tool_tape_note(&c->tape, c->items, c->count);
}
