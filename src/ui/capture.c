#include "ui/capture.h"

#include "base/xml.h"
#include "ui/term/pen.h"

/* --- text --- */

void capture_text(const struct canvas *canvas, struct buf *out)
{
	for (unsigned row = 0; row < canvas->rows; row++) {
		size_t end = out->len;

		for (unsigned column = 0; column < canvas->columns; column++) {
			const struct cell *cell = canvas_cell(canvas, row, column);

			buf_add(out, str_of(cell->text, cell->len));
			if (cell->len != 1 || *cell->text != ' ')
				end = out->len;
		}
		buf_remove(out, end, out->len - end);
		buf_add_byte(out, '\n');
	}
}

/* --- terminal --- */

static void ansi_row(const struct canvas *canvas, unsigned row, const struct style *styles, struct pen *pen, struct buf *out)
{
	buf_printf(out, "\x1b[%uH", row + 1);
	for (unsigned column = 0; column < canvas->columns; column++) {
		const struct cell *cell = canvas_cell(canvas, row, column);
		struct pen want = pen_of(&styles[cell->role], cell->attributes);

		pen_change(pen, &want, out);
		buf_add(out, str_of(cell->text, cell->len));
	}
}

void capture_ansi(const struct canvas *canvas, const struct canvas *before, const struct theme *theme, struct buf *out)
{
	const struct style *styles = theme_styles(theme, COLOURS_TRUE);
	struct pen pen = { .unknown = true };

	for (unsigned row = 0; row < canvas->rows; row++)
		if (!before || !canvas_row_equal(canvas, before, row))
			ansi_row(canvas, row, styles, &pen, out);
}

/* --- SVG --- */

#define CELL_WIDTH 8.4 /* of a font of FONT_SIZE pixels, as monospaced fonts have it */
#define CELL_HEIGHT 18u
#define FONT_SIZE 14
#define BASELINE 13u
#define MARGIN 10u

/* What `default` is in a picture, and the first sixteen colours, as xterm has them. */
#define PAPER 0x14171cu
#define INK 0xd7d7d7u
static const uint32_t sixteen[16] = {
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x3b78ff, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

/* The other 240: a cube of colours and a ramp of greys. */
static uint32_t svg_indexed(unsigned index)
{
	static const uint32_t levels[] = { 0, 95, 135, 175, 215, 255 };

	if (index < 16)
		return sixteen[index];
	if (index >= 232)
		return (8 + 10 * (index - 232)) * 0x010101;
	index -= 16;
	return levels[index / 36] << 16 | levels[index / 6 % 6] << 8 | levels[index % 6];
}

static uint32_t svg_colour(int32_t colour, uint32_t otherwise)
{
	if (colour == COLOUR_DEFAULT)
		return otherwise;
	return colour >= 0x1000000 ? (uint32_t)colour & 0xffffff : svg_indexed((unsigned)colour & 255);
}

struct svg_look { uint32_t fg, bg; uint8_t attributes; };

static struct svg_look svg_look_of(const struct style *styles, const struct cell *cell)
{
	const struct style *style = &styles[cell->role];
	uint32_t paper = svg_colour(styles[ROLE_TEXT].bg, PAPER), ink = svg_colour(styles[ROLE_TEXT].fg, INK);
	struct svg_look look = { svg_colour(style->fg, ink), svg_colour(style->bg, paper), style->attributes | cell->attributes };

	if (look.attributes & STYLE_REVERSE)
		look = (struct svg_look){ look.bg, look.fg, look.attributes };
	return look;
}

static bool svg_is_same(struct svg_look a, struct svg_look b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attributes == b.attributes;
}

static void svg_add_attributes(struct buf *out, uint8_t attributes)
{
	if (attributes & STYLE_BOLD)
		buf_add_z(out, " font-weight=\"bold\"");
	if (attributes & STYLE_ITALIC)
		buf_add_z(out, " font-style=\"italic\"");
	if (attributes & STYLE_DIM)
		buf_add_z(out, " opacity=\"0.6\"");
	if (attributes & (STYLE_UNDERLINE | STYLE_STRIKE))
		buf_printf(out, " text-decoration=\"%s\"", attributes & STYLE_UNDERLINE ? "underline" : "line-through");
}

static bool svg_is_blank(const struct canvas *canvas, unsigned row, unsigned column)
{
	const struct cell *cell = canvas_cell(canvas, row, column);

	return cell->len == 1 && *cell->text == ' ';
}

/* Text as wide as its cells, whatever the font. Blanks are those that nobody collapses. */
static void svg_text(const struct canvas *canvas, unsigned row, unsigned from, unsigned to, struct svg_look look, struct buf *out)
{
	while (from < to && svg_is_blank(canvas, row, from))
		from++;
	while (from < to && svg_is_blank(canvas, row, to - 1))
		to--;
	if (from == to)
		return;
	buf_printf(out, "<text x=\"%.1f\" y=\"%u\" fill=\"#%06x\" textLength=\"%.1f\"", MARGIN + from * CELL_WIDTH,
	           MARGIN + row * CELL_HEIGHT + BASELINE, look.fg, (to - from) * CELL_WIDTH);
	svg_add_attributes(out, look.attributes);
	buf_add_byte(out, '>');
	for (unsigned column = from; column < to; column++) {
		const struct cell *cell = canvas_cell(canvas, row, column);

		xml_add_text(out, svg_is_blank(canvas, row, column) ? STR("\u00a0") : str_of(cell->text, cell->len), XML_WHOLE);
	}
	buf_add_z(out, "</text>\n");
}

/* Cells [from, to) of a row, which look the same. */
static void svg_run(const struct canvas *canvas, unsigned row, unsigned from, unsigned to, struct svg_look look, uint32_t paper, struct buf *out)
{
	if (look.bg != paper)
		buf_printf(out, "<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\" fill=\"#%06x\"/>\n", MARGIN + from * CELL_WIDTH,
		           MARGIN + row * CELL_HEIGHT, (to - from) * CELL_WIDTH, CELL_HEIGHT, look.bg);
	svg_text(canvas, row, from, to, look, out);
}

static void svg_row(const struct canvas *canvas, unsigned row, const struct style *styles, uint32_t paper, struct buf *out)
{
	unsigned from = 0;

	for (unsigned column = 1; column <= canvas->columns; column++) {
		struct svg_look look = svg_look_of(styles, canvas_cell(canvas, row, from));

		if (column < canvas->columns && svg_is_same(look, svg_look_of(styles, canvas_cell(canvas, row, column))))
			continue;
		svg_run(canvas, row, from, column, look, paper, out);
		from = column;
	}
}

void capture_svg(const struct canvas *canvas, const struct theme *theme, struct str title, struct buf *out)
{
	const struct style *styles = theme_styles(theme, COLOURS_TRUE);
	uint32_t paper = svg_colour(styles[ROLE_TEXT].bg, PAPER);
	double width = canvas->columns * CELL_WIDTH + 2 * MARGIN;
	unsigned height = canvas->rows * CELL_HEIGHT + 2 * MARGIN;

	buf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%u\" viewBox=\"0 0 %.0f %u\" role=\"img\">\n<title>",
	           width, height, width, height);
	xml_add_text(out, title, XML_WHOLE);
	buf_printf(out, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n", paper);
	buf_printf(out, "<g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"%d\">\n", FONT_SIZE);
	for (unsigned row = 0; row < canvas->rows; row++)
		svg_row(canvas, row, styles, paper, out);
	buf_add_z(out, "</g>\n</svg>\n");
}
