/*
 * A card: the surface of menus, sheets and forms. It lies over the page, as wide as what it holds; its name stands in a hairline
 * above, its keys in one below (SCREEN.md). The page beside it stays readable: one blank column parts them, so that terminals
 * without colours show where the card ends.
 */
#ifndef WEIR_UI_CARD_H
#define WEIR_UI_CARD_H

#include "ui/canvas.h"

struct card {
	struct str title;
	struct str figures;  /* at the right of the title, where there is room */
	struct str keys;     /* hints, three blanks apart; the first ones are dropped where there is no room */
	struct str place;    /* at the left of the keys, where there is room: "PgDn more", "3 of 41" */
	bool says;           /* the keys are a message: they get the role of titles */
	unsigned columns;    /* wanted, margins included */
	unsigned rows;       /* wanted */
	unsigned bottom;     /* a docked card, over the full width, ends above this row of the canvas; 0: it stands in the middle */
};

/* The area of the content, over the full width of the card: its margins are the content's. At least one row and column. */
struct area card_area(const struct canvas *canvas, const struct card *card);
/* Draws surface and hairlines around that area. */
struct area card_draw(struct canvas *canvas, const struct card *card);
/* The figures have room beside the title. */
bool card_has_room_for_figures(const struct canvas *canvas, const struct card *card);

#endif
