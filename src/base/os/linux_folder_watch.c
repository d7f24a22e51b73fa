#include "base/os/folder_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

const bool folder_watch_is_there = true;

/* A file that goes is often followed by the next one: it says nothing. */
int folder_watch_open(const char *folder)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (fd >= 0 && inotify_add_watch(fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}
