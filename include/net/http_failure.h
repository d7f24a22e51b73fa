/*
 * Sentences for transfers that failed: which host, what failed, and mostly what to check. Never a path, a query, a key or the credentials
 * of a proxy.
 */
#ifndef WEIR_NET_HTTP_FAILURE_H
#define WEIR_NET_HTTP_FAILURE_H

#include <stdint.h>

#include "base/error.h"

#define HTTP_FAILURE_LARGE_HEAD "Too large response headers" /* a reason: so curl's begin too */

/* Borrowed for the call. */
struct http_failure {
	int code;                   /* libcurl's; 0: the connection was closed, in good order but too early */
	const char *reason;         /* libcurl's words, "" when it has none */
	const char *place;          /* host, and port where the URL names one */
	const char *ca_file;        /* of the server, or of the proxy where it failed there; NULL: the system's */
	const char *proxy_variable; /* the variable of the environment that names a proxy for it; NULL: none does */
	bool proxy_unusable;        /* what that variable holds cannot be used */
	bool proxy_secure;          /* TLS is spoken with the proxy itself; that with the server goes through it */
	bool at_proxy;              /* it failed there, before anything reached the server */
	int proxy_status;           /* what that answered to CONNECT; 0: nothing */
	int system_error;           /* of the connection; 0: none */
	int verify_result;          /* OpenSSL's word on the certificate */
	int64_t connect_timeout_ms;
	bool answered;              /* the head of an answer came */
};

/* False when the sentence names nothing to check: nothing is known but that no answer came, or that it broke off. */
bool http_failure_explain(const struct http_failure *f, struct error *err);

/* A connection was not made, or broke: another one may do. Not what came over it and made no sense. */
bool http_failure_may_pass(const struct http_failure *f);

/* An answer came, packed in a way that cannot be unpacked: no connection is to blame. */
bool http_failure_is_garbled(const struct http_failure *f);

#endif
