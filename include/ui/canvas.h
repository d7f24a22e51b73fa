/*
 * The canvas: a grid of styled cells. It does not depend on curses, so golden screens need no terminal.
 *
 * A cell holds a grapheme cluster with its width, role and attributes. Text from outside becomes cells only through canvas_put()
 * and its variants, which use utf8_cell(): a cell never holds a control byte. A cluster of width 2 occupies its cell and the cell
 * to the right (len 0, width 0). Overwriting one half of a wide cluster blanks the other half.
 */
#ifndef WEIR_UI_CANVAS_H
#define WEIR_UI_CANVAS_H

#include "base/utf8.h"
#include "render/span.h"
#include "ui/term/links.h"

#define CELL_COLOURS 4

struct cell {
	char text[28];
	uint8_t len;         /* 0: the right half of a wide cluster */
	uint8_t width;       /* 1, 2, or 0 for a right half */
	uint8_t role;        /* enum role_name */
	uint8_t attributes;  /* enum style_attribute, added to the role's */
	uint16_t link;       /* number in the canvas's links; 0: none */
	uint16_t colours[CELL_COLOURS]; /* marks of a picture's cell (ui/picture.h): its colours or its part of an image; all 0: not one */
};

/* A rectangle of a canvas. */
struct area { unsigned row, column, rows, columns; };

struct picture;

/* Rows and columns that show a picture, from its row of cells `first` on, as half blocks: the terminal may draw it there more finely. */
struct placed { const struct picture *picture; uint64_t version; unsigned row, column, rows, columns, first; };

#define CANVAS_PLACED 8

struct canvas {
	unsigned rows, columns;
	struct cell *cells;      /* rows x columns; read them by canvas_cell() */
	struct display_list *lists; /* what is drawn into each row (ui/display_list.h): its cells are written when somebody reads one */
	struct links links;      /* destinations of the link numbers in cells */
	unsigned links_age;      /* changes whenever the link numbers are reassigned */
	const struct str *destinations; /* set by canvas_use_links(); borrowed */
	size_t destination_count;
	unsigned cursor_row, cursor_column;
	bool cursor_shown;
	struct placed placed[CANVAS_PLACED]; /* pictures are borrowed until canvas_clear() */
	unsigned placed_count;
	struct area card;        /* of the card drawn last (ui/card.h), hairlines included; 0 rows: none since canvas_clear() */
};

struct canvas *canvas_new(unsigned rows, unsigned columns);
void canvas_free(struct canvas *canvas);
void canvas_resize(struct canvas *canvas, unsigned rows, unsigned columns); /* also clears it */
void canvas_clear(struct canvas *canvas); /* fills it with blanks in ROLE_TEXT, hides the cursor, forgets the card */
void canvas_fill(struct canvas *canvas, struct area area, enum role_name role); /* blanks */

/*
 * Writes text at `column`, clipped to `columns` columns and to the canvas. Tab stops are every 8 columns, counted from `column`; LF
 * becomes a blank. Returns the columns used.
 */
unsigned canvas_put(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role, struct str text);
unsigned canvas_put_styled(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role,
                           uint8_t attributes, struct str text);
/* Writes spans one after another. Their link numbers refer to canvas_use_links(). */
void canvas_put_spans(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, const struct span *spans, size_t count);
/* Sets the destinations that canvas_put_spans() indexes with span.link - 1. Borrowed until the next call or canvas_clear(). */
void canvas_use_links(struct canvas *canvas, const struct str *destinations, size_t count);
/* Changes the role of every cell in the first row of an area, blanks included. */
void canvas_restyle(struct canvas *canvas, struct area area, enum role_name role);

/*
 * Writes a cell of a picture: two colours, 0xRRGGBB. Its text is a shade of their mean, which a terminal with few colours shows. The
 * screen draws a half block instead where it has 256 colours or more.
 */
void canvas_put_picture(struct canvas *canvas, unsigned row, unsigned column, enum role_name role, uint32_t upper, uint32_t lower);
/* Writes a cell of an image that the terminal draws: a blank, with its part. */
void canvas_put_image(struct canvas *canvas, unsigned row, unsigned column, enum role_name role, unsigned image, unsigned image_row,
                      unsigned image_column);

/* Notes a row of a picture that canvas_put_picture() has drawn, after the row above it. What is too much is left out. */
void canvas_place_row(struct canvas *canvas, const struct placed *row);

/* Like canvas_put(), but right-aligned. Longer text loses its end. Returns the column where the text starts. */
unsigned canvas_put_right(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role,
                          struct str text);

/* Draws a hairline in the area's first row, with a name at the left and figures at the right: "── name ───── figures ──". */
void canvas_hairline(struct canvas *canvas, struct area area, enum role_name name_role, struct str name, struct str figures);
/* The same of the pane with the focus: line and name have the accent. */
void canvas_hairline_focused(struct canvas *canvas, struct area area, struct str name, struct str keys);

void canvas_cursor(struct canvas *canvas, unsigned row, unsigned column);
/* The cell and those right of it in its row. Valid until something is drawn. */
const struct cell *canvas_cell(const struct canvas *canvas, unsigned row, unsigned column);
/* Changes when a cell of the row changes, also with canvas_resize(); never 0. */
uint64_t canvas_row_version(const struct canvas *canvas, unsigned row);
bool canvas_rows_equal(const struct canvas *a, unsigned row, const struct canvas *b, unsigned row_of_b);
bool canvas_row_equal(const struct canvas *a, const struct canvas *b, unsigned row);

#endif
