/*
 * What the hub's files share: mcp_hub.c (servers and their lists), mcp_call.c (calls), mcp_ask.c (what servers ask for),
 * mcp_offers.c (lists of what is no tool), mcp_fresh.c (how long lists hold), mcp_watch.c (who sees messages), mcp_values.c
 * (values of arguments).
 * Others include app/mcp/mcp_hub.h and mcp_offers.h.
 */
#ifndef WEIR_APP_MCP_HUB_INSIDE_H
#define WEIR_APP_MCP_HUB_INSIDE_H

#include "app/mcp/mcp_offers.h"

struct tool_list { struct mcp_tool *items; size_t count, capacity, left_out; };

struct offer_items { struct mcp_offer *items; size_t count, capacity, left_out; };

struct offer_list {
	struct mcp_hub_entry *entry;
	enum mcp_list list;
	enum mcp_offers_state state;
	bool stale;                  /* it is fetched before the next use, */
	int64_t until_ms;            /* and after that */
	struct offer_items now, fresh;
	struct mcp_call call;        /* which fetches it */
	struct error trouble;
};

struct value_list {          /* all zero: nothing was asked */
	char *question;      /* params of the last one; NULL: none */
	bool asked, more;    /* asked: its answer has not come; more: not all are here */
	char **items;
	size_t count, capacity;
	struct mcp_call call;
};

struct mcp_hub_entry {
	struct mcp_hub *hub;
	const struct mcp_server *server;
	struct mcp_session *session; /* NULL: none */
	struct redact_set secrets;   /* of all its sessions */
	bool dead;                   /* it is freed when it does not run */
	enum mcp_hub_state state;
	bool wanted;                 /* its tools are: the session may have begun for something else */
	bool stale;                  /* the list is fetched before the next use, and soon, */
	int64_t until_ms, again_ms;  /* but not before `again_ms`; after `until_ms` before the next use, too */
	int64_t listening;           /* ticket of the subscription to changes; 0: there is none */
	bool listens_not;            /* the server refuses it */
	bool told;                   /* the failure, or that prompts do not wait for it */
	int64_t hold_ms;             /* until when prompts wait for its list */
	int64_t token;               /* version of the token that was kept then */
	int64_t ticket, due_ms;      /* of the list */
	unsigned pages;
	struct tool_list tools, fresh;
	struct error trouble;
	struct offer_list offers[MCP_LIST_COUNT]; /* but for MCP_TOOLS, whose place is empty */
	struct value_list values;
	struct mcp_call *calls;
	struct mcp_call *sending;    /* whose request is being written; NULL: none is */
	unsigned asked;              /* while calls are under way */
	struct error declined;       /* what it asked and nobody was asked, as a sentence; "": nothing, or it was told */
};

struct mcp_hub {
	struct mcp_hub_options o;
	struct mcp_hub_entry **items;
	size_t count;
	uint64_t changes, offers_changes;
	struct mcp_ask *asks;        /* in the order in which they came */
	uint64_t last_ask;
	struct mcp_watch *watches;
	bool joined;                 /* it is a member of the loop */
	bool wakes;                  /* others look at what has changed in the next turn, and what waits is begun */
};

void mcp_hub_join(struct mcp_hub *hub); /* it runs in the loop's next turn */

/* --- mcp_fresh.c --- */
void mcp_fresh_begin(int64_t *until_ms);             /* a list is asked for */
void mcp_fresh_page(const struct mcp_hub_entry *e, enum mcp_list list, const struct json *result, int64_t *until_ms);
void mcp_fresh_change(struct mcp_hub_entry *e, enum mcp_list list); /* the server says that it is another one */
void mcp_fresh_listen(struct mcp_hub_entry *e);
void mcp_fresh_ended(struct mcp_hub_entry *e, const struct mcp_answer *answer); /* of `listening` */

void mcp_watch_message(struct mcp_hub_entry *e, bool sent, struct str text);

void mcp_offers_init(struct mcp_hub_entry *e);
void mcp_offers_fini(struct mcp_hub_entry *e);
bool mcp_offer_name_is_good(struct str name);       /* one word that shows what it is */
void mcp_values_fini(struct mcp_hub_entry *e);      /* its call is over */

void mcp_call_end(struct mcp_call *call, const struct mcp_answer *answer);
void mcp_calls_fail(struct mcp_hub_entry *e, enum mcp_ending ending, struct str words);
bool mcp_hub_has_session(const struct mcp_hub_entry *e); /* that can be asked */
void mcp_calls_send(struct mcp_hub_entry *e);       /* those that wait for the session, and for the list of tools if it is known */
bool mcp_calls_wait(const struct mcp_hub_entry *e, bool for_tools);
void mcp_ask_take(struct mcp_hub_entry *e, const struct mcp_want *want);
void mcp_ask_drop(struct mcp_hub_entry *e, int64_t number); /* it is not waited for any more */
/* The answer wants pages to be opened before the call. False: it is none of those, or they cannot be shown. */
MUST_USE bool mcp_ask_pages(struct mcp_call *call, const struct mcp_answer *answer);
void mcp_asks_drop_call(struct mcp_call *call);      /* it is over */
void mcp_asks_forget(struct mcp_hub_entry *e);       /* its session has ended */
void mcp_asks_settle(struct mcp_hub_entry *e);       /* none of its calls is under way */
struct mcp_call *mcp_call_of(struct mcp_hub_entry *e, int64_t ticket); /* NULL: it is not of a call */

#endif
