#include "app/mcp/mcp_hub_inside.h"

#include <string.h>

#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "store/config/mcp_tokens.h"
#include "wire/mcp/content.h"

#define NAME_BYTES 512u   /* of a tool */
#define TOLD_BYTES 300u   /* of a server's sentence */
#define PAGES_MOST 64u    /* of a list */
#define AGAIN_MS 2000     /* a server that says without end that its list is another one */

/* --- lists --- */

static void tool_fini(struct mcp_tool *tool)
{
	mem_free(tool->name);
	mem_free(tool->description);
	mem_free(tool->schema);
	mem_free(tool->output);
}

static void list_fini(struct tool_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		tool_fini(&list->items[i]);
	mem_free(list->items);
	*list = (struct tool_list){ 0 };
}

static void digest_note(struct digest *digest, const char *text)
{
	digest_add(digest, str_from(text ? text : ""));
	digest_add(digest, (struct str){ text ? "\0+" : "\0-", 2 });
}

static void digest_server(struct digest *digest, const struct mcp_server *server)
{
	digest_note(digest, server->name);
	digest_note(digest, server->command);
	digest_note(digest, server->url);
	for (size_t i = 0; server->env && server->env[i]; i++)
		digest_note(digest, server->env[i]);
}

static void tool_note_digest(struct mcp_tool *tool, const struct mcp_server *server)
{
	struct digest *digest = digest_new();

	digest_server(digest, server);
	digest_note(digest, tool->name);
	digest_note(digest, tool->description);
	digest_note(digest, tool->schema);
	digest_note(digest, tool->output);
	digest_hex_so_far(digest, tool->digest);
	digest_free(digest);
}

/* NULL: it is no object, or too large. */
static char *tool_dump(const struct json *value)
{
	struct buf text;

	if (json_kind(value) != JSON_OBJECT)
		return NULL;
	buf_init(&text, MCP_HUB_TOOL_BYTES);
	json_dump(value, &text);
	if (json_scan_is_whole(buf_str(&text)))
		return buf_take(&text);
	buf_fini(&text);
	return NULL;
}

/* False: it cannot be used. */
static bool list_take_tool(struct mcp_hub_entry *e, const struct json *value)
{
	struct tool_list *list = &e->fresh;
	struct mcp_item item;
	struct error why;

	if (list->count >= MCP_HUB_TOOLS || !mcp_item_read(value, &item) || item.name.len > NAME_BYTES ||
	    item.description.len > MCP_HUB_TOOL_BYTES || memchr(item.name.ptr, '\0', item.name.len) ||
	    (e->server->url && !mcp_tool_headers_check(item.input, &why)))
		return false;
	struct mcp_tool tool = {
		.name = str_dup(item.name), .description = item.description.len ? str_dup(item.description) : NULL,
		.schema = tool_dump(item.input), .output = tool_dump(item.output),
	};
	if (tool.schema && !item.output == !tool.output) {
		tool_note_digest(&tool, e->server);
		*ARRAY_ADD(list->items, list->count, list->capacity) = tool;
		return true;
	}
	tool_fini(&tool);
	return false;
}

static void list_take_page(struct mcp_hub_entry *e, const struct json *result)
{
	const struct json *tools = json_get(result, mcp_list_member(MCP_TOOLS));

	for (size_t i = 0; i < json_length(tools); i++)
		e->fresh.left_out += !list_take_tool(e, json_at(tools, i));
}

/* --- one server --- */

static void entry_note(struct mcp_hub_entry *e, enum mcp_hub_state state)
{
	e->state = state;
	e->hub->changes++;
	e->hub->wakes = true;
}

static void entry_drop_session(struct mcp_hub_entry *e)
{
	mcp_asks_forget(e);
	(void)mcp_session_free(e->session, NULL); /* without a tape it cannot fail */
	e->session = NULL;
	e->dead = e->listens_not = false;
	e->ticket = e->listening = 0;
}

bool mcp_hub_has_session(const struct mcp_hub_entry *e)
{
	return e->session && !e->dead && mcp_session_is_ready(e->session);
}

