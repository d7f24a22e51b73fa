/* Calls of tools of MCP servers, and other requests. */
#include "app/mcp/mcp_hub_inside.h"

#include <string.h>

#include "base/mem.h"
#include "wire/mcp/content.h"

static void call_unlink(struct mcp_call *call)
{
	struct mcp_call **at = &call->on->calls;

	while (*at != call)
		at = &(*at)->next;
	*at = call->next;
	mcp_asks_drop_call(call);
	if (!call->on->calls)
		mcp_asks_settle(call->on);
	call->on = NULL;
	mem_free(call->name);
	mem_free(call->digest);
	mem_free(call->arguments);
	call->name = call->digest = call->arguments = NULL;
}

void mcp_call_end(struct mcp_call *call, const struct mcp_answer *answer)
{
	call->on->hub->wakes = true;
	call_unlink(call);
	call->sink.ended(call->sink.ctx, answer);
}

void mcp_calls_fail(struct mcp_hub_entry *e, enum mcp_ending ending, struct str words)
{
	while (e->calls)
		mcp_call_end(e->calls, &(struct mcp_answer){ .ending = ending, .words = words });
}

static const struct mcp_tool *call_find_tool(const struct mcp_call *call)
{
	const struct tool_list *list = &call->on->tools;

	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->items[i].name, call->name) && !strcmp(list->items[i].digest, call->digest))
			return &list->items[i];
	return NULL;
}

static void call_write_headers(const struct mcp_tool *tool, struct str arguments, struct buf *lines)
{
	struct json_parser *schema = json_parser_new(), *object = json_parser_new();
	size_t used;

	mcp_tool_headers_write(json_parse(schema, str_from(tool->schema), &used), json_parse(object, arguments, &used), lines);
	json_parser_free(schema);
	json_parser_free(object);
}

static void call_ask(struct mcp_call *call, const struct mcp_question *question)
{
	call->on->sending = call;
	call->ticket = mcp_session_ask(call->on->session, question);
	call->on->sending = NULL;
	if (!call->ticket)
		mcp_call_end(call, &(struct mcp_answer){ .ending = MCP_ERROR, .words = STR("too many requests to this server are under way") });
}

static void call_send_tool(struct mcp_call *call)
{
	const struct mcp_tool *tool = call_find_tool(call);
	struct buf params = { 0 }, headers = { 0 };

	if (!tool) {
		mcp_call_end(call, &(struct mcp_answer){
			.ending = MCP_ERROR, .words = STR("the server has no such tool any more, or another one of that name"),
		});
		return;
	}
	mcp_write_call(str_from(call->name), str_from(call->arguments), &params);
	if (call->on->server->url)
		call_write_headers(tool, str_from(call->arguments), &headers);
	call_ask(call, &(struct mcp_question){
		.method = "tools/call", .params = buf_str(&params), .name = str_from(call->name), .headers = buf_str(&headers), .progress = true,
	});
	buf_fini(&params);
	buf_fini(&headers);
}

static bool call_can_be_sent(const struct mcp_call *call)
{
	return mcp_hub_has_session(call->on) && (call->method || (call->on->state == MCP_HUB_KNOWN && !call->on->stale));
}

/* A request of a kind that the server does not offer would be refused. */
static bool call_is_offered(const struct mcp_call *call)
{
	const struct mcp_facts *facts = mcp_session_facts(call->on->session);
	bool known = false, offered = false;

	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++) {
		struct str kind = str_from(mcp_list_capability(list));
		bool is = str_equal(str_head(str_from(call->method), kind.len), kind);

		known |= is;
		offered |= is && facts->offers[list];
	}
	if (str_starts(str_from(call->method), "completion/"))
		return facts->completes;
	return !known || offered;
}

static void call_send_other(struct mcp_call *call)
{
	struct error words;

	if (call_is_offered(call)) {
		call_ask(call, &(struct mcp_question){
			.method = call->method, .params = str_from(call->arguments), .name = call->name ? str_from(call->name) : STR_NONE,
		});
		return;
	}
	error_set(&words, "the server offers no %.*s", (int)strcspn(call->method, "/"), call->method);
	mcp_call_end(call, &(struct mcp_answer){ .ending = MCP_ERROR, .words = str_from(words.text) });
}

/* One that ends takes itself out of the list. */
void mcp_calls_send(struct mcp_hub_entry *e)
{
	for (struct mcp_call *call = e->calls, *next; call; call = next) {
		next = call->next;
		if (call->ticket || !call_can_be_sent(call))
			continue;
		if (call->method)
			call_send_other(call);
		else
			call_send_tool(call);
	}
}

bool mcp_calls_wait(const struct mcp_hub_entry *e, bool for_tools)
{
	for (const struct mcp_call *call = e->calls; call; call = call->next)
		if (!call->ticket && !call->method == for_tools)
			return true;
	return false;
}

struct mcp_call *mcp_call_of(struct mcp_hub_entry *e, int64_t ticket)
{
	for (struct mcp_call *call = e->calls; call; call = call->next)
		if (call->ticket == ticket)
			return call;
	return NULL;
}

static bool call_begin(struct mcp_call *call, struct mcp_hub *hub, const char *server, const struct mcp_call *with, struct error *err)
{
	for (size_t i = 0; i < hub->count; i++) {
		struct mcp_hub_entry *e = hub->items[i];

		if (strcmp(e->server->name, server) != 0)
			continue;
		*call = (struct mcp_call){
			.next = e->calls, .on = e, .method = with->method, .name = with->name ? mem_dup_z(with->name) : NULL,
			.digest = with->digest ? mem_dup_z(with->digest) : NULL, .arguments = mem_dup_z(with->arguments), .sink = with->sink,
		};
		e->calls = call;
		mcp_hub_join(hub);
		return true;
	}
	return error_set(err, "weir.conf has no MCP server %s any more", server);
}

bool mcp_call_start(struct mcp_call *call, struct mcp_hub *hub, const char *server, const char *tool, const char *digest,
                    const char *arguments, const struct mcp_call_sink *sink, struct error *err)
{
	return call_begin(call, hub, server, &(struct mcp_call){
		.name = (char *)tool, .digest = (char *)digest, .arguments = (char *)arguments, .sink = *sink,
	}, err);
}

bool mcp_call_ask(struct mcp_call *call, struct mcp_hub *hub, const char *server, const char *method, const char *name, const char *params,
                  const struct mcp_call_sink *sink, struct error *err)
{
	return call_begin(call, hub, server, &(struct mcp_call){
		.method = method, .name = (char *)name, .arguments = (char *)params, .sink = *sink,
	}, err);
}

void mcp_call_cancel(struct mcp_call *call, struct str why)
{
	struct mcp_hub_entry *e = call->on;

	if (!e)
		return;
	if (call->ticket && e->session && !e->dead)
		mcp_session_cancel(e->session, call->ticket, why);
	call_unlink(call);
}
