/*
 * The MCP servers of the settings: what their tools are, calls to them, and other requests. A server is started when something of it is wanted
 * for the first time, never before; its session is kept open, and ends with the hub or when its settings have changed.
 *
 * The list of a server is kept. It is fetched again before the next use when the server said that it is another one, and whenever a session
 * begins. A call names what was shown of its tool (its digest): if the server has another tool of that name by then, nothing is called.
 *
 * All of a server's texts are untrusted. Limits: MCP_HUB_TOOLS tools of MCP_HUB_TOOL_BYTES each are kept; a list has the server's timeout in all.
 */
#ifndef WEIR_APP_MCP_HUB_H
#define WEIR_APP_MCP_HUB_H

#include "app/mcp/mcp_session.h"
#include "base/digest.h"

#define MCP_HUB_TOOLS 256u
#define MCP_HUB_TOOL_BYTES ((size_t)128 << 10) /* of its texts */

struct mcp_hub_options {
	struct http *http;
	struct loop *loop;
	environment *env;
	bool allow_http;
	bool asks;      /* somebody is there whom servers may ask; else all that they ask is declined. Set by mcp_hub_take_asks() */
};

enum mcp_hub_state {
	MCP_HUB_IDLE,   /* its tools are not wanted yet, or it has ended; those of an earlier session may be known */
	MCP_HUB_BEGINS, /* the session begins */
	MCP_HUB_LISTS,  /* the list is fetched */
	MCP_HUB_KNOWN,
	MCP_HUB_FAILED, /* it has no tools; not tried again by itself, unless somebody has logged in since */
};

struct mcp_tool {
	char *name, *description;     /* description: NULL: none */
	char *schema, *output;        /* of arguments and structured results: JSON objects; output NULL: none */
	char digest[DIGEST_HEX + 1];  /* of all of it, and of what the server is */
};

/* A server; borrowed until the hub runs or is read. */
struct mcp_hub_server {
	const struct mcp_server *server;
	enum mcp_hub_state state;
	const struct mcp_tool *tools;
	size_t count, left_out;       /* left_out: tools that are too many, too large, or break the protocol */
	const char *trouble;          /* of MCP_HUB_FAILED: a sentence without its stop */
};

struct mcp_hub; /* heap */

struct mcp_hub *mcp_hub_new(const struct mcp_hub_options *options);
void mcp_hub_free(struct mcp_hub *hub); /* ends all sessions, at once. NULL is allowed. Calls must be over or cancelled */
/*
 * Takes the servers, which it borrows until the next call, during which the old ones must still be there. A server that is the same object as before
 * goes on; the sessions and calls of all others end. A list that is known is kept until it is fetched again, before the next use.
 */
void mcp_hub_read(struct mcp_hub *hub, const struct mcp_servers *servers);

struct mcp_hub_server mcp_hub_at(const struct mcp_hub *hub, size_t index); /* server NULL: there is none */
uint64_t mcp_hub_changes(const struct mcp_hub *hub);  /* increases when what is known of a server has changed */
/* Fetches the list of a server unless it is known. `again`: one that has failed is tried again; after another login it is in any case. */
void mcp_hub_want(struct mcp_hub *hub, size_t index, bool again);
bool mcp_hub_waits(const struct mcp_hub *hub);        /* a list of tools is being fetched */
/*
 * The same, but each server counts for MCP_HOLD_MS only, from when it was wanted first: a prompt does not wait longer for its tools. Appends the
 * names of those that count, parted by commas.
 */
#define MCP_HOLD_MS 5000
bool mcp_hub_holds(const struct mcp_hub *hub, struct buf *names);
/*
 * The first failure that was not told yet, a server that a prompt does not wait for, or what was declined without a question, as a sentence.
 * False: there is none.
 */
MUST_USE bool mcp_hub_tell(struct mcp_hub *hub, struct error *sentence);
void mcp_hub_forget_declined(struct mcp_hub *hub); /* what was declined in another conversation is not told in this one */

