#include "base/os/random.h"

#include <sys/random.h>

bool random_fill(void *bytes, size_t count)
{
	return getrandom(bytes, count, 0) == (ssize_t)count;
}