static int64_t entry_token(const struct mcp_hub_entry *e)
{
	return e->server->url ? mcp_token_version(e->server->url) : 0;
}

/* The session cannot go on. While its list was fetched, the server counts as one that has none. */
static void entry_fail(struct mcp_hub_entry *e, enum mcp_ending ending, struct str words)
{
	bool known = e->state == MCP_HUB_KNOWN || !e->wanted;

	words = str_without_stop(str_head(str_trim(words), TOLD_BYTES));
	error_set(&e->trouble, "%.*s", STR_ARG(words));
	e->dead = e->stale = true;
	e->wanted = false;
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++)
		e->offers[list].stale = true;
	list_fini(&e->fresh);
	if (!known) {
		list_fini(&e->tools);
		e->told = false;
	}
	e->token = entry_token(e);
	entry_note(e, known ? MCP_HUB_IDLE : MCP_HUB_FAILED);
	mcp_calls_fail(e, ending, str_from(e->trouble.text));
}

static void entry_ask_list(struct mcp_hub_entry *e)
{
	e->state = MCP_HUB_LISTS;
	e->pages = 0;
	list_fini(&e->fresh);
	e->ticket = mcp_session_ask(e->session, &(struct mcp_question){ .method = mcp_list_method(MCP_TOOLS) });
	if (!e->ticket)
		entry_fail(e, MCP_ERROR, STR("too many requests are under way"));
}

static void entry_know(struct mcp_hub_entry *e)
{
	list_fini(&e->tools);
	e->tools = e->fresh;
	e->fresh = (struct tool_list){ 0 };
	e->stale = false;
	e->ticket = e->due_ms = 0;
	e->again_ms = clock_now_ms() + AGAIN_MS;
	entry_note(e, MCP_HUB_KNOWN);
	mcp_calls_send(e);
}

static void entry_find_tools(struct mcp_hub_entry *e)
{
	e->due_ms = clock_now_ms() + e->server->timeout_ms;
	mcp_fresh_begin(&e->until_ms);
	if (mcp_session_facts(e->session)->offers[MCP_TOOLS])
		entry_ask_list(e);
	else
		entry_know(e);
}

static void hub_ready(void *ctx)
{
	struct mcp_hub_entry *e = ctx;

	mcp_fresh_listen(e);
	if (e->state != MCP_HUB_BEGINS && e->state != MCP_HUB_IDLE) /* it was begun anew; what is under way is asked again by itself */
		e->stale = true;
	else if (e->wanted)
		entry_find_tools(e);
	else
		entry_note(e, MCP_HUB_IDLE);
}

static void hub_failed(void *ctx, enum mcp_ending ending, struct str words)
{
	struct mcp_hub_entry *e = ctx;

	if (!e->dead)
		entry_fail(e, ending, words);
}

static void hub_take_list(struct mcp_hub_entry *e, const struct mcp_answer *answer)
{
	if (answer->result) {
		list_take_page(e, answer->result);
		mcp_fresh_page(e, MCP_TOOLS, answer->result, &e->until_ms);
	}
	if (answer->ending == MCP_COMPLETE)
		entry_know(e);
	else if (answer->ending != MCP_PAGE)
		entry_fail(e, answer->ending, answer->words);
	else if (++e->pages >= PAGES_MOST)
		entry_fail(e, MCP_VIOLATION, STR("the list of its tools has no end"));
}

static void hub_answer(void *ctx, int64_t ticket, const struct mcp_answer *answer)
{
	struct mcp_hub_entry *e = ctx;
	struct mcp_call *call = mcp_call_of(e, ticket);

	if (e->dead)
		return;
	if (ticket == e->listening)
		mcp_fresh_ended(e, answer);
	else if (ticket == e->ticket)
		hub_take_list(e, answer);
	else if (call && answer->ending != MCP_PAGE && !mcp_ask_pages(call, answer))
		mcp_call_end(call, answer);
	else if (call && call->sink.page)
		call->sink.page(call->sink.ctx, answer->result);
}

