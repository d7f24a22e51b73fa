/*
 * A session with an MCP server: finds the key, starts the program or connects, finds out the revision, asks and keeps time. It joins the client
 * (wire/mcp/client.h), a link (app/mcp/mcp_link.h) and a tape, and is a member of the loop.
 *
 * Limits: looking for the revision takes MCP_DISCOVER_MS at most, then a server that did not answer is taken for an older one; a request has the
 * server's timeout, which progress renews, up to MCP_PROGRESS_TIMES as long in all. No time counts while the server waits for a reply.
 */
#ifndef WEIR_APP_MCP_SESSION_H
#define WEIR_APP_MCP_SESSION_H

#include "app/mcp/mcp_link.h"
#include "store/config/mcp_servers.h"

#define MCP_DISCOVER_MS 1500
#define MCP_PROGRESS_TIMES 10

struct mcp_session_options {
	const struct mcp_server *server;  /* borrowed */
	const char *const *argv;          /* the program, in place of the server's command; NULL: that. Borrowed */
	struct http *http;
	environment *env;
	bool allow_http;
	struct redact_set *secrets;       /* what was sent to the server as a secret, in earlier sessions too: grows, and is masked in all that comes
	                                     from it. Borrowed */
	int64_t timeout_ms;               /* of a request; 0: the server's */
	enum mcp_revision revision;       /* the only one to speak; MCP_REVISION_COUNT: find it out */
	const char *tape;                 /* a file that does not exist; NULL: none */
	bool shows_pages;                 /* as in struct mcp_client_options */
};

/* The same as in wire/mcp/client.h, whose words apply; failed() comes also when there is no key, or the server cannot be reached. */
struct mcp_session_sink {
	void *ctx;
	void (*ready)(void *ctx);
	void (*failed)(void *ctx, enum mcp_ending ending, struct str words);
	void (*answer)(void *ctx, int64_t ticket, const struct mcp_answer *answer);
	void (*progress)(void *ctx, int64_t ticket, const struct mcp_progress *progress);
	void (*changed)(void *ctx, enum mcp_list list);
	void (*want)(void *ctx, const struct mcp_want *want); /* NULL: nothing is offered */
	void (*unwanted)(void *ctx, int64_t number);          /* NULL: all are replied to at once */
	void (*notice)(void *ctx, struct str words);
	void (*message)(void *ctx, bool sent, struct str text); /* each, in both directions; NULL: they are not wanted */
};

struct mcp_session; /* heap */

/* Nothing is called back before it runs. NULL: the tape cannot be created. */
struct mcp_session *mcp_session_new(const struct mcp_session_options *options, const struct mcp_session_sink *sink, struct error *err);
const struct mcp_facts *mcp_session_facts(const struct mcp_session *s); /* once it is ready */
bool mcp_session_is_ready(const struct mcp_session *s);

/* Once it is ready: as mcp_client_ask(), mcp_client_cancel(), mcp_client_reply(). */
int64_t mcp_session_ask(struct mcp_session *s, const struct mcp_question *question);
void mcp_session_cancel(struct mcp_session *s, int64_t ticket, struct str why);
int64_t mcp_session_ticket(const struct mcp_session *s, int64_t id); /* as mcp_client_ticket() */
void mcp_session_reply(struct mcp_session *s, int64_t number, struct str result);

/* Ends it in order; mcp_session_is_over() becomes true within a few seconds. `how`: what the tape says of its end. */
void mcp_session_close(struct mcp_session *s, enum end_how how);
bool mcp_session_is_over(const struct mcp_session *s);
/* Ends it at once. False: the tape could not be written. NULL is allowed. */
bool mcp_session_free(struct mcp_session *s, struct error *err);

struct loop_member mcp_session_member(struct mcp_session *s);

#endif
