/*
 * Sentences for transfers that failed: which host, what failed, and mostly what to check. Never a path, a query or a key.
 */
#ifndef WEIR_NET_HTTP_FAILURE_H
#define WEIR_NET_HTTP_FAILURE_H

#include <stdint.h>

#include "base/error.h"

/* Borrowed for the call. */
struct http_failure {
	int code;                   /* libcurl's; 0: the connection was closed, in good order but too early */
	const char *reason;         /* libcurl's words, "" when it has none */
	const char *place;          /* host, and port where the URL names one */
	const char *ca_file;        /* NULL: the system's */
	const char *proxy_variable; /* the variable of the environment that names a proxy for it; NULL: none does */
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
