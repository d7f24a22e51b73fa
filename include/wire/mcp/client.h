/*
 * The client's side of a session with a server of the Model Context Protocol, over any transport: messages of the server in, messages for the
 * server out. Pure: no descriptor, no clock.
 *
 *   mcp_client_start --> send ... mcp_client_take --> ready      then    mcp_client_ask --> send ... mcp_client_take --> answer
 *
 * Start asks with `server/discover` which revisions the server speaks. A server that does not know that request gets `initialize`, and one that
 * refuses the revision in it an older one. Lists are fetched with all their pages. Requests of the server are answered here: ping; elicitation by
 * who made the client; all others are refused, since their capabilities are not offered.
 *
 * Everything that is given to a callback is borrowed for the call.
 */
#ifndef WEIR_WIRE_MCP_CLIENT_H
#define WEIR_WIRE_MCP_CLIENT_H

#include "wire/mcp/revision.h"
#include "wire/mcp/rpc.h"

enum mcp_list { MCP_TOOLS, MCP_RESOURCES, MCP_TEMPLATES, MCP_PROMPTS, MCP_LIST_COUNT };

const char *mcp_list_method(enum mcp_list list); /* "tools/list" */
const char *mcp_list_member(enum mcp_list list); /* "tools": of its result */
const char *mcp_list_capability(enum mcp_list list); /* "tools": of the capabilities of a server that has it */

/* What a server says of itself. Texts are NULL where it says nothing; none of it is verified. */
struct mcp_facts {
	enum mcp_revision revision;
	char *name, *version;
	bool offers[MCP_LIST_COUNT]; /* it has such a list, by its capabilities */
	bool tells[MCP_LIST_COUNT];  /* it says when that list changes */
	bool completes;              /* it suggests values of arguments */
};

struct mcp_outgoing {
	struct str text;            /* JSON in one line, without its end */
	int64_t id;                 /* of a request; 0: a notification, or an answer */
	struct str method;          /* STR_NONE: an answer */
	struct str name;            /* of the tool or prompt, or the URI of the resource; STR_NONE */
	struct str headers;         /* those of the question */
	enum mcp_revision revision; /* MCP_REVISION_COUNT: not agreed on yet */
};

/* How a question ended. */
enum mcp_ending {
	MCP_PAGE,       /* not yet: a page of a list, more follow */
	MCP_COMPLETE,   /* with a result, of a list the last page */
	MCP_ERROR,      /* with an error of the server */
	MCP_VIOLATION,  /* the answer breaks the protocol */
	MCP_CUT,        /* the connection ended before the answer */
	MCP_STALLED,    /* no answer came in time */
};

struct mcp_answer {
	enum mcp_ending ending;
	const struct json *result;  /* MCP_PAGE, MCP_COMPLETE: an object */
	int64_t code;               /* MCP_ERROR: what the server says */
	const struct json *data;    /* the same; NULL: nothing */
	struct str words;           /* all others: a sentence; of MCP_ERROR the server's */
};

struct mcp_progress { double done, total; struct str words; }; /* total < 0: unknown */

/* What a server wants to know before it goes on. mcp_client_reply() answers, also from within the callback. */
struct mcp_want {
	int64_t number;
	int64_t ticket;             /* of the question that needs it; 0: not known */
	struct str method;          /* "elicitation/create" */
	const struct json *params;  /* its mode is one that is offered */
};

