#include "ui/pane/pane.h"

#include <stdio.h>

#define MARGIN 10 /* what parts name and keys from each other and from the edges */

void pane_draw_focused(struct canvas *canvas, struct area area, struct str name, struct str figures)
{
	char all[300];
	struct str keys = STR(PANE_KEYS);

	snprintf(all, sizeof all, "%.*s \u2500\u2500 %.*s", STR_ARG(name), STR_ARG(figures));
	bool fits = utf8_width(str_from(all)) + keys.len + MARGIN <= area.columns;
	canvas_hairline_focused(canvas, area, fits ? str_from(all) : name, keys);
}
