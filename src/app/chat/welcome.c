#include "app/chat/welcome.h"

#include <stdio.h>

struct welcome_line { const char *key, *does; };

static void welcome_draw_keys(struct canvas *canvas, unsigned row, unsigned column, unsigned columns)
{
	static const struct welcome_line keys[][2] = {
		{ { "Enter", "send" },      { "F2", "model" } },
		{ { "Ctrl-J", "new line" }, { "F3", "protocol" } },
		{ { "Ctrl-P", "commands" }, { "F4", "provider" } },
	};

	for (unsigned i = 0; i < 3; i++) {
		canvas_put(canvas, row + i, column, columns, ROLE_ACCENT, str_from(keys[i][0].key));
		canvas_put(canvas, row + i, column + 8, columns > 8 ? columns - 8 : 0, ROLE_MUTED, str_from(keys[i][0].does));
		if (columns < 40)
			continue;
		canvas_put(canvas, row + i, column + 22, columns - 22, ROLE_ACCENT, str_from(keys[i][1].key));
		canvas_put(canvas, row + i, column + 26, columns - 26, ROLE_MUTED, str_from(keys[i][1].does));
	}
}

static void welcome_draw_demo(struct canvas *canvas, unsigned row, unsigned column, unsigned columns)
{
	static const char *const tries[] = { "show me reasoning", "call two tools at once", "fail in the middle" };

	if (columns < 74)
		return;
	canvas_put(canvas, row, column + 40, 6, ROLE_ACCENT, STR("Try"));
	for (unsigned i = 0; i < 3; i++)
		canvas_put(canvas, row + i, column + 46, columns - 46, ROLE_MUTED, str_from(tries[i]));
}

void welcome_draw(struct canvas *canvas, struct area area, const struct view *view)
{
	char target[200];

	if (area.rows < 3)
		return;
	unsigned gutter = area.columns >= 40 ? 1 : 0, columns = area.columns - 2 * gutter;
	canvas_put(canvas, area.row, area.column + gutter, columns, ROLE_ACCENT, STR("weir"));
	snprintf(target, sizeof target, "%.*s \u00b7 %.*s \u00b7 %.*s", STR_ARG(str_head(view->provider, 40)),
	         STR_ARG(view->model.len ? str_head(view->model, 80) : STR("no model: F2")), STR_ARG(view->protocol));
	if (utf8_width(str_from(target)) + 6 <= columns)
		canvas_put_right(canvas, area.row, area.column + gutter, columns, ROLE_MUTED, str_from(target));
	unsigned row = area.row + (area.rows > 10 ? area.rows / 2 - 3 : 2), column = area.column + (columns >= 60 ? 6 : 1);
	if (row >= area.row + area.rows)
		return;
	columns = area.column + area.columns - column;
	canvas_put(canvas, row, column, columns, ROLE_TEXT, STR("A live view of what models say."));
	if (area.row + area.rows < row + 5)
		return;
	welcome_draw_keys(canvas, row + 2, column, columns);
	if (view->is_demo)
		welcome_draw_demo(canvas, row + 2, column, columns);
}
