#include "ui/canvas.h"

#include <string.h>

#include "base/least.h"
#include "base/mem.h"
#include "render/flow.h"
#include "ui/display_list.h"
#include "ui/picture.h"

#define LINKS_RENEWED_AT (LINKS_MOST * 3 / 4)

static struct display_list *list_at(const struct canvas *canvas, unsigned row)
{
	return &canvas->lists[row];
}

struct canvas *canvas_new(unsigned rows, unsigned columns)
{
	struct canvas *canvas = mem_new(sizeof *canvas);

	canvas_resize(canvas, rows, columns);
	return canvas;
}

void canvas_free(struct canvas *canvas)
{
	if (!canvas)
		return;
	links_forget(&canvas->links);
	canvas_resize(canvas, 0, 0);
	mem_free(canvas->lists);
	mem_free(canvas->cells);
	mem_free(canvas);
}

void canvas_resize(struct canvas *canvas, unsigned rows, unsigned columns)
{
	for (unsigned r = rows; r < canvas->rows; r++)
		display_list_fini(&canvas->lists[r]);
	canvas->cells = mem_resize(canvas->cells, (size_t)rows * columns, sizeof *canvas->cells);
	canvas->lists = mem_resize(canvas->lists, rows, sizeof *canvas->lists);
	for (unsigned r = canvas->rows; r < rows; r++)
		display_list_init(&canvas->lists[r]);
	canvas->rows = rows;
	canvas->columns = columns;
	for (unsigned r = 0; r < rows; r++)
		display_list_start(&canvas->lists[r], canvas->cells + (size_t)r * columns, columns);
	canvas_clear(canvas);
}

/* Frees all link numbers before they run out. A changed `links_age` tells holders of older cells that their numbers are invalid. */
static void canvas_renew_links(struct canvas *canvas)
{
	if (canvas->links.count < LINKS_RENEWED_AT)
		return;
	links_forget(&canvas->links);
	canvas->links_age++;
}

void canvas_clear(struct canvas *canvas)
{
	canvas_renew_links(canvas);
	canvas_use_links(canvas, NULL, 0);
	for (unsigned r = 0; r < canvas->rows; r++)
		display_list_clear(&canvas->lists[r]);
	canvas->cursor_row = canvas->cursor_column = 0;
	canvas->cursor_shown = false;
	canvas->card = (struct area){ 0 };
	canvas->placed_count = 0;
}

/* The number of items in [at, at + count) that are below `size`. */
static unsigned canvas_clip(unsigned at, unsigned count, unsigned size)
{
	return at >= size ? 0 : least(count, size - at);
}

static struct cell styled_blank_cell(uint8_t role, uint8_t attributes, unsigned link)
{
	return (struct cell){ .text = " ", .len = 1, .width = 1, .role = role, .attributes = attributes, .link = (uint16_t)link };
}

void canvas_fill(struct canvas *canvas, struct area area, enum role_name role)
{
	unsigned rows = canvas_clip(area.row, area.rows, canvas->rows);
	unsigned columns = canvas_clip(area.column, area.columns, canvas->columns);
	struct cell blank = styled_blank_cell((uint8_t)role, 0, 0);

	for (unsigned r = 0; r < rows && columns; r++)
		display_list_repeat(list_at(canvas, area.row + r), area.column, columns, &blank);
}

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Number of leading bytes, a multiple of eight, that are printable ASCII. */
static unsigned canvas_plain_blocks(struct str text)
{
	size_t len = 0;
	uint64_t block;

	for (; len + sizeof block <= text.len; len += sizeof block) {
		memcpy(&block, text.ptr + len, sizeof block);
		/* The highest bit of a byte: it is not ASCII; it is less than a blank; it is DEL. */
		if ((block | (block - EACH_BYTE(' ')) | (block + EACH_BYTE(1))) & EACH_BYTE(0x80))
			break;
	}
	return (unsigned)len;
}

/* Length of the printable ASCII at the start of `text`, at most `room`: one cell a byte, without cluster segmentation. */
static unsigned canvas_plain_length(struct str text, unsigned room)
{
	unsigned len = canvas_plain_blocks(str_head(text, text.len < room ? text.len : room));

	while (len < room && len < text.len && text.ptr[len] >= ' ' && text.ptr[len] < 0x7F)
		len++;
	/* The next character may combine with the last byte. */
	return len && len < text.len && text.ptr[len] & 0x80 ? len - 1 : len;
}

