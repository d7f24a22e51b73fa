/*
 * A card: the frame of menus, sheets and forms, an overlay on the page. It is as wide as its content. The hairline above contains its
 * title, the one below its key hints; lines at its sides join them where there is room. The rows that it takes show nothing else: scraps of
 * words beside it could not be read. The page above and below it stays visible.
 */
#ifndef WEIR_UI_CARD_H
#define WEIR_UI_CARD_H

#include "ui/canvas.h"

struct card {
	struct str title;
	struct str figures;  /* right of the title, if there is room */
	struct str keys;     /* key hints, separated by three blanks; without room the first ones are dropped */
	struct str place;    /* left of the key hints, if there is room: "PgDn more", "3 of 41" */
	unsigned columns;    /* wanted width of the content, including its margins */
	unsigned rows;       /* wanted height of the content */
	unsigned held;       /* the height that decides where the card begins, if it is more than `rows` */
};

/* The area of the content. It has the full width of the card, margins included, and at least one row and column. */
struct area card_area(const struct canvas *canvas, const struct card *card);
/* Draws the background and the hairlines. Returns card_area(). The canvas keeps where the card is. */
struct area card_draw(struct canvas *canvas, const struct card *card);
/* A docked card fills an area: the first row is its title's hairline. Its keys are on the hairline of what it is docked to. */
void card_draw_docked(struct canvas *canvas, struct area area, struct str title);
/* Draws the lower hairline of a card in the first row of an area: `words` at the left if there is room, and the keys. */
void card_draw_keys(struct canvas *canvas, struct area line, struct str words, struct str keys);
unsigned card_keys_margin(unsigned columns); /* of a hairline of that width: what its keys cannot take */
/* True if the figures fit beside the title. */
bool card_has_room_for_figures(const struct canvas *canvas, const struct card *card);

#endif
