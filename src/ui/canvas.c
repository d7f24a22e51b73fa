#include "ui/canvas.h"

#include <string.h>

#include "base/mem.h"
#include "render/flow.h"

#define LINE_BYTES_MOST ((size_t)4096) /* a longer text is not remembered */
#define VERSION_BLANK 1        /* of all blank rows */
#define LINKS_MANY (LINKS_MOST * 3 / 4)

/* What is known of a row. */
enum line_state {
	LINE_OTHER,              /* nothing */
	LINE_BLANK,              /* all blanks in role text */
	LINE_TEXT,               /* what its key says, and nothing else */
	LINE_STANDING,           /* the same from before canvas_clear(), not claimed yet */
};

struct canvas_line {
	enum line_state state;
	uint64_t version;        /* of the text */
	struct buf key;          /* all that decides what the row looks like: place, roles, text */
};

static struct cell *cell_at(const struct canvas *canvas, unsigned row, unsigned column)
{
	return &canvas->cells[row][column];
}

static void set_blank(struct cell *cell, uint8_t role)
{
	*cell = (struct cell){ .text = " ", .len = 1, .width = 1, .role = role };
}

/* Blanks the other half of a wide cluster that is about to lose the half at `column`. */
static void part_halves(struct canvas *canvas, unsigned row, unsigned column)
{
	struct cell *cell = cell_at(canvas, row, column);

	if (cell->width == 0 && column > 0)
		set_blank(cell - 1, cell[-1].role);
	if (cell->width == 2 && column + 1 < canvas->columns)
		set_blank(cell + 1, cell->role);
}

static void set_cell(struct canvas *canvas, unsigned row, unsigned column, const struct cell *cell)
{
	struct cell *to = cell_at(canvas, row, column);

	if (to->width != 1)
		part_halves(canvas, row, column);
	if (cell->width == 2) {
		if (to[1].width != 1)
			part_halves(canvas, row, column + 1);
		to[1] = (struct cell){ .role = cell->role, .attributes = cell->attributes };
	}
	*to = *cell;
}

struct canvas *canvas_new(unsigned rows, unsigned columns)
{
	struct canvas *canvas = mem_new(sizeof *canvas);

	buf_init(&canvas->scratch, LINE_BYTES_MOST);
	canvas->clock = VERSION_BLANK;
	canvas_resize(canvas, rows, columns);
	return canvas;
}

static void drop_lines(struct canvas *canvas)
{
	for (unsigned r = 0; canvas->lines && r < canvas->rows; r++)
		buf_fini(&canvas->lines[r].key);
	mem_free(canvas->lines);
}

void canvas_free(struct canvas *canvas)
{
	if (!canvas)
		return;
	drop_lines(canvas);
	links_forget(&canvas->links);
	buf_fini(&canvas->scratch);
	mem_free(canvas->memory);
	mem_free(canvas->cells);
	mem_free(canvas);
}

void canvas_resize(struct canvas *canvas, unsigned rows, unsigned columns)
{
	drop_lines(canvas);
	canvas->rows = rows;
	canvas->columns = columns;
	canvas->memory = mem_resize(canvas->memory, (size_t)rows * columns, sizeof *canvas->memory);
	canvas->cells = mem_resize(canvas->cells, rows, sizeof *canvas->cells);
	for (unsigned r = 0; r < rows; r++)
		canvas->cells[r] = canvas->memory + (size_t)r * columns;
	canvas->lines = mem_new(rows * sizeof *canvas->lines);
	for (unsigned r = 0; r < rows; r++)
		buf_init(&canvas->lines[r].key, LINE_BYTES_MOST);
	canvas_clear(canvas);
}

static void clear_row(struct canvas *canvas, unsigned row)
{
	for (unsigned c = 0; c < canvas->columns; c++)
		set_blank(cell_at(canvas, row, c), ROLE_TEXT);
	canvas->lines[row].state = LINE_BLANK;
}

/* Before they run out, numbers of links are given anew: nothing that has one may stand. */
static bool renew_links(struct canvas *canvas)
{
	if (canvas->links.count < LINKS_MANY)
		return false;
	links_forget(&canvas->links);
	canvas->links_age++;
	return true;
}

