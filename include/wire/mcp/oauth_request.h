/*
 * What is sent to an authorization server, and what it answers (OAuth 2.1 with PKCE, RFC 7591, 8707, 9207): registration, the address of the page
 * on which the user agrees, what comes back through the browser, tokens.
 *
 * Pure: random bytes come from the caller. Texts that hold a secret are written into buffers that have room from the start, so that no copy is
 * left where they grew; the caller wipes them (oauth_wipe()).
 */
#ifndef WEIR_WIRE_OAUTH_REQUEST_H
#define WEIR_WIRE_OAUTH_REQUEST_H

#include <stdint.h>

#include "base/digest.h"
#include "base/redact.h"
#include "wire/mcp/oauth_metadata.h"

#define OAUTH_SECRET_MOST ((size_t)16 << 10) /* bytes of a token, an id or a secret */

void oauth_wipe(struct buf *secret);      /* overwrites and frees */
void oauth_drop(char **secret);           /* the same for a text on the heap; sets NULL */

/* --- who the client is --- */

/* How it says so at the token endpoint. */
enum oauth_method { OAUTH_NONE, OAUTH_BASIC, OAUTH_POST, OAUTH_METHOD_COUNT };
const char *oauth_method_name(enum oauth_method method); /* as metadata have it */

struct oauth_client {
	char *id, *secret;                /* secret: NULL: it has none */
	enum oauth_method method;
};
void oauth_client_fini(struct oauth_client *c);

/* What to ask for when the client is registered; the method of a client with a secret that was given to it in another way. */
enum oauth_method oauth_method_to_ask(const struct oauth_server *server);
enum oauth_method oauth_method_with_secret(const struct oauth_server *server);
void oauth_write_registration(const char *redirect, enum oauth_method method, const char *scope, struct buf *out);
/* `asked`: the method, if the answer names none. */
MUST_USE bool oauth_client_read(struct oauth_client *c, struct str text, enum oauth_method asked, struct error *err);

/* --- the page --- */

struct oauth_attempt {
	const struct oauth_server *server;
	const struct oauth_client *client;
	const char *resource, *redirect;
	const char *scope;                /* NULL: none is named */
	const char *verifier, *state;     /* random: visible characters that need no encoding */
};
void oauth_write_page(const struct oauth_attempt *a, struct buf *url);

/*
 * What the browser brings back: the target of its request, with the query. OAUTH_STRAY: it does not belong to this attempt (its state is another
 * one). OAUTH_REFUSED: a sentence in `err`; words of the server only if the issuer is the right one. `code` is replaced.
 */
enum oauth_return { OAUTH_CODE, OAUTH_STRAY, OAUTH_REFUSED };
enum oauth_return oauth_return_read(const struct oauth_attempt *a, struct str target, struct buf *code, struct error *err);

/* --- tokens --- */

/* The body of the request, as a form; `header`: a line "authorization: ..." for it, empty: none. */
void oauth_write_code(const struct oauth_attempt *a, struct str code, struct buf *body, struct buf *header);
void oauth_write_refresh(const struct oauth_client *client, struct str refresh, const char *resource, struct buf *body, struct buf *header);

struct oauth_token {
	char *access, *refresh;           /* refresh: NULL: none came */
	char *scope;                      /* NULL: what was asked for */
	int64_t expires_in_s;             /* -1: not said */
};
MUST_USE bool oauth_token_read(struct oauth_token *t, struct str text, struct error *err);
void oauth_token_fini(struct oauth_token *t);
/* Why it was refused: "invalid_grant: the words", from the body of an error, masked; nothing if it has none. */
void oauth_error_write(struct str text, const struct redact_set *secrets, struct buf *out);

/* A string in a JSON object without a copy that stays behind; heap, wiped by oauth_drop(). NULL: absent, too long, or not visible ASCII. */
char *oauth_secret_of(struct str object, const char *name);

#endif
