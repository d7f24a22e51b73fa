#include "base/os/spawn.h"

#include <fcntl.h>
#include <unistd.h>

#define DESCRIPTORS_LOOKED_AT 65536 /* the limit of a process may be a thousand times what it uses */

/* Our own are marked; those that actions have duplicated for the program are not. */
void spawn_close_from(posix_spawn_file_actions_t *files, int first)
{
	long most = sysconf(_SC_OPEN_MAX);

	(void)files;
	if (most < 0 || most > DESCRIPTORS_LOOKED_AT)
		most = DESCRIPTORS_LOOKED_AT;
	for (int fd = first; fd < most; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC); /* fails where none is open */
}