/* Writes text in the style of the blank cell `plain`. */
static unsigned canvas_put_text(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, struct cell plain, struct str text)
{
	unsigned room = row < canvas->rows ? canvas_clip(column, columns, canvas->columns) : 0;
	unsigned used = 0;
	struct flow_cell next;

	for (;;) {
		unsigned ascii = canvas_plain_length(text, room - used);
		struct cell cell = plain;

		if (ascii)
			display_list_text(list_at(canvas, row), column + used, &plain, str_head(text, ascii));
		text = str_skip(text, ascii);
		used += ascii;
		if (!flow_next(&text, used, &next) || used + (next.blank ? 0 : next.columns) > room)
			return used;
		if (!next.blank) {
			memcpy(cell.text, next.cell.text, sizeof cell.text);
			cell.len = next.cell.len;
			cell.width = next.cell.width;
		}
		unsigned count = least(next.columns, room - used) / (cell.width ? cell.width : 1);
		if (count)
			display_list_repeat(list_at(canvas, row), column + used, count, &cell);
		used = least(used + next.columns, room);
	}
}

unsigned canvas_put_styled(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role,
	uint8_t attributes, struct str text)
{
	return canvas_put_text(canvas, row, column, columns, styled_blank_cell((uint8_t)role, attributes, 0), text);
}

unsigned canvas_put(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role, struct str text)
{
	return canvas_put_styled(canvas, row, column, columns, role, 0, text);
}

void canvas_use_links(struct canvas *canvas, const struct str *destinations, size_t count)
{
	canvas->destinations = destinations;
	canvas->destination_count = count;
}

static unsigned canvas_link(struct canvas *canvas, const struct span *span)
{
	return span->link && span->link <= canvas->destination_count ? links_number(&canvas->links, canvas->destinations[span->link - 1]) : 0;
}

static unsigned canvas_luminance(uint32_t colour)
{
	return ((colour >> 16 & 255) * 299 + (colour >> 8 & 255) * 587 + (colour & 255) * 114) / 1000;
}

void canvas_put_picture(struct canvas *canvas, unsigned row, unsigned column, enum role_name role, uint32_t upper, uint32_t lower)
{
	static const char *const shades[] = { " ", "\u2591", "\u2592", "\u2593", "\u2588" };
	struct cell cell = { .width = 1, .role = (uint8_t)role };
	unsigned light = (canvas_luminance(upper) + canvas_luminance(lower)) / 2;
	struct str shade = str_from(shades[light * 5 / 256]);

	if (row >= canvas->rows || column >= canvas->columns)
		return;
	memcpy(cell.text, shade.ptr, shade.len);
	cell.len = (uint8_t)shade.len;
	picture_mark_colours(upper, lower, cell.colours);
	display_list_repeat(list_at(canvas, row), column, 1, &cell);
}

void canvas_place_row(struct canvas *canvas, const struct placed *row)
{
	struct placed *last = canvas->placed_count ? &canvas->placed[canvas->placed_count - 1] : NULL;

	if (row->row >= canvas->rows || row->column + row->columns > canvas->columns)
		return;
	if (last && last->picture == row->picture && last->version == row->version && last->column == row->column && last->columns == row->columns &&
		last->row + last->rows == row->row && last->first + last->rows == row->first)
		last->rows++;
	else if (canvas->placed_count < CANVAS_PLACED)
		canvas->placed[canvas->placed_count++] = *row;
}

void canvas_put_image(struct canvas *canvas, unsigned row, unsigned column, enum role_name role, unsigned image, unsigned image_row,
                      unsigned image_column)
{
	struct cell cell = { .text = " ", .len = 1, .width = 1, .role = (uint8_t)role };

	if (row >= canvas->rows || column >= canvas->columns)
		return;
	picture_mark_part(image, image_row, image_column, cell.colours);
	display_list_repeat(list_at(canvas, row), column, 1, &cell);
}

