#include "ui/surface.h"

static void surface_draw_edge(struct canvas *canvas, unsigned row)
{
	for (unsigned c = 0; c < canvas->columns; c++)
		canvas_put(canvas, row, c, 1, ROLE_SHEET_EDGE, STR("\u2500"));
}

void surface_draw(struct canvas *canvas, unsigned row, unsigned rows, bool edges)
{
	canvas_fill(canvas, (struct area){ row, 0, rows, canvas->columns }, ROLE_SHEET);
	if (!edges || rows < 2)
		return;
	surface_draw_edge(canvas, row);
	surface_draw_edge(canvas, row + rows - 1);
}
