#include "ui/table.h"

#include <stdio.h>

#include "base/mem.h"
#include "render/flow.h"
#include "ui/card.h"

#define COLUMNS_WANTED 90u
#define PAGE_ROWS 8
#define NAME_GAP 2u
#define NAME_MOST 20u
#define NOTE_MOST 24u
#define VALUE_LEAST 12u   /* columns beside a note; else there is none */
#define BELOW_ROWS 4u     /* for what is said of a row; always as many, so that rows do not move */
#define BELOW_ROWS_LOW 2u /* on a low card */
#define LOW_ROWS 16u      /* of its content, below which it is one; */
#define LOWEST_ROWS 8u    /* below which nothing is said */
#define INDENT 3u

struct table_row {
	char *name, *value, *note;
};

struct table {
	char *title;
	const char *keys;
	char *below;
	struct table_row *rows;
	size_t count, capacity;
	size_t marked, top;
};

struct table *table_new(struct str title, const char *keys)
{
	struct table *t = mem_new(sizeof *t);

	t->title = str_dup(title);
	t->keys = keys;
	return t;
}

void table_clear(struct table *t)
{
	for (size_t i = 0; i < t->count; i++) {
		mem_free(t->rows[i].name);
		mem_free(t->rows[i].value);
		mem_free(t->rows[i].note);
	}
	t->count = 0;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	table_clear(t);
	mem_free(t->rows);
	mem_free(t->title);
	mem_free(t->below);
	mem_free(t);
}

void table_add(struct table *t, struct str name, struct str value, struct str note)
{
	mem_reserve(&t->rows, &t->capacity, t->count + 1, sizeof *t->rows);
	t->rows[t->count++] = (struct table_row){ str_dup(name), str_dup(value), str_dup(note) };
}

void table_set_below(struct table *t, struct str text)
{
	str_replace(&t->below, text);
}

size_t table_marked(const struct table *t)
{
	return t->marked;
}

void table_mark(struct table *t, size_t row)
{
	t->marked = row < t->count ? row : t->count ? t->count - 1 : 0;
}

void table_set_keys(struct table *t, const char *keys)
{
	t->keys = keys;
}

/* --- keys --- */

static long table_step(const struct table *t, const struct key *key)
{
	bool is_text = key->code == KEY_TEXT;

	if (key->code == KEY_UP || key->code == KEY_BACKTAB || (is_text && str_is(key->text, "k")))
		return -1;
	if (key->code == KEY_DOWN || key->code == KEY_TAB || (is_text && str_is(key->text, "j")))
		return 1;
	if (key->code == KEY_PAGE_UP || key->code == KEY_PAGE_DOWN)
		return key->code == KEY_PAGE_UP ? -PAGE_ROWS : PAGE_ROWS;
	if (key->code == KEY_HOME || key->code == KEY_END)
		return key->code == KEY_HOME ? -(long)t->count : (long)t->count;
	return 0;
}

bool table_key(struct table *t, const struct key *key)
{
	long step = table_step(t, key), to = (long)t->marked + step;

	if (step)
		t->marked = to < 0 || !t->count ? 0 : to >= (long)t->count ? t->count - 1 : (size_t)to;
	return step != 0;
}

/* --- drawing --- */

static unsigned name_columns(const struct table *t)
{
	unsigned most = 0;

	for (size_t i = 0; i < t->count; i++) {
		unsigned columns = flow_columns(str_from(t->rows[i].name), NAME_MOST);

		most = columns > most ? columns : most;
	}
	return most ? most + NAME_GAP : 0;
}

/* What does not fit ends in a sign that says so. */
static void put_cut(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role, struct str text)
{
	bool cut = flow_columns(text, columns + 1) > columns;

	if (!columns)
		return;
	column += canvas_put(canvas, row, column, cut ? columns - 1 : columns, role, text);
	if (cut)
		canvas_put(canvas, row, column, 1, role, STR("\u2026"));
}

static void draw_row(const struct table *t, const struct table_row *row, struct canvas *canvas, struct area line, bool marked)
{
	enum role_name role = marked ? ROLE_SHEET_CHOSEN : ROLE_SHEET, muted = marked ? ROLE_SHEET_CHOSEN : ROLE_SHEET_MUTED;
	unsigned names = name_columns(t), room = line.columns > INDENT + 1 ? line.columns - INDENT - 1 : 1;
	unsigned note = flow_columns(str_from(row->note), NOTE_MOST);

	if (names + VALUE_LEAST + NAME_GAP + note > room)
		note = 0;
	if (marked) {
		canvas_fill(canvas, line, ROLE_SHEET_CHOSEN);
		canvas_put(canvas, line.row, line.column + 1, 1, role, STR(">"));
	}
	put_cut(canvas, line.row, line.column + INDENT, room, muted, str_from(row->name));
	if (room > names)
		put_cut(canvas, line.row, line.column + INDENT + names, room - names - (note ? note + NAME_GAP : 0), role, str_from(row->value));
	if (note)
		canvas_put(canvas, line.row, line.column + line.columns - 1 - note, note, muted, str_from(row->note));
}

static void draw_below(const struct table *t, struct canvas *canvas, struct area area)
{
	struct str text = str_from(t->below);
	struct flow flow;

	flow_init(&flow);
	flow_update(&flow, text, area.columns);
	for (unsigned r = 0; r < area.rows && r < flow.count; r++)
		canvas_put(canvas, area.row + r, area.column, area.columns, ROLE_SHEET_MUTED, flow_row(&flow, text, r));
	flow_fini(&flow);
}

static void draw_list(struct table *t, struct canvas *canvas, struct area list)
{
	if (t->top + list.rows > t->count)
		t->top = t->count > list.rows ? t->count - list.rows : 0;
	if (t->marked < t->top)
		t->top = t->marked;
	if (list.rows && t->marked >= t->top + list.rows)
		t->top = t->marked - list.rows + 1;
	for (unsigned r = 0; r < list.rows && t->top + r < t->count; r++)
		draw_row(t, &t->rows[t->top + r], canvas, (struct area){ list.row + r, list.column, 1, list.columns }, t->top + r == t->marked);
}

void table_draw(struct table *t, struct canvas *canvas)
{
	char place[48];
	struct card card = { .title = str_from(t->title), .keys = str_from(t->keys), .columns = COLUMNS_WANTED,
	                     .rows = (unsigned)(t->count < UINT16_MAX ? t->count : UINT16_MAX) + 1 + BELOW_ROWS };
	struct area area = card_area(canvas, &card);
	unsigned below = area.rows >= LOW_ROWS ? BELOW_ROWS : area.rows >= LOWEST_ROWS ? BELOW_ROWS_LOW : 0;
	struct area list = { area.row, area.column, below ? area.rows - below - 1 : area.rows, area.columns };

	table_mark(t, t->marked);
	snprintf(place, sizeof place, "%zu of %zu", t->marked + 1, t->count);
	if (t->count > list.rows)
		card.place = str_from(place);
	card_draw(canvas, &card);
	canvas->cursor_shown = false;
	draw_list(t, canvas, list);
	if (below && area.columns > 2 * INDENT)
		draw_below(t, canvas, (struct area){ list.row + list.rows + 1, area.column + INDENT, below, area.columns - 2 * INDENT });
}
