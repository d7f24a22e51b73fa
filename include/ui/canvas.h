/*
 * The canvas: a grid of styled cells. It knows no curses, so golden screens need no terminal.
 *
 * A cell holds a grapheme cluster with its width, a role and attributes. Text from outside becomes cells through
 * canvas_put() only, which uses utf8_cell(): no control byte can get in. A cluster of width 2 takes its cell and the
 * one to its right (len 0, width 0); what overwrites one half blanks the other.
 */
#ifndef WEIR_UI_CANVAS_H
#define WEIR_UI_CANVAS_H

#include "base/utf8.h"
#include "render/span.h"
#include "ui/term/links.h"

struct cell {
	char text[28];
	uint8_t len;         /* 0: the right half of a wide cluster */
	uint8_t width;       /* 1, 2, or 0 for a right half */
	uint8_t role;        /* enum role_name */
	uint8_t attributes;  /* enum style_attribute, added to the role's */
	uint16_t link;       /* number in the canvas' links; 0: none */
};

struct canvas {
	unsigned rows, columns;
	struct cell *cells;      /* rows x columns */
	struct links links;      /* what the numbers in cells mean */
	unsigned links_age;      /* another one when they mean something else */
	const struct str *destinations; /* of canvas_use_links() */
	size_t destination_count;
	unsigned cursor_row, cursor_column;
	bool cursor_shown;
};

/* A rectangle of a canvas. */
struct area { unsigned row, column, rows, columns; };

struct canvas *canvas_new(unsigned rows, unsigned columns);
void canvas_free(struct canvas *canvas);
void canvas_resize(struct canvas *canvas, unsigned rows, unsigned columns); /* cleared */
void canvas_clear(struct canvas *canvas);                                   /* blanks in role text, no cursor */
void canvas_fill(struct canvas *canvas, struct area area, enum role_name role); /* blanks */

/*
 * Puts text from `column` on, not beyond `column + columns`; tabs stop every 8 columns from there, LF is a blank. Returns the columns
 * used. Out of range is clipped.
 */
unsigned canvas_put(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role, struct str text);
unsigned canvas_put_styled(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role,
                           uint8_t attributes, struct str text);
/* Puts spans one behind the other; their links are those of canvas_use_links(). */
void canvas_put_spans(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, const struct span *spans, size_t count);
/* The destinations that span.link - 1 counts in canvas_put_spans() from here on; borrowed until the next call or canvas_clear(). */
void canvas_use_links(struct canvas *canvas, const struct str *destinations, size_t count);
/* What stands in the first row of an area, blanks too, gets another role. */
void canvas_restyle(struct canvas *canvas, struct area area, enum role_name role);

/* The same as canvas_put(), ending at the area's right edge; longer text loses its end. Returns the column where it starts. */
unsigned canvas_put_right(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role,
                          struct str text);

/* A hairline over the area's first row, with a name at the left and figures at the right: "── name ───── figures ──". */
void canvas_hairline(struct canvas *canvas, struct area area, enum role_name name_role, struct str name, struct str figures);

void canvas_cursor(struct canvas *canvas, unsigned row, unsigned column);
const struct cell *canvas_cell(const struct canvas *canvas, unsigned row, unsigned column);
bool canvas_rows_equal(const struct canvas *a, unsigned row, const struct canvas *b, unsigned row_of_b);
bool canvas_row_equal(const struct canvas *a, const struct canvas *b, unsigned row);

#endif
