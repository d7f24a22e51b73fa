#include "base/os/bytes.h"

#include <string.h>

const char *bytes_find(const char *bytes, size_t len, const char *part, size_t part_len)
{
	while (len >= part_len) {
		const char *at = memchr(bytes, *part, len - part_len + 1);

		if (!at || memcmp(at, part, part_len) == 0)
			return at;
		len -= (size_t)(at + 1 - bytes);
		bytes = at + 1;
	}
	return NULL;
}
