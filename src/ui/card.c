#include "ui/card.h"

#include "base/least.h"
#include "render/flow.h"
#include "ui/rows.h"

#define COLUMNS_LEAST 40u
#define COLUMNS_MOST 100u
#define NARROW_COLUMNS 56u  /* on a narrower canvas the card has the full width */
#define TITLE_ROWS 4u       /* least height of a canvas with a title */
#define KEYS_ROWS 5u        /* least height of a canvas with key hints */
#define PLACE_GAP 3u        /* columns between place and keys */
#define AIR_LEAST 3u        /* rows above a card from which on there is a blank one above and below it: there are twice as many below */
#define AIRY_ROWS 16u       /* least height of a canvas that shows rows of the page above and below */

static unsigned card_most(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* The width of the card. */
static unsigned card_columns(const struct canvas *canvas, const struct card *card)
{
	unsigned title = flow_columns(card->title, COLUMNS_MOST) + flow_columns(card->figures, COLUMNS_MOST) + 10;
	unsigned keys = flow_columns(card->keys, COLUMNS_MOST) + 6;
	unsigned wanted = least(card_most(card_most(card->columns, COLUMNS_LEAST), card_most(title, keys)), COLUMNS_MOST);

	return canvas->columns < NARROW_COLUMNS ? canvas->columns : least(wanted, canvas->columns - 4);
}

struct area card_area(const struct canvas *canvas, const struct card *card)
{
	unsigned title = canvas->rows >= TITLE_ROWS, keys = canvas->rows >= KEYS_ROWS, edges = title + keys;
	unsigned bottom = canvas->rows - (canvas->rows >= TITLE_ROWS); /* the last row belongs to the status bar */
	unsigned air = canvas->rows >= AIRY_ROWS ? 2 : 0;
	unsigned room = bottom > edges + air + 1 ? bottom - edges - air : 1;
	unsigned rows = least(card->rows ? card->rows : 1, room), columns = card_columns(canvas, card);
	unsigned held = card_most(rows, least(card->held, room));
	unsigned above = bottom > held + edges ? bottom - held - edges : 0;

	return (struct area){ above / 3 + title, (canvas->columns - columns) / 2, rows, columns };
}

bool card_has_room_for_figures(const struct canvas *canvas, const struct card *card)
{
	unsigned columns = card_columns(canvas, card);

	return flow_columns(card->title, columns) + flow_columns(card->figures, columns) + 10 <= columns;
}

static void card_draw_edge(struct canvas *canvas, unsigned row, struct area area)
{
	for (unsigned c = 0; c < area.columns; c++)
		canvas_put(canvas, row, area.column + c, 1, ROLE_SHEET_EDGE, STR("\u2500"));
}

/* Writes text on an edge, with a blank on each side. */
static void card_put_on_edge(struct canvas *canvas, unsigned row, unsigned column, enum role_name role, struct str words, unsigned columns)
{
	canvas_put(canvas, row, column - 1, 1, ROLE_SHEET, STR(" "));
	columns = canvas_put(canvas, row, column, columns, role, words);
	canvas_put(canvas, row, column + columns, 1, ROLE_SHEET, STR(" "));
}

/* Columns between the end of an edge and its words. */
static unsigned card_inset(unsigned columns)
{
	return columns < NARROW_COLUMNS ? 1 : 3;
}

unsigned card_keys_margin(unsigned columns)
{
	return 2 * card_inset(columns);
}

static void card_draw_title(struct canvas *canvas, const struct card *card, struct area area)
{
	unsigned row = area.row - 1, right = area.column + area.columns, inset = card_inset(canvas->columns);
	unsigned room = area.columns > 2 * inset ? area.columns - 2 * inset : 1;
	bool cut = room > 1 && flow_columns(card->title, COLUMNS_MOST) > room;

	card_draw_edge(canvas, row, area);
	card_put_on_edge(canvas, row, area.column + inset, ROLE_SHEET_TITLE, card->title, room - cut);
	if (cut)
		canvas_put(canvas, row, area.column + inset + room - 1, 1, ROLE_SHEET_TITLE, STR("\u2026"));
	if (card->figures.len && card_has_room_for_figures(canvas, card)) {
		unsigned columns = flow_columns(card->figures, area.columns);

		card_put_on_edge(canvas, row, right - inset - columns, ROLE_SHEET_MUTED, card->figures, columns);
	}
}

void card_draw_keys(struct canvas *canvas, struct area line, struct str words, struct str all)
{
	unsigned inset = card_inset(canvas->columns), room = line.columns > 2 * inset ? line.columns - 2 * inset : 1;
	unsigned place = flow_columns(words, room), taken = place && room > 2 * place + PLACE_GAP ? place + PLACE_GAP : 0;
	struct str keys = hints_fitting(all, room - taken);
	unsigned columns = flow_columns(keys, room), right = line.column + line.columns - inset;
	bool cut = room > 1 && utf8_width(keys) > room;

	card_draw_edge(canvas, line.row, line);
	if (columns)
		card_put_on_edge(canvas, line.row, right - columns, ROLE_SHEET_MUTED, keys, columns - cut);
	if (cut)
		canvas_put(canvas, line.row, right - 1, 1, ROLE_SHEET_MUTED, STR("\u2026"));
	if (place && place + columns + PLACE_GAP <= room)
		card_put_on_edge(canvas, line.row, line.column + inset, ROLE_SHEET_MUTED, words, place);
}

/* Lines where the card has no background of its own: a theme that has one draws them in it. */
static void card_draw_sides(struct canvas *canvas, struct area all, bool title, bool keys)
{
	for (unsigned r = 0; r < all.rows; r++) {
		bool first = title && r == 0, last = keys && r + 1 == all.rows;
		struct str left = first ? STR("\u250c") : last ? STR("\u2514") : STR("\u2502");
		struct str right = first ? STR("\u2510") : last ? STR("\u2518") : STR("\u2502");

		canvas_put(canvas, all.row + r, all.column, 1, ROLE_SHEET_EDGE, left);
		canvas_put(canvas, all.row + r, all.column + all.columns - 1, 1, ROLE_SHEET_EDGE, right);
	}
}

/* Nothing of the page shows in the rows of a card, and nothing of another card inside its sides. A blank row parts it from bands of code. */
static void card_clear(struct canvas *canvas, struct area all)
{
	unsigned air = all.row >= AIR_LEAST;
	struct area rows = { all.row - air, 0, all.rows + 2 * air, canvas->columns }, under = canvas->card;
	bool on_card = under.rows && rows.row > under.row && rows.row + rows.rows < under.row + under.rows && all.column > under.column;

	if (on_card)
		rows = (struct area){ rows.row, under.column + 1, rows.rows, under.columns - 2 };
	canvas_fill(canvas, rows, on_card ? ROLE_SHEET : ROLE_TEXT);
}

struct area card_draw(struct canvas *canvas, const struct card *card)
{
	struct area area = card_area(canvas, card);
	unsigned title = canvas->rows >= TITLE_ROWS, keys = canvas->rows >= KEYS_ROWS;
	unsigned side = area.column > 0;
	struct area all = { area.row - title, area.column - side, area.rows + title + keys, area.columns + 2 * side };

	card_clear(canvas, all);
	canvas_fill(canvas, all, ROLE_SHEET);
	if (side)
		card_draw_sides(canvas, all, title, keys);
	if (title)
		card_draw_title(canvas, card, area);
	if (keys)
		card_draw_keys(canvas, (struct area){ area.row + area.rows, area.column, 1, area.columns }, card->place, card->keys);
	canvas->card = all;
	return area;
}

void card_draw_docked(struct canvas *canvas, struct area area, struct str title)
{
	struct card card = { .title = title };

	canvas_fill(canvas, area, ROLE_SHEET);
	card_draw_title(canvas, &card, (struct area){ area.row + 1, area.column, area.rows - 1, area.columns });
}
