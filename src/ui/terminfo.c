#include "ui/terminfo.h"

#include <curses.h>
#include <term.h>
#include <unistd.h>

bool terminfo_knows(const char *type)
{
	int found;

	if (setupterm(type, STDOUT_FILENO, &found) != OK)
		return false;
	del_curterm(cur_term);
	return true;
}