static void hub_progress(void *ctx, int64_t ticket, const struct mcp_progress *progress)
{
	struct mcp_call *call = mcp_call_of(ctx, ticket);

	if (call && call->sink.progress) {
		call->on->hub->wakes = true;
		call->sink.progress(call->sink.ctx, progress);
	}
}

static void hub_changed(void *ctx, enum mcp_list list)
{
	struct mcp_hub_entry *e = ctx;

	mcp_fresh_change(e, list);
}

static void hub_want(void *ctx, const struct mcp_want *want)
{
	mcp_ask_take(ctx, want);
}

static void hub_unwanted(void *ctx, int64_t number)
{
	mcp_ask_drop(ctx, number);
}

static void hub_notice(void *ctx, struct str words)
{
	(void)ctx, (void)words; /* `weir mcp` tells them */
}

static void hub_message(void *ctx, bool sent, struct str text)
{
	mcp_watch_message(ctx, sent, text);
}

static void entry_begin(struct mcp_hub_entry *e)
{
	const struct mcp_hub_options *o = &e->hub->o;
	const struct mcp_session_options options = {
		.server = e->server, .http = o->http, .env = o->env, .allow_http = o->allow_http, .revision = MCP_REVISION_COUNT,
		.shows_pages = true, .secrets = &e->secrets,
	};
	const struct mcp_session_sink sink = {
		.ctx = e, .ready = hub_ready, .failed = hub_failed, .answer = hub_answer, .progress = hub_progress, .changed = hub_changed,
		.want = hub_want, .unwanted = hub_unwanted, .notice = hub_notice, .message = hub_message,
	};
	struct error err = { "it has neither command nor url" };

	e->due_ms = clock_now_ms() + MCP_DISCOVER_MS + e->server->timeout_ms;
	e->session = e->server->command || e->server->url ? mcp_session_new(&options, &sink, &err) : NULL;
	entry_note(e, MCP_HUB_BEGINS);
	if (!e->session)
		entry_fail(e, MCP_ERROR, str_from(err.text));
}

/* A server that has much to do with a call may be late with a list, which would end both: what nobody said is wrong can wait. */
static bool entry_is_old(const struct mcp_hub_entry *e)
{
	return e->stale || (!e->calls && clock_now_ms() >= e->until_ms);
}

/* Its list is on the way. */
static bool entry_fetches(const struct mcp_hub_entry *e)
{
	return (e->state == MCP_HUB_BEGINS && e->wanted) || e->state == MCP_HUB_LISTS;
}

/* Begins what leads to a list that is up to date. No effect if it is, or is on the way. */
static void entry_want(struct mcp_hub_entry *e)
{
	if (e->dead)
		entry_drop_session(e);
	if (!e->wanted || !entry_fetches(e)) {
		e->hold_ms = clock_now_ms() + MCP_HOLD_MS;
		e->told &= e->state == MCP_HUB_FAILED;
	}
	e->wanted = true;
	mcp_fresh_listen(e);
	if (mcp_hub_has_session(e) && (e->state == MCP_HUB_IDLE || (e->state == MCP_HUB_KNOWN && entry_is_old(e))))
		entry_find_tools(e);
	else if (!e->session && (e->state == MCP_HUB_IDLE || e->state == MCP_HUB_FAILED))
		entry_begin(e);
}

/* The list is another one, and nobody waits for it: an open chat shows it. */
static bool entry_refreshes(const struct mcp_hub_entry *e)
{
	return e->wanted && e->stale && !e->calls && e->state == MCP_HUB_KNOWN && mcp_hub_has_session(e);
}

