/*
 * Proxies of the environment, with their credentials separated: curl receives both through different options, so that no URL in its log or
 * its messages contains a password.
 *
 * A proxy is "[scheme://][user[:password]@]host[:port]". The last '@' ends the credentials, which may contain any byte.
 */
#ifndef WEIR_NET_PROXY_H
#define WEIR_NET_PROXY_H

#include "base/redact.h"

struct proxy {
	const char *variable;  /* the variable that names it, a literal; NULL: no proxy */
	char *url;             /* without credentials; heap */
	char *credentials;     /* "user:password", percent-encoded as in the environment, which is not modified; heap; NULL: none */
	bool usable;           /* curl supports the scheme, and the host is not empty */
	bool secure;           /* TLS to the proxy itself */
};

/* Finds the proxy for an https or http URL. Reads the variables that curl reads, in the same order. */
void proxy_find(struct proxy *p, bool https);
void proxy_fini(struct proxy *p); /* a zeroed one is allowed */

/*
 * Adds the credentials of every proxy in the environment, used or not: the password and "user:password", as written, decoded,
 * percent-encoded, and in base64 as sent. The user name alone is added only if there is no password: a name may be an ordinary word.
 */
void proxy_add_secrets(struct redact_set *set);

#endif
