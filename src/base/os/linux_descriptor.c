#include "base/os/descriptor.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

bool descriptor_pipe(int ends[2])
{
	return pipe2(ends, O_CLOEXEC) == 0;
}

int descriptor_socket(int family)
{
	return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

int descriptor_accept(int listener)
{
	return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

FILE *descriptor_memory_file(void)
{
	int fd = memfd_create("frame", MFD_CLOEXEC);

	return fd >= 0 ? fdopen(fd, "w+") : tmpfile();
}

void descriptor_path(int fd, char path[DESCRIPTOR_PATH_BYTES])
{
	snprintf(path, DESCRIPTOR_PATH_BYTES, "/proc/self/fd/%d", fd);
}

off_t descriptor_data(int fd, off_t at)
{
	return lseek(fd, at, SEEK_DATA);
}

/* As closefrom() of glibc, which other C libraries lack: kernels before 5.9 have no call for it. */
void descriptors_close(int first)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
		return;
#endif
	long most = sysconf(_SC_OPEN_MAX);

	for (int fd = first; fd < most; fd++)
		close(fd);
}
