/*
 * What mcp_http.c and mcp_post.c share. For these files only.
 */
#ifndef WEIR_APP_MCP_HTTP_INSIDE_H
#define WEIR_APP_MCP_HTTP_INSIDE_H

#include "app/mcp/mcp_auth.h"
#include "app/mcp/mcp_http.h"
#include "wire/framer.h"

/* What a request is for. */
enum mcp_post_kind {
	MCP_POST,       /* a message */
	MCP_POST_BEGUN, /* notifications/initialized: what follows waits for its end */
	MCP_LISTEN,     /* the GET of an older revision, on which the server may send what it likes */
	MCP_DELETE,     /* ends the session */
};

/* A request on its way, with its response. */
struct mcp_post {
	struct mcp_http *link;
	struct mcp_post *next;
	enum mcp_post_kind kind;
	int64_t id;              /* of the message, if it is a request; 0: it is none */
	char *method;            /* of the message; NULL: an answer, or no message */
	struct buf body, headers; /* its text, and lines of headers */
	struct source *transfer; /* NULL: it waits */
	int64_t start_ms;        /* when it is started */
	struct framer *framer;   /* of its response */
	int status;              /* of its response; 0: none came */
	char *location;
	struct oauth_challenge challenge; /* of a refusal */
	bool renewed;            /* the token was, because of this request */
	struct buf refusal;      /* the body of a response that is no success */
	bool over, dropped;      /* its transfer has ended; it is not wanted any more */
	enum end_how how;
	char failure[300];
	bool has_message;        /* one came */
	int64_t linger_ms;       /* the answer has come: when the rest of the response is not waited for any more; 0: it has not */
	char *last_id;           /* resumed behind that event; NULL: from its beginning */
	unsigned attempts;       /* to resume, without an event since */
};

struct mcp_http {
	struct mcp_link link;
	struct mcp_link_sink sink;
	struct mcp_http_options o;
	char *key;
	size_t key_size;
	struct mcp_auth *auth;   /* NULL: there is a key */
	char *session;           /* its id; NULL: none */
	enum mcp_revision revision;
	bool is_old;             /* the transport of 2024-11-05: messages come on a GET, whose first event says where to send them */
	char *endpoint;          /* that address; NULL: not known yet, or the other transport */
	int refused;             /* the status by which that transport was found */
	struct mcp_post *posts;  /* in the order in which they were made */
	bool closing, forgotten;
	bool is_full, is_lost;   /* the server asks for too much at once; that was told */
	int64_t close_ms;        /* closing: when it is not waited for any more */
};

/* Starts the request. What fails at once is as if the transfer had ended. */
void mcp_post_start(struct mcp_post *p);
/* Tells what comes of a request that is over. True: it goes on, later; false: it can be freed. */
MUST_USE bool mcp_post_finish(struct mcp_post *p, int64_t now_ms);
void mcp_post_free(struct mcp_post *p);
/* --- mcp_http.c --- */
void mcp_post_listen(struct mcp_http *m, enum mcp_revision revision); /* adds the GET on which the server may send what it likes */

#endif
