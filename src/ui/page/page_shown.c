#include "ui/page/page_shown.h"

#include <string.h>

#include "base/least.h"
#include "base/mem.h"
#include "ui/canvas.h"

void shown_init(struct shown *s, unsigned columns)
{
	columns = columns ? columns : 1;
	*s = (struct shown){ .canvas = canvas_new(1, columns), .columns = columns };
	s->kinds = mem_resize(NULL, columns, sizeof *s->kinds);
}

void shown_fini(struct shown *s)
{
	canvas_free(s->canvas);
	mem_free(s->kinds);
}

/* --- reading a row --- */

static bool cell_is(const struct cell *cell, const char *text)
{
	return str_is(str_of(cell->text, cell->len), text);
}

static bool cell_is_picture(const struct cell *cell)
{
	static const uint16_t none[CELL_COLOURS];

	return memcmp(cell->colours, none, sizeof none) != 0;
}

/* What the cells of a row do not say. */
struct shown_block { bool is_code, is_table; unsigned indent, code_at; };

static enum shown_kind shown_kind_of(const struct cell *cell, const struct shown_block *block, unsigned column)
{
	static const char *const lines[] = { "\u2500", "\u253C", "\u254C" };

	if (!cell->len || cell_is_picture(cell) || cell->role == ROLE_CODE_LABEL || (block->is_code && column < block->code_at))
		return SHOWN_NOTHING;
	if (cell_is(cell, " "))
		return column < block->indent ? SHOWN_NOTHING : SHOWN_BLANK;
	if (cell->role == ROLE_TABLE_EDGE && block->is_table && cell_is(cell, "\u2502"))
		return SHOWN_EDGE;
	for (size_t i = 0; cell->role == ROLE_TABLE_EDGE && i < sizeof lines / sizeof *lines; i++)
		if (cell_is(cell, lines[i]))
			return SHOWN_NOTHING;
	return SHOWN_TEXT;
}

/* Leaves out the bars of quotes, each with the blank behind it. They stand left of the text, beside signs of lists. */
static void shown_leave_bars(struct shown *s, const struct cell *cells)
{
	for (unsigned i = 0; i < s->columns; i++) {
		bool is_bar = cells[i].role == ROLE_QUOTE && cell_is(&cells[i], "\u2502");

		if (s->kinds[i] == SHOWN_TEXT && !is_bar && cells[i].role != ROLE_TABLE_EDGE)
			return;
		if (!is_bar)
			continue;
		s->kinds[i] = SHOWN_NOTHING;
		if (++i < s->columns)
			s->kinds[i] = SHOWN_NOTHING;
	}
}

static void shown_read(struct shown *s, const struct shown_block *block)
{
	const struct cell *cells = canvas_cell(s->canvas, 0, 0);
	bool parts = false;

	for (unsigned i = 0; i < s->columns; i++) {
		s->kinds[i] = (uint8_t)shown_kind_of(&cells[i], block, i);
		parts |= s->kinds[i] == SHOWN_NOTHING && cells[i].len && cells[i].role != ROLE_QUOTE && !cell_is(&cells[i], " ");
	}
	shown_leave_bars(s, cells);
	for (unsigned i = 0; i < s->columns; i++) {
		if (s->kinds[i] != SHOWN_TEXT)
			continue;
		s->count++;
		s->end = i + (cells[i].width ? cells[i].width : 1u);
	}
	while (s->begin < s->end && s->kinds[s->begin] == SHOWN_NOTHING)
		s->begin++;
	s->left_out = parts && !s->count;
}

/* How the row of a text goes on. */
static void shown_read_break(struct shown *s, struct page *p, const struct item *item, struct page_row at)
{
	struct str text;
	const struct flow *flow = page_flow(p, item, at.piece, &text);
	size_t row = page_rows_before(p, item, at.piece) + at.row - page_has_line(item, at.piece);

	if (row + 1 >= flow->count || text.ptr[flow->starts[row + 1] - 1] == '\n')
		return;
	s->wraps = true;
	s->blanks = (unsigned)(flow->starts[row + 1] - flow->starts[row] - flow_row(flow, text, row).len);
}

