#include "ui/display_list.h"

#include <string.h>

#include "ui/canvas.h"

/* A longer list, of a row that is drawn over and over, is forgotten once it is drawn. */
#define LIST_MOST(columns) (4096 + 64 * (size_t)(columns))

enum op { OP_TEXT, OP_REPEAT, OP_RESTYLE };

/* An operation. `len` bytes of text follow it, then the colours, if it has any. Without padding: lists are compared as bytes. */
struct drawing {
	uint8_t op, role, attributes, width;
	uint16_t link;
	uint8_t has_colours, spare;
	uint32_t column, count, len;
};
_Static_assert(sizeof(struct drawing) == 20, "no padding");

/* --- cells --- */

static void blank_cell(struct cell *cell, uint8_t role)
{
	*cell = (struct cell){ .text = " ", .len = 1, .width = 1, .role = role };
}

/* Call before a cell is overwritten: if it is half of a wide cluster, blanks the other half. */
static void blank_other_half(struct display_list *list, unsigned column)
{
	struct cell *cell = &list->cells[column];

	if (cell->width == 0 && column > 0)
		blank_cell(cell - 1, cell[-1].role);
	if (cell->width == 2 && column + 1 < list->columns)
		blank_cell(cell + 1, cell->role);
}

static void set_cell(struct display_list *list, unsigned column, const struct cell *cell)
{
	struct cell *to = &list->cells[column];

	if (to->width != 1)
		blank_other_half(list, column);
	if (cell->width == 2) {
		if (to[1].width != 1)
			blank_other_half(list, column + 1);
		to[1] = (struct cell){ .role = cell->role, .attributes = cell->attributes };
	}
	*to = *cell;
}

static void set_text(struct display_list *list, unsigned column, struct cell cell, struct str ascii)
{
	blank_other_half(list, column);
	blank_other_half(list, column + (unsigned)ascii.len - 1);
	for (size_t i = 0; i < ascii.len; i++) {
		cell.text[0] = ascii.ptr[i];
		list->cells[column + i] = cell;
	}
}

static void set_blank(struct display_list *list)
{
	for (unsigned i = 0; i < list->columns; i++)
		blank_cell(&list->cells[i], ROLE_TEXT);
}

/* --- drawing it --- */

/* Draws the operation at the start of `rest`, and removes it. */
static void draw_one(struct display_list *list, struct str *rest)
{
	struct drawing d;

	memcpy(&d, rest->ptr, sizeof d);
	struct str text = str_head(str_skip(*rest, sizeof d), d.len);
	struct cell cell = { .len = 1, .width = d.width, .role = d.role, .attributes = d.attributes, .link = d.link };
	*rest = str_skip(*rest, sizeof d + d.len);
	switch ((enum op)d.op) {
	case OP_TEXT:
		set_text(list, d.column, cell, text);
		break;
	case OP_REPEAT:
		memcpy(cell.text, text.ptr, text.len);
		cell.len = (uint8_t)d.len;
		if (d.has_colours)
			memcpy(cell.colours, rest->ptr, sizeof cell.colours);
		*rest = str_skip(*rest, d.has_colours ? sizeof cell.colours : 0);
		for (unsigned i = 0; i < d.count; i++)
			set_cell(list, d.column + i * d.width, &cell);
		break;
	case OP_RESTYLE:
		for (unsigned i = 0; i < d.count; i++)
			list->cells[d.column + i].role = d.role;
		break;
	}
}

void display_list_settle(struct display_list *list)
{
	bool same = list->cleared && !list->unknown && str_equal(buf_str(&list->drawn), buf_str(&list->before));
	struct str rest = str_skip(buf_str(&list->drawn), same ? list->drawn.len : list->applied);

	if (!same && (list->cleared || rest.len))
		list->version++;
	if (!same && list->cleared)
		set_blank(list);
	while (rest.len)
		draw_one(list, &rest);
	list->applied = list->drawn.len;
	list->unknown &= !list->cleared;
	list->cleared = false;
}

/* --- the list --- */

void display_list_init(struct display_list *list)
{
	*list = (struct display_list){ .version = 1 };
}

void display_list_fini(struct display_list *list)
{
	buf_fini(&list->drawn);
	buf_fini(&list->before);
}

void display_list_start(struct display_list *list, struct cell *cells, unsigned columns)
{
	list->cells = cells;
	list->columns = columns;
	buf_clear(&list->drawn);
	buf_clear(&list->before);
	list->applied = 0;
	list->cleared = list->unknown = false;
	list->version++;
	set_blank(list);
}

void display_list_clear(struct display_list *list)
{
	if (!list->cleared) {
		struct buf drawn = list->drawn;

		list->unknown |= list->applied < drawn.len;
		list->drawn = list->before;
		list->before = drawn;
	}
	list->cleared = true;
	list->applied = 0;
	buf_clear(&list->drawn);
}

static void display_list_add(struct display_list *list, const struct drawing *drawing, const char *text, const struct cell *cell)
{
	buf_add(&list->drawn, str_of((const char *)drawing, sizeof *drawing));
	buf_add(&list->drawn, str_of(text, drawing->len));
	if (drawing->has_colours)
		buf_add(&list->drawn, str_of((const char *)cell->colours, sizeof cell->colours));
	if (list->drawn.len > LIST_MOST(list->columns)) {
		display_list_settle(list);
		buf_clear(&list->drawn);
		list->applied = 0;
		list->unknown = true;
	}
}

void display_list_text(struct display_list *list, unsigned column, const struct cell *style, struct str ascii)
{
	const struct drawing drawing = {
		.op = OP_TEXT, .role = style->role, .attributes = style->attributes, .width = 1, .link = style->link,
		.column = column, .count = (uint32_t)ascii.len, .len = (uint32_t)ascii.len,
	};

	display_list_add(list, &drawing, ascii.ptr, style);
}

void display_list_repeat(struct display_list *list, unsigned column, unsigned count, const struct cell *cell)
{
	static const uint16_t none[CELL_COLOURS];
	const struct drawing drawing = {
		.op = OP_REPEAT, .role = cell->role, .attributes = cell->attributes, .width = cell->width, .link = cell->link,
		.has_colours = memcmp(cell->colours, none, sizeof none) != 0, .column = column, .count = count, .len = cell->len,
	};

	display_list_add(list, &drawing, cell->text, cell);
}

void display_list_restyle(struct display_list *list, unsigned column, unsigned count, uint8_t role)
{
	const struct drawing drawing = { .op = OP_RESTYLE, .role = role, .column = column, .count = count };

	display_list_add(list, &drawing, "", NULL);
}
