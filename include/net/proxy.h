/*
 * Proxies of the environment, parted from their credentials: curl is told of both by separate ways, so that no URL that it logs or
 * complains of has a password in it.
 *
 * A proxy is "[scheme://][user[:password]@]host[:port]". The last '@' ends the credentials, whatever bytes they have.
 */
#ifndef WEIR_NET_PROXY_H
#define WEIR_NET_PROXY_H

#include "base/redact.h"

struct proxy {
	const char *variable;  /* the one that names it, a literal; NULL: there is no proxy */
	char *url;             /* without credentials; heap */
	char *user, *password; /* percent-encoded as they stood there; heap; NULL: none. The environment has them as long as the process runs */
	bool usable;           /* curl knows the scheme, and there is a host */
	bool secure;           /* TLS to the proxy itself */
};

/* The proxy for a URL that begins with https (or http), by the variables that curl looks at, in its order. */
void proxy_find(struct proxy *p, bool https);
void proxy_fini(struct proxy *p); /* of a zeroed one too */

/*
 * Credentials of every proxy that the environment names, whichever is used: the password, and both as one, as they stand there, decoded,
 * percent-encoded, and in base64 as they are sent. The user alone only where no password makes the secret: a name is an ordinary word.
 */
void proxy_add_secrets(struct redact_set *set);

#endif
