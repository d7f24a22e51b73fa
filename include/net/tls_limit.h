/*
 * Limits how many bytes the TLS connections of the program read in one pass of the loop.
 *
 * OpenSSL and libcurl keep reading as long as they receive bytes that carry no response data: HelloRequest in a handshake, KeyUpdate,
 * frames of HTTP/2. A server that sends these without end would keep them from returning. At the limit, each connection is told that no
 * more data is available, and continues in the next pass.
 */
#ifndef WEIR_NET_TLS_LIMIT_H
#define WEIR_NET_TLS_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

struct tls_limit; /* heap */

struct tls_limit *tls_limit_new(void);
void tls_limit_free(struct tls_limit *limit); /* call after all connections are closed. NULL is allowed */

/* Starts a new pass: all connections together may read `bytes`. Small reads count for more than their size. */
void tls_limit_refill(struct tls_limit *limit, size_t bytes);

/* Whether libcurl's TLS library (such as "OpenSSL/3.0.22") is the one linked here. Other libraries cannot be limited. */
bool tls_limit_is_for(const char *library);

/* Applies the limit to all connections made with this SSL_CTX. */
void tls_limit_apply(struct tls_limit *limit, void *ssl_ctx);

#endif
