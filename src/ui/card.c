#include "ui/card.h"

#include "render/flow.h"
#include "ui/rows.h"

#define COLUMNS_LEAST 40u
#define COLUMNS_MOST 100u
#define NARROW_COLUMNS 56u  /* of the canvas; below, the card has all of them */
#define TITLE_ROWS 4u       /* of the canvas, for a title */
#define KEYS_ROWS 5u        /* for keys */
#define PLACE_GAP 3u        /* columns between place and keys */
#define AIRY_ROWS 16u       /* for rows of the page above and below */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned most(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* A message in place of the keys does not make the card wider. */
static unsigned card_columns(const struct canvas *canvas, const struct card *card)
{
	unsigned title = flow_columns(card->title, COLUMNS_MOST) + flow_columns(card->figures, COLUMNS_MOST) + 10;
	unsigned keys = card->says ? 0 : flow_columns(card->keys, COLUMNS_MOST) + 6;
	unsigned wanted = least(most(most(card->columns, COLUMNS_LEAST), most(title, keys)), COLUMNS_MOST);

	return card->bottom || canvas->columns < NARROW_COLUMNS ? canvas->columns : least(wanted, canvas->columns - 4);
}

struct area card_area(const struct canvas *canvas, const struct card *card)
{
	unsigned title = canvas->rows >= TITLE_ROWS, keys = canvas->rows >= KEYS_ROWS, edges = title + keys;
	unsigned bottom = card->bottom ? card->bottom : canvas->rows - (canvas->rows >= TITLE_ROWS); /* the last row is the status bar's */
	unsigned air = !card->bottom && canvas->rows >= AIRY_ROWS ? 2 : 0;
	unsigned room = bottom > edges + air + 1 ? bottom - edges - air : 1;
	unsigned rows = least(card->rows ? card->rows : 1, room), columns = card_columns(canvas, card);
	unsigned above = bottom > rows + edges ? bottom - rows - edges : 0;

	return (struct area){ (card->bottom ? above : above / 3) + title, (canvas->columns - columns) / 2, rows, columns };
}

bool card_has_room_for_figures(const struct canvas *canvas, const struct card *card)
{
	unsigned columns = card_columns(canvas, card);

	return flow_columns(card->title, columns) + flow_columns(card->figures, columns) + 10 <= columns;
}

static void draw_edge(struct canvas *canvas, unsigned row, struct area area)
{
	for (unsigned c = 0; c < area.columns; c++)
		canvas_put(canvas, row, area.column + c, 1, ROLE_SHEET_EDGE, STR("\u2500"));
}

/* Words on an edge, a blank on either side. */
static void put_on_edge(struct canvas *canvas, unsigned row, unsigned column, enum role_name role, struct str words, unsigned columns)
{
	canvas_put(canvas, row, column - 1, 1, ROLE_SHEET, STR(" "));
	columns = canvas_put(canvas, row, column, columns, role, words);
	canvas_put(canvas, row, column + columns, 1, ROLE_SHEET, STR(" "));
}

/* Columns between the end of an edge and its words. */
static unsigned inset_of(struct area area)
{
	return area.columns < NARROW_COLUMNS ? 1 : 3;
}

static void draw_title(struct canvas *canvas, const struct card *card, struct area area)
{
	unsigned row = area.row - 1, right = area.column + area.columns, inset = inset_of(area);

	draw_edge(canvas, row, area);
	put_on_edge(canvas, row, area.column + inset, ROLE_SHEET_TITLE, card->title, area.columns > 2 * inset ? area.columns - 2 * inset : 1);
	if (card->figures.len && card_has_room_for_figures(canvas, card)) {
		unsigned columns = flow_columns(card->figures, area.columns);

		put_on_edge(canvas, row, right - inset - columns, ROLE_SHEET_MUTED, card->figures, columns);
	}
}

static void draw_keys(struct canvas *canvas, const struct card *card, struct area area)
{
	unsigned row = area.row + area.rows, inset = inset_of(area), room = area.columns > 2 * inset ? area.columns - 2 * inset : 1;
	unsigned place = flow_columns(card->place, room), taken = place && room > 2 * place + PLACE_GAP ? place + PLACE_GAP : 0;
	struct str keys = card->says ? card->keys : hints_fitting(card->keys, room - taken);
	unsigned columns = flow_columns(keys, room);

	draw_edge(canvas, row, area);
	if (columns)
		put_on_edge(canvas, row, area.column + area.columns - inset - columns, card->says ? ROLE_SHEET_TITLE : ROLE_SHEET_MUTED, keys, columns);
	if (place && place + columns + PLACE_GAP <= room)
		put_on_edge(canvas, row, area.column + inset, ROLE_SHEET_MUTED, card->place, place);
}

struct area card_draw(struct canvas *canvas, const struct card *card)
{
	struct area area = card_area(canvas, card);
	unsigned title = canvas->rows >= TITLE_ROWS, keys = canvas->rows >= KEYS_ROWS;
	struct area all = { area.row - title, area.column, area.rows + title + keys, area.columns };

	if (area.column)
		canvas_fill(canvas, (struct area){ all.row, all.column - 1, all.rows, all.columns + 2 }, ROLE_TEXT);
	canvas_fill(canvas, all, ROLE_SHEET);
	if (title)
		draw_title(canvas, card, area);
	if (keys)
		draw_keys(canvas, card, area);
	return area;
}
