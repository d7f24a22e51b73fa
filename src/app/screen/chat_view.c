/* What panes may read, filled in for each frame. */
#include "app/screen/chat_inside.h"

#include <stdio.h>

#include "app/keep/budget.h"
#include "app/session/played_runs.h"
#include "app/session/session_prompts.h"
#include "app/session/session_runs.h"
#include "app/session/session_tree.h"
#include "app/setup/setup.h"
#include "base/array.h"
#include "chat/conversation/turn.h"

/* What a tool of the server does, by a word in its name. */
static enum view_state chat_tool_state(struct str name)
{
	static const struct { const char *word; enum view_state state; } tools[] = {
		{ "search", VIEW_SEARCHING }, { "fetch", VIEW_SEARCHING }, { "visit", VIEW_SEARCHING }, { "code", VIEW_RUNNING_CODE },
		{ "python", VIEW_RUNNING_CODE }, { "shell", VIEW_RUNNING_CODE }, { "bash", VIEW_RUNNING_CODE }, { "image", VIEW_DRAWING },
	};

	for (size_t i = 0; i < ARRAY_LEN(tools); i++)
		if (str_find(name, str_from(tools[i].word)) < name.len)
			return tools[i].state;
	return VIEW_STREAMING;
}

/* The newest part that may grow decides; an image that is still coming is being drawn. */
static enum view_state chat_streaming_state(const struct turn *t)
{
	for (size_t i = t->part_count; i > t->open_from; i--) {
		const struct part *part = &t->parts[i - 1];

		if (!part->open)
			continue;
		if (part->kind == PART_SERVER_TOOL)
			return chat_tool_state(str_from(part->name));
		return part->kind == PART_MEDIA && part->media_kind == MEDIA_IMAGE ? VIEW_DRAWING : VIEW_STREAMING;
	}
	return VIEW_STREAMING;
}

static enum view_state chat_view_state(const struct chat *c)
{
	static const enum view_state states[] = {
		[EXCHANGE_HELD] = VIEW_WAITING, [EXCHANGE_KEY] = VIEW_KEY, [EXCHANGE_CONNECTING] = VIEW_CONNECTING, [EXCHANGE_WAITING] = VIEW_WAITING,
		[EXCHANGE_STREAMING] = VIEW_STREAMING, [EXCHANGE_RETRYING] = VIEW_RETRYING, [EXCHANGE_OVER] = VIEW_READY,
	};
	const struct exchange *x = session_exchange(c->session);
	const struct turn *live = session_live(c->session);

	if (!live)
		return session_runs_tools(c->session) ? VIEW_RUNNING_TOOLS : VIEW_READY;
	if (c->replay)
		return player_paused(session_player(c->session)) ? VIEW_PAUSED : VIEW_REPLAYING;
	if (!x)
		return VIEW_READY;
	return exchange_state(x) == EXCHANGE_STREAMING ? chat_streaming_state(live) : states[exchange_state(x)];
}

static bool has_parameters(const struct parameters *own)
{
	bool any = false;

	for (int i = 0; i < PARAMETER_COUNT; i++)
		any |= i != PARAMETER_REASONING && i != PARAMETER_SERVER_TOOLS && parameter_is_set(own, (enum parameter)i);
	return any;
}

/* What the next request carries besides the conversation. */
static struct view_set set_of(const struct setup *s)
{
	return (struct view_set){
		.role = s->role.role ? s->role.role->name : NULL, .parameters = has_parameters(&s->parameters),
		.system = setup_system(s).len > 0, .schema = setup_has_schema(s),
		.tools = setup_has_tools(s), .tool_count = setup_tool_count(s),
		.reasoning = reasoning_level_name(setup_reasoning(s)), .server_tools = setup_server_tools(s),
	};
}

/* The first ones, which go next, and the last one, which Up takes out. */
static void fill_queue(const struct chat *c, struct view *view)
{
	view->queued = session_queued(c->session);
	for (unsigned i = 0; i < VIEW_QUEUED_SHOWN && i < view->queued; i++) {
		struct view_queued *row = &view->queue[i];
		unsigned index = i + 1 < VIEW_QUEUED_SHOWN ? i : view->queued - 1;

		row->number = index + 1;
		row->prompt = session_queued_at(c->session, index, &row->files);
	}
	if (chat_input_is_empty(c))
		view->queued_keys = view->live || view->run_count ? "Up edit"
		                    : chat_escapes_twice(c) ? "Up edit   Esc Esc take back   Enter go on" : "Up edit   Esc take back   Enter go on";
	else if (!view->live && !view->run_count && c->stack.focus == c->prompt && !cards_are_open(&c->cards) && !session_is_editing(c->session))
		view->queued_keys = "Enter sends the first";
}

