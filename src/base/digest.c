#include "base/digest.h"

#include <openssl/sha.h>
#include <stdio.h>

void digest_hex(struct str bytes, char hex[DIGEST_HEX + 1])
{
	unsigned char digest[SHA256_DIGEST_LENGTH];

	SHA256((const unsigned char *)(bytes.ptr ? bytes.ptr : ""), bytes.len, digest);
	for (size_t i = 0; i < sizeof digest; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}
