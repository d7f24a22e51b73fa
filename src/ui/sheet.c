#include "ui/sheet.h"

#include <string.h>

#include "base/mem.h"
#include "render/flow.h"
#include "ui/edit/edit.h"
#include "ui/rows.h"
#include "ui/surface.h"

#define WIDTH_MOST 96u
#define MARGIN 2u
#define MORE "PgDn more"
#define MORE_COLUMNS 12u

struct sheet {
	char *title;
	const char *keys;
	const char *label;
	struct buf text;
	struct flow flow;
	struct edit edit;
	size_t top;
	unsigned height; /* of the text, as last drawn */
};

struct sheet *sheet_new(struct str title, const char *keys, const char *label)
{
	struct sheet *s = mem_new(sizeof *s);

	s->title = str_dup(title);
	s->keys = keys;
	s->label = label;
	s->height = 1;
	flow_init(&s->flow);
	edit_init(&s->edit, false);
	return s;
}

void sheet_free(struct sheet *s)
{
	if (!s)
		return;
	mem_free(s->title);
	buf_fini(&s->text);
	flow_fini(&s->flow);
	edit_fini(&s->edit);
	mem_free(s);
}

void sheet_set_keys(struct sheet *s, const char *keys)
{
	s->keys = keys;
}

void sheet_set_text(struct sheet *s, struct str text)
{
	buf_clear(&s->text);
	buf_add(&s->text, text);
	flow_reset(&s->flow);
}

struct str sheet_input(const struct sheet *s)
{
	return buf_str(&s->edit.text);
}

static void sheet_scroll(struct sheet *s, long rows)
{
	size_t last = s->flow.count > s->height ? s->flow.count - s->height : 0;

	if (rows < 0)
		s->top -= (size_t)-rows < s->top ? (size_t)-rows : s->top;
	else
		s->top = s->top + (size_t)rows < last ? s->top + (size_t)rows : last;
}

bool sheet_key(struct sheet *s, const struct key *key)
{
	long page = s->height > 1 ? (long)s->height - 1 : 1;

	if (s->label && key->code != KEY_PAGE_UP && key->code != KEY_PAGE_DOWN)
		return key->code != KEY_ENTER && key->code != KEY_ESCAPE && edit_key(&s->edit, key);
	switch ((int)key->code) {
	case KEY_UP:        sheet_scroll(s, -1); return true;
	case KEY_DOWN:      sheet_scroll(s, 1); return true;
	case KEY_PAGE_UP:   sheet_scroll(s, -page); return true;
	case KEY_PAGE_DOWN: sheet_scroll(s, page); return true;
	case KEY_HOME:      s->top = 0; return true;
	case KEY_END:       sheet_scroll(s, (long)s->flow.count); return true;
	default:            return false;
	}
}

static bool sheet_hides_more(const struct sheet *s)
{
	return s->top + s->height < s->flow.count;
}

static void sheet_draw_input(struct sheet *s, struct canvas *c, struct area area)
{
	canvas_put(c, area.row, area.column, area.columns, ROLE_SHEET_MUTED, str_from(s->label));
	if (sheet_hides_more(s) && strlen(s->label) + MORE_COLUMNS < area.columns)
		canvas_put_right(c, area.row, area.column, area.columns, ROLE_SHEET_MUTED, STR(MORE));
	canvas_put(c, area.row + 1, area.column, 2, ROLE_SHEET_MATCH, STR("> "));
	struct area input = { area.row + 1, area.column + 2, area.rows - 1, area.columns > 2 ? area.columns - 2 : 1 };
	edit_draw(&s->edit, c, input, ROLE_SHEET, true);
}

static void sheet_draw_text(struct sheet *s, struct canvas *c, struct area area)
{
	s->height = area.rows;
	sheet_scroll(s, 0);
	for (unsigned r = 0; r < area.rows && s->top + r < s->flow.count; r++)
		rows_put(c, area.row + r, area.column, area.columns, ROLE_SHEET, &s->flow, buf_str(&s->text), s->top + r);
}

/* That there is more is worth room beside the keys; with an input it is told above that. */
static void sheet_draw_keys(const struct sheet *s, struct canvas *c, struct area area)
{
	bool more = sheet_hides_more(s) && !s->label && area.columns > 2 * MORE_COLUMNS;
	struct str keys = hints_fitting(str_from(s->keys), more ? area.columns - MORE_COLUMNS : area.columns);

	canvas_put(c, area.row, area.column, area.columns, ROLE_SHEET_MUTED, keys);
	if (more)
		canvas_put_right(c, area.row, area.column, area.columns, ROLE_SHEET_MUTED, STR(MORE));
}

/* What is written, its label, and a blank row where there is air; one row of the text stays. */
static unsigned sheet_input_rows(const struct sheet *s, const struct canvas *c, unsigned air, unsigned room)
{
	unsigned most = c->rows / 3 + 1, rows = edit_rows(&s->edit, c->columns > 8 ? c->columns - 8 : 1), around = 2 + air;

	if (!s->label)
		return 0;
	most = room < around + most ? (room > around ? room - around : 1) : most;
	return 1 + air + (rows < most ? rows : most);
}

/*
 * Title, text, input and keys, parted by blank rows and edged where the screen is high enough for that. The last row stays the
 * status bar's: it says what a key did.
 */
void sheet_draw(struct sheet *s, struct canvas *c)
{
	unsigned columns = c->columns > WIDTH_MOST + 2 * MARGIN ? WIDTH_MOST : c->columns > 2 * MARGIN ? c->columns - 2 * MARGIN : 1;
	unsigned column = (c->columns - columns) / 2, edge = c->rows >= 9, air = c->rows >= 12;
	unsigned most = c->rows - 1, around = 2 * edge + 2 + 2 * air, input = sheet_input_rows(s, c, air, most > around ? most - around : 0);

	around += input;
	flow_update(&s->flow, buf_str(&s->text), columns);
	size_t room = most > around ? most - around : 1;
	unsigned height = (unsigned)(s->flow.count < room ? s->flow.count : room);
	unsigned rows = around + height < most ? around + height : most, row = (most - rows) / 3;
	surface_draw(c, row, rows, edge);
	c->cursor_shown = false;
	row += edge;
	canvas_put(c, row, column, columns, ROLE_SHEET_TITLE, str_from(s->title));
	row += 1 + air;
	sheet_draw_text(s, c, (struct area){ row, column, height, columns });
	row += height;
	if (input)
		sheet_draw_input(s, c, (struct area){ row + air, column, input - air, columns });
	sheet_draw_keys(s, c, (struct area){ row + input + air, column, 1, columns });
}