static void fill_runs(const struct chat *c, struct view *view, int64_t now_ms)
{
	const struct tool_calls *calls = session_runs(c->session);

	for (size_t i = 0; i < calls->count && view->run_count < VIEW_RUNS_SHOWN; i++) {
		const struct tool_call *call = &calls->items[i];

		if (call->state == TOOL_CALL_RUNS)
			view->runs[view->run_count++] = (struct view_run){
				.call = call->call, .name = call->name,
				.state = call->run.stopped || call->run.late ? "stopping" : mcp_call_asks(&call->run.call) ? "asks you" : "running",
				.output = buf_str(call->run.output.len ? &call->run.output : &call->run.errors),
				.share = call->plan.hub ? call->run.share : NULL, .ms = tool_run_ms(&call->run, now_ms),
			};
	}
}

void chat_read_budget(struct chat *c, int64_t now_ms)
{
	struct buf words = { 0 };

	if (now_ms < c->budget_due_ms)
		return;
	c->budget_due_ms = NO_DEADLINE;
	struct budget budget = budget_of_chat(c->setup, c->host.keep);
	if (budget_is_near(&budget))
		budget_write(&budget, &words);
	snprintf(c->budget, sizeof c->budget, "%s", words.len ? buf_z(&words) : "");
	buf_fini(&words);
}

void chat_fill_view(const struct chat *c, struct view *view)
{
	const struct exchange *x = session_exchange(c->session);
	const struct target *target = &c->setup->target;
	const struct edit *input = &c->composer.input;
	int64_t now_ms = clock_now_ms();

	*view = (struct view){
		.conversation = session_conversation(c->session),
		.live = session_live(c->session),
		.state = chat_view_state(c),
		.provider = str_from(target->provider->name),
		.model = str_from(target->model),
		.protocol = str_from(target->protocol->name),
		.message = now_ms < c->message_until_ms ? c->message : NULL,
		.message_is_error = c->message_severity == SEVERITY_ERROR,
		.budget = *c->budget ? c->budget : NULL,
		.unkept = c->replay ? NULL : keep_unkept(c->host.keep),
		.replay = c->replay != NULL, .of_messages = session_plays_messages(c->session),
		.is_demo = provider_is_demo(target->provider),
		.look = &c->look,
		.hits = transcript_marks(c->transcript),
		.pictures = &c->pictures.found,
		.help_key = c->stack.focus != c->prompt || (edit_is_empty(input) && !edit_takes_commands(input)) ? "?" : host_key(&c->host, "help"),
	};
	unsigned help_columns = (unsigned)utf8_width(str_from(host_key(&c->host, "help")));
	view->help_key_columns = help_columns ? help_columns : 1;
	if (session_player(c->session))
		played_runs_show(session_played_runs(c->session), player_position_ms(session_player(c->session), now_ms), view);
	else
		fill_runs(c, view, now_ms);
	fill_queue(c, view);
	if (!view->live) {
		view->set = set_of(c->setup);
		view->context_tokens = c->models.known.terms.context_tokens;
		view->context_is_rough = c->models.known.terms.context_is_rough;
	}
	view->findings = c->replay ? player_found(session_player(c->session)) : x ? findings_count(exchange_findings(x)) : 0;
	if (!view->live || (!x && !c->replay))
		return;
	double elapsed = c->replay ? player_position_ms(session_player(c->session), now_ms) : exchange_elapsed_ms(x, now_ms);
	view->at_ms = (double)((int64_t)(elapsed / CHAT_FIGURES_MS) * CHAT_FIGURES_MS);
	view->exact = c->replay && player_paused(session_player(c->session));
	if (c->replay)
		return;
	struct exchange_retry retry;
	exchange_retry(x, now_ms, &retry);
	view->retry_ms = retry.left_ms;
	view->quiet_ms = exchange_state(x) == EXCHANGE_HELD ? 0 : exchange_quiet_ms(x, now_ms); /* it is not the server that is silent */
	view->quiet_limit_ms = exchange_quiet_limit_ms(x);
}
