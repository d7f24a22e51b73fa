#include "base/os/folder_watch.h"

int folder_watch_open(const char *folder)
{
	(void)folder;
	return -1;
}