/* --- what servers ask for (app/mcp/mcp_form.h) --- */

#define MCP_ASKS_MOST 16u /* of one server, from when it has nothing to do until it has nothing to do again; all further ones are declined */

/* It stays until it is replied to, or the server does not wait for it any more: its call is over, or it said so. */
struct mcp_ask {
	struct mcp_ask *next;
	struct mcp_hub_entry *on;
	uint64_t id;                  /* in the order in which they came; never 0, and never used again */
	int64_t number, ticket;       /* of the client; number 0: a page to open before a call, about which the server gets no reply */
	char *server, *tool;          /* tool NULL: it is not known of which call it is */
	char *params;                 /* JSON, which mcp_form_read() takes */
};

void mcp_hub_take_asks(struct mcp_hub *hub, bool asks);
const struct mcp_ask *mcp_hub_ask(const struct mcp_hub *hub, uint64_t id); /* 0: the first; NULL: there is none. Until the hub runs */
void mcp_hub_reply(struct mcp_hub *hub, uint64_t id, struct str result); /* a JSON object */

/* --- watching --- */

struct mcp_call;

/*
 * Sees each message that goes to a server or comes from one. `call`: whose it is; NULL: it is of none, or the server does not say of which.
 */
struct mcp_watch { /* embedded, and not moved; all zero: it watches nothing */
	struct mcp_watch *next;
	struct mcp_hub *on;           /* borrowed; NULL: it watches nothing */
	void *ctx;
	void (*message)(void *ctx, const char *server, const struct mcp_call *call, bool sent, struct str text);
};
void mcp_watch_begin(struct mcp_watch *watch, struct mcp_hub *hub); /* with `ctx` and `message` set; no effect if it watches already */
void mcp_watch_end(struct mcp_watch *watch);                        /* before the hub is freed; no effect if it watches nothing */

/* --- calls --- */

struct mcp_call_sink {
	void *ctx;
	void (*progress)(void *ctx, const struct mcp_progress *progress); /* NULL: none is wanted */
	void (*page)(void *ctx, const struct json *result);               /* of a list, before its end; NULL: it is no list */
	/* Once. MCP_COMPLETE has a result; all others words. */
	void (*ended)(void *ctx, const struct mcp_answer *answer);
};

struct mcp_call { /* embedded, and not moved while it is under way; all zero: it is not */
	struct mcp_call *next;
	struct mcp_hub_entry *on;     /* NULL: it is over */
	int64_t id;                   /* of its request that was sent last; 0: not known */
	int64_t ticket;               /* 0: not sent yet; negative: pages have to be opened before it is sent again */
	unsigned pages;               /* such pages */
	const char *method;           /* of a request that is no call of a tool; NULL: it is one */
	char *name, *digest;          /* of the tool; or what the request is about, without a digest */
	char *arguments;              /* of the tool; or the params of the request */
	struct mcp_call_sink sink;
};

/*
 * Calls a tool that was shown with that digest; the arguments are a JSON object. Whoever calls this has seen to it that it was approved. Nothing
 * is called back before the hub runs. False, with a sentence: there is no such server.
 */
MUST_USE bool mcp_call_start(struct mcp_call *call, struct mcp_hub *hub, const char *server, const char *tool, const char *digest,
                             const char *arguments, const struct mcp_call_sink *sink, struct error *err);
/* Asks something else: `method` is a literal, `params` a JSON object. `name` is what it is about: a URI, a prompt; NULL: nothing. */
MUST_USE bool mcp_call_ask(struct mcp_call *call, struct mcp_hub *hub, const char *server, const char *method, const char *name,
                           const char *params, const struct mcp_call_sink *sink, struct error *err);
bool mcp_call_asks(const struct mcp_call *call);             /* its server waits for an answer of the user */
void mcp_call_cancel(struct mcp_call *call, struct str why); /* the server is told; nothing is called back. No effect on one that is over */

#endif
