/*
 * What goes out to a provider: the headers, the key among them, and whether a URL may have them.
 *
 * Plain http to loopback is free; elsewhere it is for requests without a key, or for who allowed it.
 */
#ifndef WEIR_CHAT_OUTGOING_H
#define WEIR_CHAT_OUTGOING_H

#include "chat/provider.h"
#include "net/http.h"

struct outgoing {
	const struct provider *provider;
	const struct protocol *protocol;
	struct str key;          /* STR_NONE: none is sent */
	environment *env;
	bool allow_http;         /* --allow-http */
	const char *url;
	struct str body;         /* STR_NONE: a GET */
	bool stream;             /* an event stream is asked for */
};

/* False with a sentence when the URL may not have the key. `*exposed` when all goes over a network in plain text. */
MUST_USE bool outgoing_check(const struct outgoing *o, bool *exposed, struct error *err);

/* As http_start(). The memory in which the key was put into a header is wiped. */
MUST_USE bool outgoing_start(const struct outgoing *o, struct http *http, const struct source_sink *sink, struct source **transfer,
                             struct error *err);

#endif
