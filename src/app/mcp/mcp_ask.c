/* What servers ask the user for, while it waits for an answer. */
#include "app/mcp/mcp_hub_inside.h"

#include "app/mcp/mcp_form.h"
#include "base/mem.h"

#define DECLINE STR("{\"action\":\"decline\"}")
#define CANCEL STR("{\"action\":\"cancel\"}")

static void ask_free(struct mcp_ask *ask)
{
	mem_free(ask->server);
	mem_free(ask->tool);
	mem_free(ask->params);
	mem_free(ask);
}

static void ask_remove(struct mcp_hub *hub, struct mcp_ask *ask)
{
	struct mcp_ask **at = &hub->asks;

	while (*at != ask)
		at = &(*at)->next;
	*at = ask->next;
	hub->wakes = true;
	ask_free(ask);
}

static void ask_decline(struct mcp_hub_entry *e, const struct mcp_want *want, const char *why)
{
	error_set(&e->declined, "The MCP server %s asked for input, which was declined: %s.", e->server->name, why);
	mcp_session_reply(e->session, want->number, DECLINE);
}

static void ask_add(struct mcp_hub_entry *e, const struct mcp_want *want)
{
	struct mcp_ask *ask = mem_new(sizeof *ask), **at = &e->hub->asks;
	const struct mcp_call *call = want->ticket ? mcp_call_of(e, want->ticket) : NULL;
	struct buf params = { 0 };

	e->asked++;
	json_dump(want->params, &params);
	*ask = (struct mcp_ask){
		.on = e, .id = ++e->hub->last_ask, .number = want->number, .ticket = want->ticket, .server = mem_dup_z(e->server->name),
		.tool = call && !call->method ? mem_dup_z(call->name) : NULL, .params = buf_take(&params),
	};
	while (*at)
		at = &(*at)->next;
	*at = ask;
	e->hub->wakes = true;
}

void mcp_ask_take(struct mcp_hub_entry *e, const struct mcp_want *want)
{
	struct mcp_form form;
	struct error why;

	if (!e->hub->o.asks) {
		ask_decline(e, want, "nobody is there to answer");
	} else if (!e->calls) {
		ask_decline(e, want, "no call of it is under way");
	} else if (e->asked == MCP_ASKS_MOST) {
		error_set(&why, "it has asked %u times already", MCP_ASKS_MOST);
		ask_decline(e, want, why.text);
	} else if (!mcp_form_read(&form, want->params, &why)) {
		ask_decline(e, want, why.text);
	} else {
		mcp_form_fini(&form);
		ask_add(e, want);
	}
}

/* --- pages before a call --- */

static bool pages_can_be_shown(const struct json *pages)
{
	bool good = json_length(pages) > 0;

	for (size_t i = 0; good && i < json_length(pages); i++) {
		struct mcp_form form;
		struct error why;

		good = mcp_form_read(&form, json_at(pages, i), &why);
		good = good && form.is_page;
		mcp_form_fini(&form);
	}
	return good;
}

bool mcp_ask_pages(struct mcp_call *call, const struct mcp_answer *answer)
{
	const struct json *pages = json_get(answer->data, "elicitations");
	struct mcp_hub_entry *e = call->on;

	if (answer->ending != MCP_ERROR || answer->code != RPC_PAGES_FIRST || !e->hub->o.asks ||
	    json_length(pages) > MCP_ASKS_MOST - e->asked || !pages_can_be_shown(pages))
		return false;
	call->ticket = -(int64_t)(e->hub->last_ask + 1);
	call->pages = (unsigned)json_length(pages);
	for (size_t i = 0; i < json_length(pages); i++)
		ask_add(e, &(struct mcp_want){ .ticket = call->ticket, .params = json_at(pages, i) });
	return true;
}

void mcp_asks_drop_call(struct mcp_call *call)
{
	for (struct mcp_ask *ask = call->on->hub->asks, *next; ask; ask = next) {
		next = ask->next;
		if (!ask->number && ask->on == call->on && ask->ticket == call->ticket)
			ask_remove(call->on->hub, ask);
	}
}

/* Sends the call again when all pages were opened. */
static void page_is_answered(struct mcp_call *call, struct str result)
{
	if (str_find(result, STR("\"accept\"")) == result.len)
		mcp_call_end(call, &(struct mcp_answer){
			.ending = MCP_ERROR, .words = STR("the server wants a page to be opened first, and the user did not open it"),
		});
	else if (!--call->pages)
		call->ticket = 0;
}

static struct mcp_ask *ask_of(const struct mcp_hub_entry *e, int64_t number)
{
	for (struct mcp_ask *ask = e->hub->asks; ask; ask = ask->next)
		if (ask->on == e && (!number || ask->number == number))
			return ask;
	return NULL;
}

void mcp_ask_drop(struct mcp_hub_entry *e, int64_t number)
{
	struct mcp_ask *ask = ask_of(e, number);

	if (ask)
		ask_remove(e->hub, ask);
}

void mcp_asks_forget(struct mcp_hub_entry *e)
{
	for (struct mcp_ask *ask; (ask = ask_of(e, 0));)
		ask_remove(e->hub, ask);
	e->asked = 0;
}

void mcp_asks_settle(struct mcp_hub_entry *e)
{
	for (struct mcp_ask *ask; (ask = ask_of(e, 0));)
		mcp_hub_reply(e->hub, ask->id, CANCEL);
	e->asked = 0;
}

/* --- for who answers --- */

void mcp_hub_take_asks(struct mcp_hub *hub, bool asks)
{
	hub->o.asks = asks;
}

const struct mcp_ask *mcp_hub_ask(const struct mcp_hub *hub, uint64_t id)
{
	const struct mcp_ask *ask = hub ? hub->asks : NULL;

	while (ask && id && ask->id != id)
		ask = ask->next;
	return ask;
}

bool mcp_call_asks(const struct mcp_call *call)
{
	for (const struct mcp_ask *ask = call->on ? call->on->hub->asks : NULL; ask; ask = ask->next)
		if (ask->on == call->on && ask->ticket == call->ticket)
			return true;
	return false;
}

void mcp_hub_reply(struct mcp_hub *hub, uint64_t id, struct str result)
{
	struct mcp_ask *ask = hub->asks;

	while (ask && ask->id != id)
		ask = ask->next;
	if (!ask)
		return;
	struct mcp_hub_entry *e = ask->on;
	int64_t number = ask->number;
	struct mcp_call *call = number ? NULL : mcp_call_of(e, ask->ticket);
	ask_remove(hub, ask);
	if (call)
		page_is_answered(call, result);
	else if (number && e->session && !e->dead)
		mcp_session_reply(e->session, number, result);
}
