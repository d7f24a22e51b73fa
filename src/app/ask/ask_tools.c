#include "app/ask/ask_tools.h"

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "app/system/output.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/utf8.h"
#include "chat/conversation/turn.h"

/* Starts the servers of which tools are named, SERVER__TOOL, and waits until their tools are known. */
static bool tools_begin_servers(struct setup *s, struct str names, struct error *err)
{
	struct mcp_hub_server server;
	struct str name;

	while (names.len && str_split(&names, ',', &name))
		for (size_t i = 0; (server = mcp_hub_at(s->servers, i)).server; i++)
			if (server.server->approve != TOOL_NEVER && tool_is_of_server(str_trim(name), server.server->name))
				mcp_hub_want(s->servers, i, false);
	return setup_settle_servers(s, err);
}

static bool tools_refuse(struct setup *s, struct str name, struct error *err)
{
	struct error trouble;

	for (bool told = setup_tell_servers(s, &trouble); told; told = setup_tell_servers(s, &trouble))
		complain("note: %s", trouble.text);
	return names_refuse("tool", name, tool_set_name_at, &s->tool_set, err);
}

bool ask_tools_allow(struct setup *s, struct error *err)
{
	struct str names = str_from(s->options->tools_allow), name;

	if (names.ptr && (str_is_blank(names) || str_ends(str_trim(names), ",")))
		return error_set(err, "--tools-allow needs the names of tools; `weir tools` lists them");
	if (names.ptr && !tools_begin_servers(s, names, err))
		return false;
	while (names.len && str_split(&names, ',', &name)) {
		struct tool *tool = tool_set_find(&s->tool_set, str_trim(name));

		if (!tool)
			return tools_refuse(s, str_trim(name), err);
		if (tool->trouble)
			return error_set(err, "%s", tool->trouble);
		if (tool->approve == TOOL_NEVER)
			return error_set(err, "the tool %s is never to run: its setting `approve` says so", tool->name);
		tool_set_wish(&s->tool_set, tool, TOOL_ON);
	}
	return true;
}

static bool tools_has_other_calls(const struct tool_set *set, const struct turn *answer)
{
	for (unsigned i = 0; i < turn_call_count(answer); i++) {
		const struct part *call = turn_call(answer, i);
		const struct tool *tool = tool_set_find(set, str_from(call->name));

		if (!call->valid || !tool || !tool_is_offered(set, tool))
			return true;
	}
	return turn_call_count(answer) == 0;
}

bool ask_tools_may_run(struct setup *s, const struct turn *answer, unsigned rounds)
{
	long long most = s->settings.tool_rounds ? s->settings.tool_rounds : TOOL_ROUNDS_DEFAULT;

	return s->options->tools_allow && answer->outcome == OUTCOME_TOOL_CALLS && rounds < most &&
	       !tools_has_other_calls(setup_tool_set(s), answer);
}

bool ask_tools_begin(struct ask_tools *t, struct setup *s, const struct turn *answer, struct ask_output *output)
{
	if (!ask_tools_may_run(s, answer, t->rounds))
		return false;
	t->rounds++;
	for (unsigned i = 0; i < turn_call_count(answer); i++)
		ask_output_run_begins(output, turn_call(answer, i));
	tool_calls_begin(&t->calls, answer, &s->tool_set, &s->approvals, TOOL_CALLS_RUN);
	t->told = mem_new((t->calls.count + 1) * sizeof *t->told);
	return true;
}

/* --- under way --- */

static size_t tools_fds(void *tools, struct pollfd *fds, size_t room)
{
	return tool_calls_fds(&((struct ask_tools *)tools)->calls, fds, room);
}

static int64_t tools_deadline(void *tools)
{
	return tool_calls_deadline(&((struct ask_tools *)tools)->calls, clock_now_ms());
}

static void tools_turn(void *tools, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	tool_calls_turn(&((struct ask_tools *)tools)->calls, fds, count, now_ms);
}

/* What a program has written, as it arrives: that is how its result begins. */
static void tools_tell(struct ask_tools *t, struct ask_output *output)
{
	for (size_t i = 0; i < t->calls.count; i++) {
		const struct tool_call *call = &t->calls.items[i];
		struct str news = utf8_arrived(str_skip(buf_str(&call->run.output), t->told[i].output));
		struct buf text = { 0 };

		if (!call->plan.words || !news.len)
			continue;
		(void)utf8_repair(news, &text);
		ask_output_run_writes(output, call, buf_str(&text));
		t->told[i].output += news.len;
		t->told[i].result += text.len;
		buf_fini(&text);
	}
}

void ask_tools_run(struct ask_tools *t, struct loop *loop, const bool *stop, struct ask_output *output)
{
	struct loop_member member = { .ctx = t, .fds = tools_fds, .deadline = tools_deadline, .run = tools_turn };
	bool stopped = false;
	struct error trouble;

	loop_add(loop, &member);
	while (tool_calls_run(&t->calls)) {
		loop_turn(loop);
		tools_tell(t, output);
		if ((*stop || ask_output_is_unheard(output)) && !stopped) {
			tool_calls_stop(&t->calls);
			stopped = true;
		}
	}
	loop_remove(loop, t);
	if (tool_tape_tell(&t->calls.tape, &trouble))
		complain("note: %s", trouble.text);
	for (size_t i = 0; i < t->calls.count; i++) {
		const struct tool_call *call = &t->calls.items[i];

		ask_output_run_writes(output, call, str_skip(buf_str(&call->result), t->told[i].result));
		ask_output_run_ended(output, call);
	}
}

void ask_tools_fini(struct ask_tools *t)
{
	tool_calls_fini(&t->calls);
	mem_free(t->told);
	t->told = NULL;
}
