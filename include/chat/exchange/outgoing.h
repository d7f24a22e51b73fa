/*
 * Outgoing requests: their headers, including the key, and whether they may be sent to a URL.
 *
 * Plain http is allowed to loopback hosts. Elsewhere it requires a request without a key, or the user's permission.
 */
#ifndef WEIR_CHAT_OUTGOING_H
#define WEIR_CHAT_OUTGOING_H

#include "chat/provider/provider.h"
#include "net/http.h"

struct outgoing {
	const struct provider *provider;
	const struct protocol *protocol; /* NULL: none; then a key is sent as bearer, unless the provider says otherwise */
	struct str key;          /* STR_NONE: no key */
	environment *env;
	bool allow_http;         /* --allow-http */
	const char *url;
	struct str body;         /* STR_NONE: a GET; borrowed until the transfer is freed */
	const char *content_type; /* of the body: that header, "content-type: ..."; NULL: JSON */
	bool bodies_are_secret;  /* neither the body nor that of the response is logged */
	bool stream;             /* request an event stream */
	const char *method;      /* NULL: GET or POST */
	const char *accept;      /* that header, "accept: ..."; NULL: by `stream` */
	const char *const *headers; /* `header_count` lines behind those of the provider */
	size_t header_count;
	const struct redact_set *secrets; /* more that is masked in the response; NULL: nothing. Borrowed for the call */
	const char *beta;        /* in place of the provider's header of that name (chat/provider/server_tools.h); NULL or "": none */
};

/* False with an error when the key must not be sent to the URL. Sets `*exposed` when the request crosses a network in plain text. */
MUST_USE bool outgoing_check(const struct outgoing *o, bool *exposed, struct error *err);

/* Like http_start(). Wipes the memory in which the key's header was built. */
MUST_USE bool outgoing_start(const struct outgoing *o, struct http *http, const struct source_sink *sink, struct source **transfer,
                             struct error *err);

/* Adds the secrets of the request: `secrets`, the key, and those in the provider's headers and in the URL. */
void outgoing_find_secrets(const struct outgoing *o, struct redact_set *set);
/* All headers of the request but that of the key, in the order in which they are sent. */
void outgoing_each_header(const struct outgoing *o, void (*line)(void *ctx, const char *header), void *ctx);
/* The header of the key up to the key: "authorization: Bearer "; NULL: the provider takes none. Borrowed for the program's life. */
const char *outgoing_key_header(const struct outgoing *o);

/* --- parts, for requests of other clients that are passed on --- */

bool outgoing_is_exposed(struct str url); /* a request to it crosses a network in plain text */
/* Adds the secrets of a header line, if its name suggests any: the value, its words ("Bearer ..."), values in it ("a=...; b=..."). */
void outgoing_add_secrets(struct redact_set *set, const char *header);
/* The provider's CA file, else SSL_CERT_FILE; heap, NULL: the system's certificates. */
char *outgoing_ca_file(const struct provider *p, environment *env);

#endif
