#include "terminfo_key.h"

#include <curses.h>
#include <stdio.h>
#include <term.h>

#include "ui/term/terminfo.h"

bool terminfo_key(const char *type, const char *capability, char *bytes, size_t size)
{
	const char *sequence;
	bool known;
	int found;

	if (!terminfo_knows(type) || setupterm(type, 1, &found) != OK)
		return false;
	sequence = tigetstr(capability);
	known = sequence && sequence != (const char *)-1;
	if (known)
		snprintf(bytes, size, "%s", sequence);
	del_curterm(cur_term);
	return known;
}
