/* A client and a server in one process, with memory between them. */
#include <openssl/ssl.h>
#include <string.h>

#include "net/tls_limit.h"
#include "support/check.h"

#define LIMIT 65536

struct pair {
	struct tls_limit *limit;
	SSL_CTX *client_ctx, *server_ctx;
	SSL *client, *server;
};

static const SSL_METHOD *(*const methods[2])(void) = { TLS_client_method, TLS_server_method };

/* Pre-shared keys instead of certificates: the test is not about them. */
static unsigned give_key(SSL *ssl, const char *hint, char *identity, unsigned identity_size, unsigned char *key, unsigned key_size)
{
	(void)ssl, (void)hint, (void)key_size;
	strncpy(identity, "test", identity_size);
	memset(key, 7, 16);
	return 16;
}

static unsigned find_key(SSL *ssl, const char *identity, unsigned char *key, unsigned key_size)
{
	(void)ssl, (void)identity, (void)key_size;
	memset(key, 7, 16);
	return 16;
}

static SSL_CTX *new_ctx(bool server, int version)
{
	SSL_CTX *ctx = SSL_CTX_new(methods[server]());

	SSL_CTX_set_min_proto_version(ctx, version);
	SSL_CTX_set_max_proto_version(ctx, version);
	SSL_CTX_set_cipher_list(ctx, "PSK");
	SSL_CTX_set_psk_client_callback(ctx, give_key);
	SSL_CTX_set_psk_server_callback(ctx, find_key);
	return ctx;
}

static SSL *new_end(SSL_CTX *ctx, BIO *wire)
{
	SSL *ssl = SSL_new(ctx);

	SSL_set_bio(ssl, wire, wire);
	return ssl;
}

static void pair_init(struct pair *p, int version)
{
	BIO *ends[2];

	p->limit = tls_limit_new();
	p->client_ctx = new_ctx(false, version);
	p->server_ctx = new_ctx(true, version);
	tls_limit_apply(p->limit, p->client_ctx);
	CU_ASSERT_FATAL(BIO_new_bio_pair(&ends[0], 4 << 20, &ends[1], 4 << 20) == 1);
	p->client = new_end(p->client_ctx, ends[0]);
	p->server = new_end(p->server_ctx, ends[1]);
	tls_limit_refill(p->limit, LIMIT);
	for (int i = 0; i < 5; i++) {
		SSL_connect(p->client);
		SSL_accept(p->server);
	}
	CU_ASSERT_FATAL(SSL_is_init_finished(p->client) && SSL_is_init_finished(p->server));
}

static void pair_fini(struct pair *p)
{
	SSL_free(p->client);
	SSL_free(p->server);
	SSL_CTX_free(p->client_ctx);
	SSL_CTX_free(p->server_ctx);
	tls_limit_free(p->limit);
}

/* Reads until no more data is available. Returns the number of response bytes. */
static size_t read_all(struct pair *p)
{
	char bytes[16384];
	size_t sum = 0;
	int count;

	while ((count = SSL_read(p->client, bytes, sizeof bytes)) > 0)
		sum += (size_t)count;
	CU_ASSERT_EQUAL(SSL_get_error(p->client, count), SSL_ERROR_WANT_READ);
	return sum;
}

static void a_pass_reads_its_limit_and_the_next_continues(void)
{
	static const int versions[] = { TLS1_2_VERSION, TLS1_3_VERSION };
	static char bytes[1 << 20];

	for (size_t i = 0; i < 2; i++) {
		size_t sum = 0, looks = 0;
		struct pair p;

		pair_init(&p, versions[i]);
		CU_ASSERT_EQUAL(SSL_write(p.server, bytes, sizeof bytes), sizeof bytes);
		for (; sum < sizeof bytes && looks < 1000; looks++) {
			size_t count;

			tls_limit_refill(p.limit, LIMIT);
			count = read_all(&p);
			CHECK(count <= LIMIT, "%zu bytes in one pass", count);
			sum += count;
		}
		CHECK(sum == sizeof bytes && looks >= sizeof bytes / LIMIT, "%zu bytes in %zu looks", sum, looks);
		pair_fini(&p);
	}
}

static void nothing_is_read_without_a_share(void)
{
	struct pair p;

	pair_init(&p, TLS1_3_VERSION);
	CU_ASSERT_EQUAL(SSL_write(p.server, "hello", 5), 5);
	tls_limit_refill(p.limit, 0);
	CU_ASSERT_EQUAL(read_all(&p), 0);
	tls_limit_refill(p.limit, LIMIT);
	CU_ASSERT_EQUAL(read_all(&p), 5);
	pair_fini(&p);
}

/* They carry no response data, and OpenSSL would read them all before it returns. */
static void records_without_response_data_count_too(void)
{
	enum { UPDATES = 2000 };
	size_t looks = 0;
	struct pair p;

	pair_init(&p, TLS1_3_VERSION);
	for (int i = 0; i < UPDATES; i++)
		CU_ASSERT(SSL_key_update(p.server, SSL_KEY_UPDATE_NOT_REQUESTED) && SSL_do_handshake(p.server) == 1);
	CU_ASSERT_EQUAL(SSL_write(p.server, "hello", 5), 5);
	do
		tls_limit_refill(p.limit, LIMIT);
	while (read_all(&p) == 0 && ++looks < UPDATES);
	CHECK(looks > 10 && looks < UPDATES, "%zu looks", looks);
	pair_fini(&p);
}

static void knows_its_library(void)
{
	char name[100] = "OpenSSL/";

	strcat(name, OpenSSL_version(OPENSSL_VERSION_STRING));
	CU_ASSERT(tls_limit_is_for(name));
	CU_ASSERT_FALSE(tls_limit_is_for("OpenSSL/0.9.8"));
	CU_ASSERT_FALSE(tls_limit_is_for("GnuTLS/3.7.9"));
	CU_ASSERT_FALSE(tls_limit_is_for("(OpenSSL/3.0.0) GnuTLS/3.7.9"));
}

const struct suite suite_tls_limit = { "tls_limit", (const struct test[]){
	TEST(a_pass_reads_its_limit_and_the_next_continues), TEST(nothing_is_read_without_a_share), TEST(records_without_response_data_count_too),
	TEST(knows_its_library), { 0 } } };
