/*
 * Error messages for failed transfers: which host, what failed, and usually what to check. They never contain a path, a query, a key or
 * proxy credentials.
 */
#ifndef WEIR_NET_HTTP_FAILURE_H
#define WEIR_NET_HTTP_FAILURE_H

#include <stdint.h>

#include "base/error.h"

#define HTTP_FAILURE_LARGE_HEAD "Too large response headers" /* a reason; has the prefix of curl's own messages */

/* The strings are borrowed for the call. */
struct http_failure {
	int code;                   /* libcurl's code; 0: the connection was closed cleanly but too early */
	const char *reason;         /* libcurl's message; "" if none */
	const char *place;          /* the host, and the port if the URL has one */
	const char *ca_file;        /* the CA file of the server, or of the proxy if that failed; NULL: the system's */
	const char *proxy_variable; /* the environment variable that names the proxy; NULL: no proxy */
	bool proxy_unusable;        /* the value of that variable is not valid */
	bool proxy_secure;          /* TLS to the proxy; the TLS connection to the server is tunnelled in it */
	bool at_proxy;              /* the failure is the proxy's; nothing reached the server */
	int proxy_status;           /* the proxy's response to CONNECT; 0: none */
	int system_error;           /* errno of the connection; 0: none */
	int verify_result;          /* OpenSSL's result of verifying the certificate */
	int64_t connect_timeout_ms;
	bool answered;              /* the head of a response has arrived */
};

/* Writes the message. Returns false when it advises nothing: all that is known is that no response came, or that it broke off. */
bool http_failure_explain(const struct http_failure *f, struct error *err);

/* The connection failed or broke, so that a new one may succeed. False when the received bytes were not valid. */
bool http_failure_may_pass(const struct http_failure *f);

/* The response was compressed and cannot be decompressed. The connection is not at fault. */
bool http_failure_is_garbled(const struct http_failure *f);

#endif
