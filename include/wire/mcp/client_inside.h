/*
 * What client.c, client_begin.c and client_wants.c share. For these files only.
 */
#ifndef WEIR_WIRE_MCP_CLIENT_INSIDE_H
#define WEIR_WIRE_MCP_CLIENT_INSIDE_H

#include "wire/mcp/client.h"

#define MCP_PAGES_MOST 1000u    /* of a list */
#define MCP_ROUNDS_MOST 16u     /* of one question that the server cannot answer yet */
#define MCP_WANTS_MOST 16u      /* that wait for a reply */
#define MCP_GONE 64u            /* requests that are not waited for any more, whose answers may still come */

/* A question under way. What its request has is kept, because it may be sent again. */
struct mcp_pending {
	int64_t id;                /* of the request that was sent last; 0: it waits for replies, or for the session */
	int64_t ticket;
	char *method, *name, *params, *headers;
	bool progress;
	enum mcp_list list;        /* MCP_LIST_COUNT: it is no list */
	char *cursor;              /* of the page that was asked for; NULL: the first */
	unsigned pages, rounds;
	struct buf replies;        /* members of inputResponses */
	char *state;               /* requestState; NULL: none */
	unsigned wants;            /* replies that are missing */
};

struct mcp_kept_want {
	int64_t number;            /* 0: free */
	int64_t ticket;            /* of the question; 0: not known */
	bool is_input;             /* of a modern server: `key` is its name */
	char *key;                 /* an older server: the id of its request, as JSON */
};

enum mcp_step { MCP_IDLE, MCP_DISCOVERING, MCP_INITIALIZING, MCP_READY, MCP_FAILED };

/* Deviations that are told, each once. */
enum mcp_notice {
	MCP_NO_JSON, MCP_NO_MESSAGE, MCP_ANSWERED_TWICE, MCP_NOT_ASKED, MCP_ASKED_FOR_MORE, MCP_LIST_ENDLESS, MCP_MODERN_REQUEST, MCP_SAME_AGAIN,
};

struct mcp_client {
	struct mcp_client_sink sink;
	struct mcp_client_options options;
	enum mcp_step step;
	struct mcp_facts facts;
	enum mcp_revision asked;   /* the revision that discovery or initialize was asked for */
	bool asked_again;          /* discovery, with a revision that the server had named */
	int64_t skipped;           /* the id of a discovery that was not waited for */
	int64_t next_id, handshake; /* the id of the request that the session begins with; 0: none is under way */
	struct mcp_pending pending[MCP_QUESTIONS_MOST];
	size_t count;
	struct mcp_kept_want wants[MCP_WANTS_MOST];
	int64_t next_want;
	int64_t gone[MCP_GONE];    /* a ring */
	size_t gone_at;
	unsigned told;             /* bits of enum mcp_notice */
	struct json_parser *parser;
	struct buf text;           /* of the message that is written */
};

/* --- client.c --- */
void mcp_notice(struct mcp_client *c, enum mcp_notice which, const char *format, ...) PRINTF_LIKE(3, 4);
void mcp_send(struct mcp_client *c, const struct mcp_outgoing *message); /* what is in `text`, which is cleared */
void mcp_write_meta(const struct mcp_client *c, struct json_writer *w, int64_t progress); /* _meta; nothing where it would be empty */
void mcp_note_gone(struct mcp_client *c, int64_t id); /* its answer may still come, and is not told */
void mcp_send_pending(struct mcp_client *c, struct mcp_pending *p); /* with a new id */
/* Ends a question: it is removed, then answer() is called. */
void mcp_finish(struct mcp_client *c, struct mcp_pending *p, const struct mcp_answer *answer);
void PRINTF_LIKE(4, 5) mcp_finish_with(struct mcp_client *c, struct mcp_pending *p, enum mcp_ending ending, const char *format, ...);
struct mcp_pending *mcp_pending_of(struct mcp_client *c, int64_t ticket); /* NULL: it is not under way */

/* --- client_begin.c --- */
void mcp_begin_take(struct mcp_client *c, const struct rpc_message *m); /* the answer to the request of the handshake */
/* An answer to a discovery that was not waited for. False: it does not count. */
bool mcp_begin_take_late(struct mcp_client *c, int64_t id, const struct rpc_message *m);
void mcp_begin_failed(struct mcp_client *c, enum mcp_ending ending, struct str words); /* it will not come */

/* --- client_wants.c --- */
void mcp_wants_request(struct mcp_client *c, const struct rpc_message *m, int64_t about); /* of an older server */
void mcp_wants_cancelled(struct mcp_client *c, const struct json *id);     /* an older server does not wait for the answer to its request */
void mcp_wants_inputs(struct mcp_client *c, struct mcp_pending *p, const struct json *result); /* resultType input_required */
void mcp_wants_forget(struct mcp_client *c, int64_t ticket); /* that question is over; requests are answered */
void mcp_write_capabilities(const struct mcp_client *c, struct json_writer *w);

#endif
