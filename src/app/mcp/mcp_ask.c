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
		e->asked++;
		ask_add(e, want);
	}
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
	ask_remove(hub, ask);
	if (e->session && !e->dead)
		mcp_session_reply(e->session, number, result);
}