void canvas_put_spans(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, const struct span *spans, size_t count)
{
	unsigned used = 0;

	for (size_t i = 0; i < count && used < columns; i++) {
		struct cell plain = styled_blank_cell(spans[i].role, spans[i].attributes, canvas_link(canvas, &spans[i]));

		used += canvas_put_text(canvas, row, column + used, columns - used, plain, spans[i].text);
	}
}

void canvas_restyle(struct canvas *canvas, struct area area, enum role_name role)
{
	unsigned columns = area.row < canvas->rows ? canvas_clip(area.column, area.columns, canvas->columns) : 0;

	if (columns)
		display_list_restyle(list_at(canvas, area.row), area.column, columns, (uint8_t)role);
}

unsigned canvas_put_right(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role, struct str text)
{
	unsigned at = column + columns - flow_columns(text, columns);

	canvas_put(canvas, row, at, column + columns - at, role, text);
	return at;
}

struct hairline_roles { enum role_name line, name; };

static void draw_hairline(struct canvas *canvas, struct area area, struct hairline_roles roles, struct str name, struct str figures)
{
	const struct cell line = { .text = "\u2500", .len = 3, .width = 1, .role = (uint8_t)roles.line };
	unsigned right = area.column + area.columns;
	unsigned name_columns = flow_columns(name, area.columns);
	unsigned figures_columns = flow_columns(figures, area.columns);
	unsigned room = area.row < canvas->rows ? canvas_clip(area.column, area.columns, canvas->columns) : 0;

	if (room)
		display_list_repeat(list_at(canvas, area.row), area.column, room, &line);
	if (name_columns && area.columns > 6) {
		bool cut = name_columns > area.columns - 6 && area.columns > 7;

		name_columns = least(name_columns, area.columns - 6);
		canvas_put(canvas, area.row, area.column + 2, 1, roles.line, STR(" "));
		name_columns = canvas_put(canvas, area.row, area.column + 3, name_columns - cut, roles.name, name) + 2;
		if (cut)
			name_columns += canvas_put(canvas, area.row, area.column + 1 + name_columns, 1, roles.name, STR("\u2026"));
		canvas_put(canvas, area.row, area.column + 1 + name_columns, 1, roles.line, STR(" "));
	}
	if (!figures_columns || figures_columns + name_columns + 8 > area.columns)
		return;
	canvas_put(canvas, area.row, right - 3, 1, roles.line, STR(" "));
	canvas_put(canvas, area.row, right - 3 - figures_columns, figures_columns, ROLE_MUTED, figures);
	canvas_put(canvas, area.row, right - 4 - figures_columns, 1, roles.line, STR(" "));
}

void canvas_hairline(struct canvas *canvas, struct area area, enum role_name name_role, struct str name, struct str figures)
{
	draw_hairline(canvas, area, (struct hairline_roles){ ROLE_HAIRLINE, name_role }, name, figures);
}

void canvas_hairline_focused(struct canvas *canvas, struct area area, struct str name, struct str keys)
{
	draw_hairline(canvas, area, (struct hairline_roles){ ROLE_ACCENT, ROLE_ACCENT }, name, keys);
}

void canvas_cursor(struct canvas *canvas, unsigned row, unsigned column)
{
	if (!canvas->rows || !canvas->columns)
		return;
	canvas->cursor_row = least(row, canvas->rows - 1);
	canvas->cursor_column = least(column, canvas->columns - 1);
	canvas->cursor_shown = true;
}

static const struct cell *settled_row(const struct canvas *canvas, unsigned row)
{
	display_list_settle(list_at(canvas, row));
	return canvas->cells + (size_t)row * canvas->columns;
}

const struct cell *canvas_cell(const struct canvas *canvas, unsigned row, unsigned column)
{
	return settled_row(canvas, row) + column;
}

uint64_t canvas_row_version(const struct canvas *canvas, unsigned row)
{
	display_list_settle(list_at(canvas, row));
	return list_at(canvas, row)->version;
}

bool canvas_rows_equal(const struct canvas *a, unsigned row, const struct canvas *b, unsigned row_of_b)
{
	return a->columns == b->columns && memcmp(settled_row(a, row), settled_row(b, row_of_b), a->columns * sizeof *a->cells) == 0;
}

bool canvas_row_equal(const struct canvas *a, const struct canvas *b, unsigned row)
{
	return canvas_rows_equal(a, row, b, row);
}
