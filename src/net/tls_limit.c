#include "net/tls_limit.h"

#include <openssl/ssl.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

#define READ_COST 512 /* minimum cost of a read: a 20-byte record that changes the key takes longer than one of 16 KB */

struct tls_limit {
	size_t left;
	BIO_METHOD *filter;
};

/* --- the BIO filter of a connection --- */

static int filter_read(BIO *bio, char *bytes, int size)
{
	struct tls_limit *limit = BIO_get_data(bio);
	size_t cost;
	int count;

	BIO_clear_retry_flags(bio);
	if (!limit->left) {
		BIO_set_retry_read(bio);
		return -1;
	}
	count = BIO_read(BIO_next(bio), bytes, (size_t)size < limit->left ? size : (int)limit->left);
	BIO_copy_next_retry(bio);
	cost = count > READ_COST ? (size_t)count : READ_COST;
	limit->left -= cost < limit->left ? cost : limit->left;
	return count;
}

static long filter_control(BIO *bio, int command, long number, void *pointer)
{
	return command == BIO_CTRL_DUP ? 0 : BIO_ctrl(BIO_next(bio), command, number, pointer);
}

/* Installs the filter before the first handshake of a connection: libcurl has set its source by then. */
static void on_state(const SSL *ssl, int where, int unused)
{
	struct tls_limit *limit = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
	BIO *source = SSL_get_rbio(ssl), *filter;

	(void)unused;
	if (!(where & SSL_CB_HANDSHAKE_START) || !source || BIO_get_data(source) == limit)
		return;
	filter = BIO_new(limit->filter);
	if (!filter)
		mem_die(sizeof *limit);
	BIO_set_data(filter, limit);
	BIO_set_init(filter, 1);
	BIO_up_ref(source); /* SSL_set0_rbio() drops the connection's own reference */
	SSL_set0_rbio((SSL *)(uintptr_t)ssl, BIO_push(filter, source));
}

/* --- creation --- */

struct tls_limit *tls_limit_new(void)
{
	struct tls_limit *limit = mem_new(sizeof *limit);

	limit->filter = BIO_meth_new(BIO_TYPE_FILTER, "limit");
	if (!limit->filter)
		mem_die(sizeof *limit);
	BIO_meth_set_read(limit->filter, filter_read);
	BIO_meth_set_ctrl(limit->filter, filter_control);
	return limit;
}

void tls_limit_free(struct tls_limit *limit)
{
	if (!limit)
		return;
	BIO_meth_free(limit->filter);
	mem_free(limit);
}

void tls_limit_refill(struct tls_limit *limit, size_t bytes)
{
	limit->left = bytes;
}

bool tls_limit_is_for(const char *library)
{
	const char *version = strchr(library, '/');

	return str_starts(str_from(library), "OpenSSL/") && !strcmp(version + 1, OpenSSL_version(OPENSSL_VERSION_STRING));
}

void tls_limit_apply(struct tls_limit *limit, void *ssl_ctx)
{
	SSL_CTX_set_app_data(ssl_ctx, limit);
	SSL_CTX_set_info_callback(ssl_ctx, on_state);
}
