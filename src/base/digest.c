#include "base/digest.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>

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

void digest_hex(struct str bytes, char hex[DIGEST_HEX + 1])
{
	unsigned char digest[SHA256_DIGEST_LENGTH];

	SHA256((const unsigned char *)(bytes.ptr ? bytes.ptr : ""), bytes.len, digest);
	for (size_t i = 0; i < sizeof digest; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}
