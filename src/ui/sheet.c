#include "ui/sheet.h"

#include <string.h>

#include "base/mem.h"
#include "ui/rows.h"

#define WIDTH_MOST 96u
#define MARGIN 2u

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
	buf_init(&s->text, BUF_LIMIT_DEFAULT);
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

static void scroll(struct sheet *s, long rows)
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
	case KEY_UP:        scroll(s, -1); return true;
	case KEY_DOWN:      scroll(s, 1); return true;
	case KEY_PAGE_UP:   scroll(s, -page); return true;
	case KEY_PAGE_DOWN: scroll(s, page); return true;
	case KEY_HOME:      s->top = 0; return true;
	case KEY_END:       scroll(s, (long)s->flow.count); return true;
	default:            return false;
	}
}

/* As wide as its text may be, as high as it needs, in the middle; small screens are filled. */
static struct area place(struct sheet *s, const struct canvas *c, unsigned input_rows)
{
	struct area a = { .columns = c->columns > WIDTH_MOST + 4 ? WIDTH_MOST : c->columns };
	unsigned inside = a.columns > 2 * MARGIN ? a.columns - 2 * MARGIN : 1;
	flow_update(&s->flow, buf_str(&s->text), inside);
	unsigned wanted = (unsigned)(s->flow.count < 1000 ? s->flow.count : 1000) + input_rows + 5;
	a.rows = wanted < c->rows ? wanted : c->rows;
	a.row = (c->rows - a.rows) / 3;
	a.column = (c->columns - a.columns) / 2;
	return a;
}

static void draw_input(struct sheet *s, struct canvas *c, struct area area)
{
	canvas_put(c, area.row, area.column, area.columns, ROLE_ACCENT, str_from(s->label));
	struct area input = { area.row + 1, area.column + 2, area.rows - 1, area.columns > 2 ? area.columns - 2 : 1 };
	canvas_put(c, input.row, area.column, 2, ROLE_ACCENT, STR("> "));
	edit_draw(&s->edit, c, input, ROLE_SHEET, true);
}

void sheet_draw(struct sheet *s, struct canvas *c)
{
	unsigned input_rows = 0;
	if (s->label) {
		unsigned most = c->rows / 3 + 1, rows = edit_rows(&s->edit, c->columns > 8 ? c->columns - 8 : 1);
		input_rows = 2 + (rows < most ? rows : most);
	}
	struct area a = place(s, c, input_rows);
	canvas_fill(c, a, ROLE_SHEET);
	c->cursor_shown = false;
	unsigned column = a.column + MARGIN, columns = a.columns > 2 * MARGIN ? a.columns - 2 * MARGIN : 1;
	unsigned chrome = a.rows >= 8 ? 2 : 1; /* title and a blank row, or just the title */
	canvas_put(c, a.row + chrome / 2, column, columns, ROLE_SHEET_TITLE, str_from(s->title));
	unsigned first = a.row + chrome / 2 + chrome;
	unsigned below = input_rows + 1 + chrome / 2;
	s->height = a.row + a.rows > first + below ? a.row + a.rows - first - below : 1;
	scroll(s, 0);
	for (unsigned r = 0; r < s->height && s->top + r < s->flow.count; r++)
		rows_put(c, first + r, column, columns, ROLE_SHEET, &s->flow, buf_str(&s->text), s->top + r);
	if (input_rows)
		draw_input(s, c, (struct area){ first + s->height, column, input_rows - 1, columns });
	unsigned bottom = a.row + a.rows - 1 - chrome / 4;
	canvas_put(c, bottom, column, columns, ROLE_MUTED, str_from(s->keys));
	if (s->top + s->height < s->flow.count)
		canvas_put_right(c, bottom, column, columns, ROLE_MUTED, STR("PgDn more"));
}
