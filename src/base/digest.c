#include "base/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/libraries.h"
#include "base/mem.h"

static void *openssl_new(size_t size, const char *file, int line)
{
	void *ptr = malloc(size);

	(void)file, (void)line;
	if (!ptr && size)
		mem_die(size);
	return ptr;
}

static void *openssl_resize(void *ptr, size_t size, const char *file, int line)
{
	void *moved = realloc(ptr, size);

	(void)file, (void)line;
	if (!moved && size)
		mem_die(size);
	return moved;
}

static void openssl_free(void *ptr, const char *file, int line)
{
	(void)file, (void)line;
	free(ptr);
}

/* Refused where something else has made OpenSSL allocate: then it goes on with its own. */
void digest_set_up(void)
{
	CRYPTO_set_mem_functions(openssl_new, openssl_resize, openssl_free);
}

static void digest_write(const unsigned char digest[SHA256_DIGEST_LENGTH], char hex[DIGEST_HEX + 1])
{
	for (size_t i = 0; i < SHA256_DIGEST_LENGTH; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

void digest_hex(struct str bytes, char hex[DIGEST_HEX + 1])
{
	unsigned char digest[SHA256_DIGEST_LENGTH];

	SHA256((const unsigned char *)(bytes.ptr ? bytes.ptr : ""), bytes.len, digest);
	digest_write(digest, hex);
}

void digest_base64url(struct str bytes, char text[DIGEST_BASE64URL + 1])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	unsigned char digest[SHA256_DIGEST_LENGTH + 1] = { 0 };

	SHA256((const unsigned char *)(bytes.ptr ? bytes.ptr : ""), bytes.len, digest);
	for (size_t i = 0; i < DIGEST_BASE64URL; i++) {
		size_t at = i * 6 / 8, shift = 10 - i * 6 % 8;

		text[i] = digits[((unsigned)digest[at] << 8 | digest[at + 1]) >> shift & 63];
	}
	text[DIGEST_BASE64URL] = '\0';
}

/* --- in pieces --- */

struct digest { EVP_MD_CTX *context; };

static EVP_MD_CTX *digest_context(void)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();

	if (!context)
		mem_die(sizeof(struct digest));
	return context;
}

struct digest *digest_new(void)
{
	struct digest *d = mem_new(sizeof *d);

	d->context = digest_context();
	if (!EVP_DigestInit_ex(d->context, EVP_sha256(), NULL))
		mem_die(sizeof *d);
	return d;
}

void digest_free(struct digest *d)
{
	if (!d)
		return;
	EVP_MD_CTX_free(d->context);
	mem_free(d);
}

void digest_add(struct digest *d, struct str bytes)
{
	if (bytes.len && !EVP_DigestUpdate(d->context, bytes.ptr, bytes.len))
		mem_die(bytes.len);
}

void digest_hex_so_far(const struct digest *d, char hex[DIGEST_HEX + 1])
{
	unsigned char digest[SHA256_DIGEST_LENGTH];
	EVP_MD_CTX *copy = digest_context();

	if (!EVP_MD_CTX_copy_ex(copy, d->context) || !EVP_DigestFinal_ex(copy, digest, NULL))
		mem_die(sizeof digest);
	EVP_MD_CTX_free(copy);
	digest_write(digest, hex);
}

void digest_write_libraries(struct buf *out)
{
	buf_printf(out, "%s\n", OpenSSL_version(OPENSSL_VERSION)); /* with its name, and the date */
}