static void entry_run(struct mcp_hub_entry *e, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	if (e->session && !e->dead) {
		struct loop_member member = mcp_session_member(e->session);

		member.run(member.ctx, fds, count, now_ms);
	}
	if (!e->dead && (e->state == MCP_HUB_BEGINS || e->state == MCP_HUB_LISTS) && now_ms >= e->due_ms)
		entry_fail(e, MCP_STALLED, STR("its tools did not come in time (the setting `timeout`)"));
	if (e->dead)
		entry_drop_session(e);
	mcp_calls_send(e);
	if (mcp_calls_wait(e, true))
		entry_want(e);
	else if (mcp_calls_wait(e, false) && !e->session)
		entry_begin(e);
	else if (entry_refreshes(e) && now_ms >= e->again_ms)
		entry_find_tools(e);
}

/* --- the loop --- */

static size_t hub_fds(void *ctx, struct pollfd *fds, size_t room)
{
	const struct mcp_hub *hub = ctx;
	size_t count = 0;

	for (size_t i = 0; i < hub->count; i++)
		if (hub->items[i]->session && !hub->items[i]->dead) {
			struct loop_member member = mcp_session_member(hub->items[i]->session);

			count += member.fds(member.ctx, fds + count, room - count);
		}
	return count;
}

static int64_t hub_deadline(void *ctx)
{
	const struct mcp_hub *hub = ctx;
	int64_t first_ms = NO_DEADLINE, now_ms = clock_now_ms();

	if (hub->wakes)
		return 0;
	for (size_t i = 0; i < hub->count; i++) {
		const struct mcp_hub_entry *e = hub->items[i];
		bool fetches = e->state == MCP_HUB_BEGINS || e->state == MCP_HUB_LISTS;
		int64_t due_ms = NO_DEADLINE;

		if (e->session && !e->dead) {
			struct loop_member member = mcp_session_member(e->session);

			due_ms = member.deadline(member.ctx);
		}
		due_ms = fetches && e->due_ms < due_ms ? e->due_ms : due_ms;
		due_ms = fetches && e->hold_ms > now_ms && e->hold_ms < due_ms ? e->hold_ms : due_ms;
		due_ms = entry_refreshes(e) && e->again_ms < due_ms ? e->again_ms : due_ms;
		first_ms = due_ms < first_ms ? due_ms : first_ms;
	}
	return first_ms;
}

static void hub_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct mcp_hub *hub = ctx;

	hub->wakes = false;
	for (size_t i = 0; i < hub->count; i++)
		entry_run(hub->items[i], fds, count, now_ms);
}

void mcp_hub_join(struct mcp_hub *hub)
{
	const struct loop_member member = { .ctx = hub, .fds = hub_fds, .deadline = hub_deadline, .run = hub_run };

	hub->wakes = true;
	if (hub->joined)
		return;
	hub->joined = true;
	loop_add(hub->o.loop, &member);
}

/* --- the hub --- */

struct mcp_hub *mcp_hub_new(const struct mcp_hub_options *options)
{
	struct mcp_hub *hub = mem_new(sizeof *hub);

	hub->o = *options;
	return hub;
}

static void entry_free(struct mcp_hub_entry *e)
{
	mcp_calls_fail(e, MCP_CUT, STR("weir.conf was read again"));
	entry_drop_session(e);
	list_fini(&e->tools);
	list_fini(&e->fresh);
	mcp_offers_fini(e);
	mcp_values_fini(e);
	redact_set_fini(&e->secrets);
	mem_free(e);
}

void mcp_hub_free(struct mcp_hub *hub)
{
	if (!hub)
		return;
	if (hub->joined)
		loop_remove(hub->o.loop, hub);
	for (size_t i = 0; i < hub->count; i++)
		entry_free(hub->items[i]);
	mem_free(hub->items);
	while (hub->watches)
		mcp_watch_end(hub->watches);
	mem_free(hub);
}

/*
 * The list, until it is fetched: a call that was shown another server does not find its tool by the digest. And the secrets: a key may have been
 * replaced.
 */
static void entry_keep(struct mcp_hub_entry *e, struct mcp_hub_entry *old)
{
	e->tools = old->tools;
	old->tools = (struct tool_list){ 0 };
	redact_set_add_all(&e->secrets, &old->secrets);
	for (size_t i = 0; i < e->tools.count; i++)
		tool_note_digest(&e->tools.items[i], e->server);
}

