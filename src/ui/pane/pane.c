#include "ui/pane/pane.h"

#include "base/array.h"
#include "ui/rows.h"

#define NAME_MARGIN 3u      /* columns before the name: the start of the line */
#define PARTS_MARGIN 10u    /* columns of line and blanks around name and figures */
#define KEYS_GAP 4u         /* columns between name and keys */

static unsigned hairline_width(struct str words)
{
	return (unsigned)utf8_width(words);
}

/* As many of the last keys as `columns` have room for; none if there is no room for the last one. */
static struct str hairline_keys(unsigned columns)
{
	struct str keys = hints_fitting(STR(PANE_KEYS), columns);

	return hairline_width(keys) <= columns ? keys : STR_NONE;
}

void pane_draw_hairline(struct canvas *canvas, struct area area, const struct pane_hairline *hairline, bool focused)
{
	const struct str choices[] = { hairline->figures, hairline->least, STR_NONE };
	unsigned name = hairline_width(hairline->name), column = NAME_MARGIN + name + KEYS_GAP;
	struct str keys = STR_NONE, figures = STR_NONE;
	bool fits = false;

	for (size_t i = 0; i < ARRAY_LEN(choices) && !fits; i++) {
		unsigned taken = name + hairline_width(choices[i]) + PARTS_MARGIN;

		figures = choices[i];
		keys = focused ? hairline_keys(area.columns > taken + KEYS_GAP ? area.columns - taken - KEYS_GAP : 0) : STR_NONE;
		fits = focused ? keys.len > 0 : taken <= area.columns;
	}
	if (focused)
		canvas_hairline_focused(canvas, area, hairline->name, figures);
	else
		canvas_hairline(canvas, area, hairline->role, hairline->name, figures);
	if (keys.len) {
		unsigned columns = hairline_width(keys);

		canvas_put(canvas, area.row, area.column + column - 1, 1, ROLE_ACCENT, STR(" "));
		canvas_put(canvas, area.row, area.column + column, columns, ROLE_MUTED, keys);
		canvas_put(canvas, area.row, area.column + column + columns, 1, ROLE_ACCENT, STR(" "));
	}
}