struct mcp_client_sink {
	void *ctx;
	void (*send)(void *ctx, const struct mcp_outgoing *message); /* must not call the client: what fails is told later */
	void (*ready)(void *ctx);
	void (*failed)(void *ctx, enum mcp_ending ending, struct str words); /* the session cannot begin */
	void (*answer)(void *ctx, int64_t ticket, const struct mcp_answer *answer);
	void (*dropped)(void *ctx, int64_t id);              /* the answer to that request is not waited for any more */
	void (*progress)(void *ctx, int64_t ticket, const struct mcp_progress *progress);
	void (*changed)(void *ctx, enum mcp_list list);      /* such a list is another one now; MCP_TEMPLATES comes with MCP_RESOURCES */
	void (*want)(void *ctx, const struct mcp_want *want); /* NULL: nothing is offered, and such requests are refused */
	void (*unwanted)(void *ctx, int64_t number);         /* a reply to that is not waited for any more. NULL: all are given at once */
	void (*notice)(void *ctx, struct str words);         /* a deviation that was survived: a sentence; each kind once */
};

struct mcp_client_options {
	const char *version;         /* of this program */
	enum mcp_revision revision;  /* the only one to speak; MCP_REVISION_COUNT: find it out */
	bool tells_cancelled;        /* the transport has no other way to tell it to a modern server */
	bool shows_pages;            /* of what is wanted, pages to open are offered, too (mode "url") */
};

struct mcp_client; /* heap */

struct mcp_client *mcp_client_new(const struct mcp_client_options *options, const struct mcp_client_sink *sink);
void mcp_client_free(struct mcp_client *c);

void mcp_client_start(struct mcp_client *c);
/* The server does not answer `server/discover`, or has ended because of it: goes on with `initialize`. No effect unless it is asked for. */
void mcp_client_skip_discovery(struct mcp_client *c);
bool mcp_client_is_discovering(const struct mcp_client *c);
/* The server has forgotten the session: begins anew, and then asks again what is not answered. */
void mcp_client_begin_anew(struct mcp_client *c);
bool mcp_client_is_ready(const struct mcp_client *c);
const struct mcp_facts *mcp_client_facts(const struct mcp_client *c);

/*
 * Takes a message of the server. `about`: the id of the request whose response it came in; 0: the transport does not know. It frees nothing
 * that a callback may use, but a callback must not free the client.
 */
void mcp_client_take(struct mcp_client *c, struct str text, int64_t about);
/* The transport has no answer to a request, and will have none: it ends so. */
void mcp_client_end(struct mcp_client *c, int64_t id, enum mcp_ending ending, struct str words);
void mcp_client_end_all(struct mcp_client *c, enum mcp_ending ending, struct str words);
bool mcp_client_waits_for(const struct mcp_client *c, int64_t id);
int64_t mcp_client_ticket(const struct mcp_client *c, int64_t id); /* of the question whose request has that id; 0: none has */

struct mcp_question {
	const char *method;          /* that of a list brings all its pages */
	struct str params;           /* a JSON object without _meta; STR_NONE: {} */
	struct str name;             /* as in mcp_outgoing */
	struct str headers;          /* lines that a transport with headers sends; STR_NONE: none */
	bool progress;               /* wanted */
	bool stands;                 /* its answer is the end of what it begins: it has no time */
};

#define MCP_QUESTIONS_MOST 64u

/* Asks, once it is ready. Returns its ticket; 0: too many are under way. */
int64_t mcp_client_ask(struct mcp_client *c, const struct mcp_question *question);
/* Does not wait for the answer any more. The server is told why; answer() is not called. */
void mcp_client_cancel(struct mcp_client *c, int64_t ticket, struct str why);
/*
 * Appends the params of `subscriptions/listen` for all lists that change. False: there is none, or the server tells it without being asked, as those
 * before 2026-07-28 do.
 */
MUST_USE bool mcp_write_listen(const struct mcp_facts *facts, struct buf *out);
/* Appends the params of tools/call or prompts/get; `arguments`: a JSON object, STR_NONE: none. */
void mcp_write_call(struct str name, struct str arguments, struct buf *out);
/* Answers what was wanted: a JSON object. No effect if it is not waited for any more. */
void mcp_client_reply(struct mcp_client *c, int64_t number, struct str result);
bool mcp_client_is_asked(const struct mcp_client *c); /* the server waits for a reply */

#endif