static struct mcp_hub_entry *entry_new(struct mcp_hub *hub, const struct mcp_server *server)
{
	struct mcp_hub_entry *e = mem_new(sizeof *e);

	*e = (struct mcp_hub_entry){ .hub = hub, .server = server, .stale = true };
	mcp_offers_init(e);
	return e;
}

void mcp_hub_read(struct mcp_hub *hub, const struct mcp_servers *servers)
{
	struct mcp_hub_entry **old = hub->items;
	size_t count = hub->count;

	hub->items = mem_new((servers->count + 1) * sizeof *hub->items);
	hub->count = servers->count;
	for (size_t i = 0; i < servers->count; i++) {
		for (size_t k = 0; k < count; k++)
			if (old[k] && old[k]->server == servers->items[i]) {
				hub->items[i] = old[k];
				old[k] = NULL;
			}
		if (!hub->items[i])
			hub->items[i] = entry_new(hub, servers->items[i]);
		for (size_t k = 0; k < count; k++)
			if (old[k] && !strcmp(old[k]->server->name, servers->items[i]->name))
				entry_keep(hub->items[i], old[k]);
	}
	for (size_t k = 0; k < count; k++)
		if (old[k])
			entry_free(old[k]);
	mem_free(old);
	hub->changes++;
	hub->wakes = true;
}

struct mcp_hub_server mcp_hub_at(const struct mcp_hub *hub, size_t index)
{
	const struct mcp_hub_entry *e = index < hub->count ? hub->items[index] : NULL;

	if (!e)
		return (struct mcp_hub_server){ 0 };
	return (struct mcp_hub_server){
		.server = e->server, .state = e->state, .tools = e->tools.items, .count = e->tools.count, .left_out = e->tools.left_out,
		.trouble = e->trouble.text,
	};
}

uint64_t mcp_hub_changes(const struct mcp_hub *hub)
{
	return hub->changes;
}

void mcp_hub_want(struct mcp_hub *hub, size_t index, bool again)
{
	struct mcp_hub_entry *e = index < hub->count ? hub->items[index] : NULL;

	if (!e || (e->state == MCP_HUB_FAILED && !again && e->token == entry_token(e)))
		return;
	mcp_hub_join(hub);
	entry_want(e);
}

bool mcp_hub_waits(const struct mcp_hub *hub)
{
	for (size_t i = 0; i < hub->count; i++)
		if (entry_fetches(hub->items[i]))
			return true;
	return false;
}

bool mcp_hub_holds(const struct mcp_hub *hub, struct buf *names)
{
	int64_t now_ms = clock_now_ms();
	size_t count = 0;

	for (size_t i = 0; i < hub->count; i++)
		if (entry_fetches(hub->items[i]) && now_ms < hub->items[i]->hold_ms)
			buf_printf(names, "%s%s", count++ ? ", " : "", hub->items[i]->server->name);
	return count;
}

void mcp_hub_forget_declined(struct mcp_hub *hub)
{
	for (size_t i = 0; i < hub->count; i++)
		hub->items[i]->declined = (struct error){ "" };
}

bool mcp_hub_tell(struct mcp_hub *hub, struct error *sentence)
{
	for (size_t i = 0; i < hub->count; i++) {
		struct mcp_hub_entry *e = hub->items[i];

		if (*e->declined.text) {
			*sentence = e->declined;
			e->declined = (struct error){ "" };
			return true;
		}
		bool late = entry_fetches(e) && e->hold_ms && clock_now_ms() >= e->hold_ms;
		if ((e->state != MCP_HUB_FAILED && !late) || e->told)
			continue;
		e->told = true;
		if (late)
			error_set(sentence, "The MCP server %s has not answered yet: %s.", e->server->name,
			          e->tools.count ? "this request has the tools that it had before" : "its tools are not in this request");
		else
			error_set(sentence, "The MCP server %s has no tools here: %s.", e->server->name, e->trouble.text);
		return true;
	}
	return false;
}