void canvas_clear(struct canvas *canvas)
{
	bool all = renew_links(canvas);

	canvas_use_links(canvas, NULL, 0);
	for (unsigned r = 0; r < canvas->rows; r++) {
		if (all)
			clear_row(canvas, r);
		else if (canvas->lines[r].state == LINE_TEXT)
			canvas->lines[r].state = LINE_STANDING;
		else if (canvas->lines[r].state == LINE_OTHER)
			clear_row(canvas, r);
	}
	canvas->cursor_row = canvas->cursor_column = 0;
	canvas->cursor_shown = false;
}

void canvas_settle(struct canvas *canvas)
{
	for (unsigned r = 0; r < canvas->rows; r++)
		if (canvas->lines[r].state == LINE_STANDING)
			clear_row(canvas, r);
}

/* Something is about to be put into the row. */
static void touch(struct canvas *canvas, unsigned row)
{
	if (canvas->lines[row].state == LINE_STANDING)
		clear_row(canvas, row);
	canvas->lines[row].state = LINE_OTHER;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* How many of `count` items that begin at `at` are below `size`. */
static unsigned clip(unsigned at, unsigned count, unsigned size)
{
	return at >= size ? 0 : least(count, size - at);
}

void canvas_fill(struct canvas *canvas, struct area area, enum role_name role)
{
	unsigned rows = clip(area.row, area.rows, canvas->rows);
	unsigned columns = clip(area.column, area.columns, canvas->columns);
	struct cell blank;

	set_blank(&blank, (uint8_t)role);
	for (unsigned r = 0; r < rows; r++) {
		touch(canvas, area.row + r);
		for (unsigned c = 0; c < columns; c++)
			set_cell(canvas, area.row + r, area.column + c, &blank);
	}
}

/* The bytes at the start of `text`, at most `room`, that are a cell each: no clusters to be looked for. */
static unsigned plain_length(struct str text, unsigned room)
{
	unsigned len = 0;

	while (len < room && len < text.len && text.ptr[len] >= ' ' && text.ptr[len] < 0x7F)
		len++;
	/* What follows may combine with the last one. */
	return len && len < text.len && text.ptr[len] & 0x80 ? len - 1 : len;
}

static void put_plain(struct canvas *canvas, unsigned row, unsigned column, struct cell cell, struct str text)
{
	for (size_t i = 0; i < text.len; i++) {
		cell.text[0] = text.ptr[i];
		set_cell(canvas, row, column + (unsigned)i, &cell);
	}
}

/* Text in the style of a blank, `plain`. */
static unsigned put_text(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, struct cell plain, struct str text)
{
	unsigned room = row < canvas->rows ? clip(column, columns, canvas->columns) : 0;
	unsigned used = plain_length(text, room);
	struct flow_cell next;

	if (room)
		touch(canvas, row);
	put_plain(canvas, row, column, plain, str_head(text, used));
	text = str_skip(text, used);
	while (flow_next(&text, used, &next) && used + (next.blank ? 0 : next.columns) <= room) {
		struct cell cell = plain;

		if (!next.blank) {
			memcpy(cell.text, next.cell.text, sizeof cell.text);
			cell.len = next.cell.len;
			cell.width = next.cell.width;
		}
		for (unsigned i = 0; i < next.columns && used + i < room; i += cell.width)
			set_cell(canvas, row, column + used + i, &cell);
		used = least(used + next.columns, room);
	}
	return used;
}

static struct cell styled_blank(uint8_t role, uint8_t attributes, unsigned link)
{
	return (struct cell){ .text = " ", .len = 1, .width = 1, .role = role, .attributes = attributes, .link = (uint16_t)link };
}

unsigned canvas_put_styled(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role,
	uint8_t attributes, struct str text)
{
	return put_text(canvas, row, column, columns, styled_blank((uint8_t)role, attributes, 0), text);
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

static unsigned link_of(struct canvas *canvas, const struct span *span)
{
	return span->link && span->link <= canvas->destination_count ? links_number(&canvas->links, canvas->destinations[span->link - 1]) : 0;
}

static bool make_key(struct canvas *canvas, unsigned column, unsigned columns, const struct span *spans, size_t count)
{
	const unsigned place[] = { CANVAS_SPANS, column, columns, utf8_profile_number() };
	struct buf *key = &canvas->scratch;
	bool whole = buf_add(key, str_of((const char *)place, sizeof place));

	for (size_t i = 0; i < count && whole; i++) {
		_Static_assert(LINKS_MOST <= UINT8_MAX, "a number of links is a byte of the key");
		const char style[] = { (char)spans[i].role, (char)spans[i].attributes, (char)link_of(canvas, &spans[i]) };
		whole = buf_add(key, str_of(style, sizeof style)) &&
		        buf_add(key, str_of((const char *)&spans[i].text.len, sizeof spans[i].text.len)) && buf_add(key, spans[i].text);
	}
	return whole;
}

static void put_spans(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, const struct span *spans, size_t count)
{
	unsigned used = 0;

	if (row < canvas->rows)
		touch(canvas, row); /* also where there is nothing to put */
	for (size_t i = 0; i < count && used < columns; i++) {
		struct cell plain = styled_blank(spans[i].role, spans[i].attributes, link_of(canvas, &spans[i]));

		used += put_text(canvas, row, column + used, columns - used, plain, spans[i].text);
	}
}

static void swap_cells(struct canvas *canvas, unsigned row, unsigned other)
{
	struct cell *cells = canvas->cells[row];

	canvas->cells[row] = canvas->cells[other];
	canvas->cells[other] = cells;
}

/* Cells and what is known of them. */
static void swap_rows(struct canvas *canvas, unsigned row, unsigned other)
{
	struct canvas_line line = canvas->lines[row];

	canvas->lines[row] = canvas->lines[other];
	canvas->lines[other] = line;
	swap_cells(canvas, row, other);
}

static bool shows(const struct canvas_line *line, struct str key)
{
	return line->state == LINE_STANDING && str_equal(buf_str(&line->key), key);
}

void canvas_put_spans(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, const struct span *spans, size_t count)
{
	struct canvas_line *line = row < canvas->rows ? &canvas->lines[row] : NULL;
	unsigned from = row;

	buf_clear(&canvas->scratch);
	if (!line || (line->state != LINE_BLANK && line->state != LINE_STANDING) ||
	    !make_key(canvas, column, columns, spans, count)) {
		put_spans(canvas, row, column, columns, spans, count);
		return;
	}
	/* Rows are claimed from the top: after scrolling those below still stand. */
	while (from < canvas->rows && !shows(&canvas->lines[from], buf_str(&canvas->scratch)))
		from++;
	if (from == canvas->rows) {
		put_spans(canvas, row, column, columns, spans, count);
		line->version = ++canvas->clock;
		buf_clear(&line->key);
		buf_add(&line->key, buf_str(&canvas->scratch));
	} else if (from > row) {
		swap_rows(canvas, row, from);
	}
	line->state = LINE_TEXT;
}

bool canvas_row_stands(struct canvas *canvas, unsigned row, struct str key)
{
	return row < canvas->rows && shows(&canvas->lines[row], key);
}

void canvas_row_done(struct canvas *canvas, unsigned row, struct str key)
{
	struct canvas_line *line = row < canvas->rows ? &canvas->lines[row] : NULL;

	if (!line || key.len > LINE_BYTES_MOST)
		return;
	if (!shows(line, key)) {
		buf_clear(&line->key);
		buf_add(&line->key, key);
		line->version = ++canvas->clock;
	}
	line->state = LINE_TEXT;
}

void canvas_put_row(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role, struct str text)
{
	canvas_put_spans(canvas, row, column, columns, &(struct span){ .text = text, .role = (uint8_t)role }, 1);
}

void canvas_restyle(struct canvas *canvas, struct area area, enum role_name role)
{
	unsigned columns = area.row < canvas->rows ? clip(area.column, area.columns, canvas->columns) : 0;

	if (columns)
		touch(canvas, area.row);
	for (unsigned c = area.column; c < area.column + columns; c++)
		cell_at(canvas, area.row, c)->role = (uint8_t)role;
}

uint64_t canvas_row_version(const struct canvas *canvas, unsigned row)
{
	const struct canvas_line *line = &canvas->lines[row];

	return line->state == LINE_TEXT ? line->version : line->state == LINE_BLANK ? VERSION_BLANK : 0;
}

unsigned canvas_put_right(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role, struct str text)
{
	unsigned at = column + columns - flow_columns(text, columns);

	canvas_put(canvas, row, at, column + columns - at, role, text);
	return at;
}

static void draw_hairline(struct canvas *canvas, struct area area, enum role_name name_role, struct str name, struct str figures)
{
	static const struct cell line = { .text = "\u2500", .len = 3, .width = 1, .role = ROLE_HAIRLINE };
	unsigned right = area.column + area.columns;
	unsigned name_columns = flow_columns(name, area.columns);
	unsigned figures_columns = flow_columns(figures, area.columns);
	unsigned room = area.row < canvas->rows ? clip(area.column, area.columns, canvas->columns) : 0;

	if (room)
		touch(canvas, area.row);
	for (unsigned c = 0; c < room; c++)
		set_cell(canvas, area.row, area.column + c, &line);
	if (name_columns && area.columns > 6) {
		name_columns = least(name_columns, area.columns - 6);
		canvas_put(canvas, area.row, area.column + 2, 1, ROLE_HAIRLINE, STR(" "));
		name_columns = canvas_put(canvas, area.row, area.column + 3, name_columns, name_role, name) + 2;
		canvas_put(canvas, area.row, area.column + 1 + name_columns, 1, ROLE_HAIRLINE, STR(" "));
	}
	if (!figures_columns || figures_columns + name_columns + 8 > area.columns)
		return;
	canvas_put(canvas, area.row, right - 3, 1, ROLE_HAIRLINE, STR(" "));
	canvas_put(canvas, area.row, right - 3 - figures_columns, figures_columns, ROLE_MUTED, figures);
	canvas_put(canvas, area.row, right - 4 - figures_columns, 1, ROLE_HAIRLINE, STR(" "));
}

void canvas_hairline(struct canvas *canvas, struct area area, enum role_name name_role, struct str name, struct str figures)
{
	const unsigned looks[] = { CANVAS_HAIRLINE, area.columns, (unsigned)name_role, utf8_profile_number(), (unsigned)name.len };
	bool whole = area.column == 0 && area.columns >= canvas->columns;
	struct buf key;

	buf_init(&key, LINE_BYTES_MOST);
	whole = whole && buf_add(&key, str_of((const char *)looks, sizeof looks)) && buf_add(&key, name) && buf_add(&key, figures);
	if (!whole || !canvas_row_stands(canvas, area.row, buf_str(&key)))
		draw_hairline(canvas, area, name_role, name, figures);
	if (whole)
		canvas_row_done(canvas, area.row, buf_str(&key));
	buf_fini(&key);
}

void canvas_cursor(struct canvas *canvas, unsigned row, unsigned column)
{
	if (!canvas->rows || !canvas->columns)
		return;
	canvas->cursor_row = least(row, canvas->rows - 1);
	canvas->cursor_column = least(column, canvas->columns - 1);
	canvas->cursor_shown = true;
}

const struct cell *canvas_cell(const struct canvas *canvas, unsigned row, unsigned column)
{
	return cell_at(canvas, row, column);
}

void canvas_move_up(struct canvas *canvas, unsigned first, unsigned end, unsigned by)
{
	for (unsigned r = first; r < end; r++)
		swap_cells(canvas, r, r + by);
	for (unsigned r = end; r < end + by; r++)
		memset(canvas->cells[r], 0, canvas->columns * sizeof **canvas->cells);
}

bool canvas_row_equal(const struct canvas *a, const struct canvas *b, unsigned row)
{
	return a->columns == b->columns && memcmp(cell_at(a, row, 0), cell_at(b, row, 0), a->columns * sizeof **a->cells) == 0;
}
