#include "base/os/spawn.h"

void spawn_close_from(posix_spawn_file_actions_t *files, int first)
{
	posix_spawn_file_actions_addclosefrom_np(files, first);
}
