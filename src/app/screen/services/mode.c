#include "app/screen/services/mode.h"

bool mode_leave(const struct mode *mode, void *part)
{
	if (mode->leave)
		return mode->leave(part);
	mode->close(part);
	return false;
}
