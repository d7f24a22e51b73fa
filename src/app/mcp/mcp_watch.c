/* Who sees which message of the servers. */
#include "app/mcp/mcp_hub_inside.h"

#include "base/json_scan.h"

/*
 * The number of our request that a message is, answers, or is about. 0: none. A request of the server has a number of its own, and what it is
 * about is not said.
 */
static int64_t message_about(bool sent, struct str text)
{
	struct str method = json_scan_find(text, (const char *const[]){ "method", NULL });
	struct str own = json_scan_find(text, (const char *const[]){ "id", NULL });
	const char *const path[] = { "params", sent ? "requestId" : "progressToken", NULL };
	long long number;

	if (method.len ? own.len && !sent : sent)
		return 0;
	return str_to_int(own.len ? own : json_scan_find(text, path), &number) ? number : 0;
}

/* A request of several rounds has another number in each. */
static struct mcp_call *message_call(struct mcp_hub_entry *e, bool sent, struct str text)
{
	int64_t id = message_about(sent, text);
	struct mcp_call *call = e->sending;

	for (struct mcp_call *c = e->calls; id && c && !call; c = c->next)
		call = c->id == id ? c : NULL;
	if (id && !call && e->session && mcp_session_ticket(e->session, id))
		call = mcp_call_of(e, mcp_session_ticket(e->session, id));
	if (call && id && sent)
		call->id = id;
	return call;
}

void mcp_watch_message(struct mcp_hub_entry *e, bool sent, struct str text)
{
	const struct mcp_call *call = e->hub->watches ? message_call(e, sent, text) : NULL;

	for (struct mcp_watch *w = e->hub->watches, *next; w; w = next) {
		next = w->next;
		w->message(w->ctx, e->server->name, call, sent, text);
	}
}

void mcp_watch_begin(struct mcp_watch *watch, struct mcp_hub *hub)
{
	if (watch->on)
		return;
	watch->on = hub;
	watch->next = hub->watches;
	hub->watches = watch;
}

void mcp_watch_end(struct mcp_watch *watch)
{
	struct mcp_watch **at = watch->on ? &watch->on->watches : NULL;

	if (!at)
		return;
	while (*at != watch)
		at = &(*at)->next;
	*at = watch->next;
	watch->on = NULL;
}
