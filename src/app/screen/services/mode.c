#include "app/screen/services/mode.h"

enum mode_paste mode_takes_paste(const void *part)
{
	(void)part;
	return PASTE_TAKEN;
}

bool mode_leave(const struct mode *mode, void *part)
{
	if (mode->leave)
		return mode->leave(part);
	mode->close(part);
	return false;
}
