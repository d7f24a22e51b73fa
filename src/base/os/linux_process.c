#include "base/os/process.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PROGRAM "/proc/self/exe" /* also when the file was replaced since the start */
#define GONE " (deleted)"

const bool process_adopts = true;

void process_started_as(const char *name)
{
	(void)name;
}

const char *process_program(void)
{
	return PROGRAM;
}

/* Of a file that was replaced since the start, as by an upgrade, the kernel tells the path with GONE behind it: what is there now is named. */
bool process_program_path(char path[PATH_MAX])
{
	ssize_t len = readlink(PROGRAM, path, PATH_MAX - 1);
	size_t gone = sizeof GONE - 1;

	if (len <= 0)
		return false;
	path[len] = '\0';
	if ((size_t)len > gone && !strcmp(path + (size_t)len - gone, GONE) && access(path, F_OK) != 0)
		path[(size_t)len - gone] = '\0';
	return true;
}

void process_hide(void)
{
	prctl(PR_SET_DUMPABLE, 0);
}

bool process_end_with_parent(int signal)
{
	return prctl(PR_SET_PDEATHSIG, signal) == 0;
}

void process_adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void process_signal_children(int signal)
{
	int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	char bytes[512];
	pid_t pid = 0;
	ssize_t n;

	while (list >= 0 && (n = read(list, bytes, sizeof bytes)) > 0)
		for (ssize_t i = 0; i < n; i++) {
			if (bytes[i] >= '0' && bytes[i] <= '9') {
				pid = pid * 10 + (bytes[i] - '0');
				continue;
			}
			if (pid)
				kill(pid, signal);
			pid = 0;
		}
	if (list >= 0)
		close(list);
}

int process_descriptor(pid_t child)
{
#ifdef SYS_pidfd_open
	int fd = (int)syscall(SYS_pidfd_open, child, 0);

	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
#else
	(void)child;
	return -1;
#endif
}

void process_descriptor_look(int fd)
{
	(void)fd;
}

void process_descriptor_close(int fd)
{
	close(fd);
}
