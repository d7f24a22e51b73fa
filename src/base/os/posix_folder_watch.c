#include "base/os/folder_watch.h"

const bool folder_watch_is_there = false;

int folder_watch_open(const char *folder)
{
	(void)folder;
	return -1;
}
