/*
 * A ceiling for what the TLS connections of a program read at one look at the network.
 *
 * OpenSSL and libcurl read on as long as they find bytes and nothing of an answer among them: HelloRequest in a handshake, KeyUpdate,
 * frames of HTTP/2. A server that sends such bytes for ever would never let them return. Here each connection finds nothing more
 * when the ceiling is reached, as if the network had no more, and goes on at the next look.
 */
#ifndef WEIR_NET_TLS_LIMIT_H
#define WEIR_NET_TLS_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

struct tls_limit; /* heap */

struct tls_limit *tls_limit_new(void);
void tls_limit_free(struct tls_limit *limit); /* after all its connections. NULL is legal */

/* A new look: its connections may read so many bytes, all together. Many small reads count for more. */
void tls_limit_refill(struct tls_limit *limit, size_t bytes);

/* The library that libcurl names (as "OpenSSL/3.0.22") is the one that is called here. Another one cannot be limited. */
bool tls_limit_is_for(const char *library);

/* For all connections that will be made with this SSL_CTX of OpenSSL. */
void tls_limit_apply(struct tls_limit *limit, void *ssl_ctx);

#endif
