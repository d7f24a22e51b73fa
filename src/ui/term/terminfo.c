#include "ui/term/terminfo.h"

#include <curses.h>
#include <string.h>
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

bool terminfo_places_cursor(const char *type)
{
	bool places = true;
	int found;

	if (!type || !*type || strcmp(type, "dumb") == 0)
		return false;
	if (setupterm(type, STDOUT_FILENO, &found) == OK) {
		const char *place = tigetstr("cup");

		places = place && place != (const char *)-1;
		del_curterm(cur_term);
	}
	return places;
}

int terminfo_colours(const char *type, enum colour_mode mode)
{
	int found;

	if (setupterm(type, STDOUT_FILENO, &found) != OK)
		return 0;
	int colours = capability_choose_colours(mode, capability_colours());
	del_curterm(cur_term);
	return colours;
}
