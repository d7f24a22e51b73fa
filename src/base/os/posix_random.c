#include "base/os/random.h"

#include <fcntl.h>
#include <unistd.h>

/* POSIX 2008 has no function for it. All systems have the file. */
bool random_fill(void *bytes, size_t count)
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	bool good = fd >= 0 && read(fd, bytes, count) == (ssize_t)count;

	if (fd >= 0)
		close(fd);
	return good;
}
