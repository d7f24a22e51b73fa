#include "base/os/bytes.h"

#include <string.h>

const char *bytes_find(const char *bytes, size_t len, const char *part, size_t part_len)
{
	return memmem(bytes, len, part, part_len);
}
