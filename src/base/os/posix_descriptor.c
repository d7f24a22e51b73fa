#include "base/os/descriptor.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#define DESCRIPTORS_LOOKED_AT 65536 /* the limit of a process may be a thousand times what it uses */

static int keep_to_us(int fd)
{
	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

static int do_not_block(int fd)
{
	if (fd >= 0)
		fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

bool descriptor_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return false;
	keep_to_us(ends[0]);
	keep_to_us(ends[1]);
	return true;
}

int descriptor_socket(int family)
{
	return do_not_block(keep_to_us(socket(family, SOCK_STREAM, 0)));
}

int descriptor_accept(int listener)
{
	return do_not_block(keep_to_us(accept(listener, NULL, NULL)));
}

FILE *descriptor_memory_file(void)
{
	FILE *file = tmpfile();

	if (file)
		keep_to_us(fileno(file));
	return file;
}

void descriptor_path(int fd, char path[DESCRIPTOR_PATH_BYTES])
{
	snprintf(path, DESCRIPTOR_PATH_BYTES, "/dev/fd/%d", fd);
}

off_t descriptor_data(int fd, off_t at)
{
	(void)fd;
	return at;
}

void descriptors_close(int first)
{
	long most = sysconf(_SC_OPEN_MAX);

	if (most < 0 || most > DESCRIPTORS_LOOKED_AT)
		most = DESCRIPTORS_LOOKED_AT;
	for (int fd = first; fd < most; fd++)
		close(fd);
}
