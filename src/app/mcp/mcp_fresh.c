/* How long lists of servers hold: their time to live, and what is told when one changes. */
#include "app/mcp/mcp_hub_inside.h"

#include "wire/mcp/content.h"

#define LEAST_MS 5000 /* how long a list holds of which nobody says when it changes: a request for it before each prompt is enough */

void mcp_fresh_begin(int64_t *until_ms)
{
	*until_ms = NO_DEADLINE;
}

/* Lists of older revisions have no time to live. */
void mcp_fresh_page(const struct mcp_hub_entry *e, enum mcp_list list, const struct json *result, int64_t *until_ms)
{
	const struct mcp_facts *facts = mcp_session_facts(e->session);
	enum mcp_list told = list == MCP_TEMPLATES ? MCP_RESOURCES : list;
	int64_t ttl_ms = mcp_result_ttl_ms(result), now_ms = clock_now_ms();

	if (!mcp_is_modern(facts->revision) || (!ttl_ms && facts->tells[told] && e->listening))
		return;
	ttl_ms = ttl_ms < LEAST_MS ? LEAST_MS : ttl_ms;
	*until_ms = now_ms + ttl_ms < *until_ms ? now_ms + ttl_ms : *until_ms;
}

void mcp_fresh_change(struct mcp_hub_entry *e, enum mcp_list list)
{
	if (list == MCP_TOOLS)
		e->stale = true;
	e->offers[list].stale = true;
	if (list == MCP_RESOURCES)
		e->offers[MCP_TEMPLATES].stale = true;
	e->hub->wakes = true;
}

/* The subscription of a modern server, which says nothing without one. It is asked for again when something is wanted after it has ended. */
void mcp_fresh_listen(struct mcp_hub_entry *e)
{
	struct buf params = { 0 };

	if (!e->listening && !e->listens_not && mcp_hub_has_session(e) && mcp_write_listen(mcp_session_facts(e->session), &params))
		e->listening = mcp_session_ask(e->session, &(struct mcp_question){
			.method = "subscriptions/listen", .params = buf_str(&params), .stands = true,
		});
	buf_fini(&params);
}

/* What changes from now on is not told. */
void mcp_fresh_ended(struct mcp_hub_entry *e, const struct mcp_answer *answer)
{
	e->listening = 0;
	e->listens_not = answer->ending == MCP_ERROR || answer->ending == MCP_VIOLATION;
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++)
		mcp_fresh_change(e, list);
}
