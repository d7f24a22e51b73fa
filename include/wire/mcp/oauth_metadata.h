/*
 * Where an MCP server sends those who need authorization: the challenge of its refusal, the metadata of what it protects (RFC 9728), and the
 * metadata of the authorization server (RFC 8414, OpenID Connect Discovery). What they say is checked here, before anything is sent anywhere:
 *
 * - an address has https; plain http to loopback only if the MCP server itself is there (`plain`), so that no remote server makes the program ask
 *   a local one;
 * - the resource of the metadata is the MCP server's address, or what that is below;
 * - the issuer of the metadata is the one whose metadata was asked for, byte for byte;
 * - the authorization server promises PKCE with S256.
 *
 * Pure. All texts are untrusted; what is taken of them holds no control characters.
 */
#ifndef WEIR_WIRE_OAUTH_METADATA_H
#define WEIR_WIRE_OAUTH_METADATA_H

#include "base/text.h"

#define OAUTH_URL_MOST 2048u
#define OAUTH_SCOPE_MOST 2048u

/* --- addresses --- */

MUST_USE bool oauth_url_check(struct str url, bool plain);   /* whether it may be asked */
bool oauth_url_is_plain(struct str url);                     /* http to loopback */
struct str oauth_url_origin(struct str url);                 /* "https://host:port", borrowed */
/* Where metadata may be, in the order in which they are asked: from step 0 until false. Replaces `out`. */
bool oauth_resource_url(struct str server, unsigned step, struct buf *out);
bool oauth_issuer_url(struct str issuer, unsigned step, struct buf *out);

/* --- scopes: words with a blank between them --- */

/* Adds the words of `more` that `*scope` lacks; words that can be no scope are left out, and what exceeds OAUTH_SCOPE_MOST. Heap; NULL: none. */
void oauth_scope_join(char **scope, struct str more);

/* --- the challenge --- */

struct oauth_challenge { /* zero it to initialize */
	char *metadata;      /* where the metadata of the resource are; NULL: not said */
	char *scope;         /* NULL: not said */
	bool is_bearer;      /* there is one of this scheme */
	bool lacks_scope;    /* error="insufficient_scope" */
};
void oauth_challenge_take(struct oauth_challenge *c, struct str value); /* of one field WWW-Authenticate, which may hold several challenges */
void oauth_challenge_fini(struct oauth_challenge *c);

/* --- metadata --- */

struct oauth_resource {
	char *resource, *issuer; /* of the first authorization server that may be asked */
	char *scope;             /* scopes_supported; NULL: not said */
};
/* `server`: the MCP server's address. False with a sentence: it must not be used. */
MUST_USE bool oauth_resource_read(struct oauth_resource *r, struct str text, struct str server, struct error *err);
void oauth_resource_fini(struct oauth_resource *r);

struct oauth_server {
	char *issuer, *authorization, *token;
	char *registration;      /* NULL: it registers nobody */
	bool names_issuer;       /* it promises `iss` in its answers */
	bool takes_documents;    /* a client's id may be the address of its metadata */
	bool has_offline;        /* it knows the scope offline_access */
	bool has_methods, has_none, has_basic, has_post; /* how clients say who they are at the token endpoint; !has_methods: not said */
};
MUST_USE bool oauth_server_read(struct oauth_server *s, struct str text, struct str issuer, bool plain, struct error *err);
/* Without metadata, as the revision of 2025-03-26 has it: its three addresses are fixed. */
void oauth_server_assume(struct oauth_server *s, struct str origin);
void oauth_server_fini(struct oauth_server *s);

#endif
