#include "app/chat/welcome.h"

#include <stdio.h>

#include "chat/presets.h"
#include "render/flow.h"

#define SECOND_COLUMN 22u /* offset of the second column of keys */
#define TRIES_COLUMN 40u
#define TEXT_COLUMNS 64u

struct welcome_line { const char *key, *does; };

/* A line with the key of a command, or with its slash word if it has no key. */
static struct welcome_line welcome_line(const struct host *h, const char *command, const char *slash_word, const char *does)
{
	const char *key = host_key(h, command);

	return (struct welcome_line){ *key ? key : slash_word, does };
}

static void welcome_draw_line(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, unsigned indent,
                              const struct welcome_line *line)
{
	unsigned used = canvas_put(canvas, row, column, columns, ROLE_ACCENT, str_from(line->key)) + 1;

	indent = used > indent ? used : indent;
	canvas_put(canvas, row, column + indent, columns > indent ? columns - indent : 0, ROLE_MUTED, str_from(line->does));
}

static void welcome_draw_keys(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, const struct host *h)
{
	const struct welcome_line keys[][2] = {
		{ { "Enter", "send" },      welcome_line(h, "model", "/model", "model") },
		{ welcome_line(h, "new-line", "Alt-Enter", "new line"), welcome_line(h, "protocol", "/protocol", "protocol") },
		{ welcome_line(h, "palette", "/", "commands"), welcome_line(h, "provider", "/provider", "provider") },
	};
	bool both = columns >= 40;

	for (unsigned i = 0; i < 3; i++) {
		welcome_draw_line(canvas, row + i, column, both ? SECOND_COLUMN - 1 : columns, 8, &keys[i][0]);
		if (both)
			welcome_draw_line(canvas, row + i, column + SECOND_COLUMN, (columns < TRIES_COLUMN ? columns : TRIES_COLUMN) - SECOND_COLUMN, 4, &keys[i][1]);
	}
}

static void welcome_draw_demo(struct canvas *canvas, unsigned row, unsigned column, unsigned columns)
{
	static const char *const tries[] = { "show me reasoning", "call two tools at once", "fail in the middle" };

	if (columns < 74)
		return;
	canvas_put(canvas, row, column + TRIES_COLUMN, 6, ROLE_ACCENT, STR("Try"));
	for (unsigned i = 0; i < 3; i++)
		canvas_put(canvas, row + i, column + TRIES_COLUMN + 6, columns - TRIES_COLUMN - 6, ROLE_MUTED, str_from(tries[i]));
}

/* Variables that were searched for a key: those of presets that do not work without one. */
static unsigned welcome_count_variables(void)
{
	unsigned count = 0;

	for (size_t i = 0; preset_at(i); i++)
		count += preset_at(i)->key_env && !preset_at(i)->key_optional;
	return count;
}

/* Why the demo answers, and what to do about it. */
static void welcome_draw_next_step(struct canvas *canvas, struct area area, const struct host *h)
{
	struct welcome_line provider = welcome_line(h, "provider", "/provider", "");
	struct flow flow;
	char words[200];

	snprintf(words, sizeof words, "The demo answers for now. %s sets up a provider of yours; %s and %u other variables are searched for a key.",
	         provider.key, "OPENAI_API_KEY", welcome_count_variables() - 1);
	flow_init(&flow);
	flow_update(&flow, str_from(words), area.columns);
	for (unsigned r = 0; flow.count <= area.rows && r < flow.count; r++)
		canvas_put(canvas, area.row + r, area.column, area.columns, ROLE_MUTED, flow_row(&flow, str_from(words), r));
	flow_fini(&flow);
}

void welcome_draw(struct canvas *canvas, struct area area, const struct view *view, const struct host *h)
{
	char target[200], none[80];
	struct welcome_line model = welcome_line(h, "model", "/model", "");

	if (area.rows < 3)
		return;
	unsigned gutter = area.columns >= 40 ? 1 : 0, columns = area.columns - 2 * gutter;
	canvas_put(canvas, area.row, area.column + gutter, columns, ROLE_ACCENT, STR("weir"));
	snprintf(none, sizeof none, "no model: %s", model.key);
	snprintf(target, sizeof target, "%.*s \u00b7 %.*s \u00b7 %.*s", STR_ARG(str_head(view->provider, 40)),
	         STR_ARG(view->model.len ? str_head(view->model, 80) : str_from(none)), STR_ARG(view->protocol));
	if (utf8_width(str_from(target)) + 6 <= columns)
		canvas_put_right(canvas, area.row, area.column + gutter, columns, ROLE_MUTED, str_from(target));
	unsigned row = area.row + (area.rows > 10 ? area.rows / 2 - 3 : 2), column = area.column + (columns >= 60 ? 6 : 1);
	if (row >= area.row + area.rows)
		return;
	columns = area.column + area.columns - column;
	canvas_put(canvas, row, column, columns, ROLE_TEXT, STR("A live view of what models say."));
	if (area.row + area.rows < row + 5)
		return;
	welcome_draw_keys(canvas, row + 2, column, columns, h);
	if (!view->is_demo)
		return;
	welcome_draw_demo(canvas, row + 2, column, columns);
	columns = columns > TEXT_COLUMNS ? TEXT_COLUMNS : columns > 1 ? columns - 1 : 1;
	if (area.row + area.rows > row + 6)
		welcome_draw_next_step(canvas, (struct area){ row + 6, column, area.row + area.rows - row - 6, columns }, h);
}