void shown_row(struct shown *s, struct page *p, struct page_row at)
{
	const struct item *item = page_item(p, at.piece);
	struct shown_block block = { 0 };

	s->count = s->begin = s->end = s->blanks = 0;
	s->wraps = false;
	canvas_clear(s->canvas);
	if (item && (item->markdown || at.row >= page_has_line(item, at.piece)))
		block.indent = item->indent;
	if (item && item->markdown) {
		const struct markdown_layout *layout = page_scrolled(p, at.piece);
		enum markdown_kind kind = markdown_block_at(item->markdown, at.piece - item->first_piece)->kind;

		block.is_code = kind == MARKDOWN_CODE && !p->options.raw;
		block.is_table = kind == MARKDOWN_TABLE && !p->options.raw;
		block.code_at = item->indent + layout->code_at;
		s->wraps = at.row < layout->count && layout->rows[at.row].wraps;
		s->blanks = s->wraps ? layout->rows[at.row].blanks : 0;
	} else if (item && item->flow && at.row >= page_has_line(item, at.piece)) {
		shown_read_break(s, p, item, at);
	}
	bool is_picture = item && item->image.len && at.row;
	if (!is_picture)
		page_draw_texts(p, at.piece, at.row, s->canvas);
	shown_read(s, &block);
	s->left_out |= is_picture;
}

/* --- columns --- */

unsigned shown_column(const struct shown *s, size_t cell)
{
	for (unsigned i = 0; i < s->columns; i++)
		if (s->kinds[i] == SHOWN_TEXT && !cell--)
			return i;
	return s->columns;
}

unsigned shown_start(const struct shown *s, unsigned column)
{
	column = least(column, s->columns - 1);
	return column && !canvas_cell(s->canvas, 0, column)->len ? column - 1 : column;
}

unsigned shown_behind(const struct shown *s, unsigned column)
{
	unsigned start = shown_start(s, column), width = canvas_cell(s->canvas, 0, start)->width;

	return least(start + (width ? width : 1), s->columns);
}

/* Letters and digits, and what paths and addresses are made of, as terminals do. */
static bool shown_is_of_word(const struct shown *s, unsigned column)
{
	const struct cell *cell = canvas_cell(s->canvas, 0, shown_start(s, column));
	struct str text = str_of(cell->text, cell->len);

	if (s->kinds[shown_start(s, column)] != SHOWN_TEXT)
		return false;
	uint32_t code = utf8_next(&text);
	if (code < 0x80)
		return char_is_word((char)code) || strchr("-#%&+./=?@_~:\\", (int)code);
	return !(code >= 0x2000 && code <= 0x206F) && !(code >= 0x3000 && code <= 0x303F) && code != 0xAB && code != 0xBB; /* punctuation */
}

void shown_word(const struct shown *s, unsigned column, unsigned *from, unsigned *to)
{
	*from = shown_start(s, column);
	*to = shown_behind(s, column);
	if (!shown_is_of_word(s, column))
		return;
	while (*from && shown_is_of_word(s, *from - 1))
		*from = shown_start(s, *from - 1);
	while (*to < s->columns && shown_is_of_word(s, *to))
		*to = shown_behind(s, *to);
	/* The sign that ends a sentence is not part of its last word. */
	while (*to > shown_behind(s, column) && strchr(".:?", *canvas_cell(s->canvas, 0, *to - 1)->text) && canvas_cell(s->canvas, 0, *to - 1)->len)
		--*to;
}

/* --- text --- */

static void shown_add_blanks(struct buf *out, size_t count)
{
	while (count--)
		buf_add_byte(out, ' ');
}

void shown_copy(const struct shown *s, unsigned from, unsigned to, bool continues, struct buf *out)
{
	const struct cell *cells = canvas_cell(s->canvas, 0, 0);
	size_t blanks = 0;
	bool skips = continues; /* blanks do not count */

	to = least(to, s->end);
	for (unsigned i = shown_start(s, from); i < to; i++) {
		if (s->kinds[i] == SHOWN_BLANK)
			blanks += !skips;
		if (s->kinds[i] == SHOWN_EDGE)
			buf_add_byte(out, '\t');
		if (s->kinds[i] == SHOWN_TEXT) {
			shown_add_blanks(out, blanks);
			buf_add(out, str_of(cells[i].text, cells[i].len));
		}
		if (s->kinds[i] == SHOWN_TEXT || s->kinds[i] == SHOWN_EDGE) {
			blanks = 0;
			skips = s->kinds[i] == SHOWN_EDGE;
		}
	}
	shown_add_blanks(out, blanks);
}
