/*
 * The handshake: queries sent to the terminal with the first frame, and its replies.
 *
 * Nothing waits for a reply. Replies arrive through the key decoder (KEY_REPLY); without them, defaults apply. Bytes in, bytes out:
 * no descriptor, no clock.
 *
 * Emoji widths are measured: a concealed emoji is written to the empty screen, and the terminal reports the cursor's position.
 */
#ifndef WEIR_UI_HANDSHAKE_H
#define WEIR_UI_HANDSHAKE_H

#include <stdint.h>

#include "base/utf8.h"

#define CELL_EDGE_MOST 64 /* pixels of a cell's edge; a terminal that claims more is not believed */

enum handshake_probe { PROBE_JOINED, PROBE_TONE, PROBE_VARIANT, PROBE_FLAG, PROBE_RECENT, PROBES };

struct handshake {
	bool asked;
	bool answered;               /* the reply to the last query, which every terminal answers, has arrived: no more will follow */
	bool asks_images;            /* set by the caller: the terminal may be asked whether it draws images */
	bool knows_graphics;         /* it knows kitty's graphics protocol */
	bool knows_placeholders;     /* by its name and version: also the protocol's Unicode placeholders, which it cannot be asked for */
	bool no_sync;                /* the terminal does not support synchronized output */
	bool knows_sixels;           /* by its attributes (DA1) */
	bool asked_more;
	uint32_t cell_width, cell_height; /* in pixels; 0: unknown */
	unsigned sixel_colours;      /* how many colours a sixel picture may have; 0: unknown */
	bool has_background;
	int r, g, b;                 /* background colour, 0 to 255; valid if has_background */
	unsigned columns[PROBES];    /* measured width of each probe; 0: unknown */
};

/* False for terminal types that would print the queries or parts of them. */
bool handshake_may_ask(const char *type);

/* Appends the queries. They expect an empty screen and clear it at the end. */
void handshake_ask(struct handshake *h, unsigned rows, unsigned columns, struct buf *out);

/* Parses a reply, given without its ESC. False if it is not a reply to one of the queries. */
bool handshake_take(struct handshake *h, struct str reply);

/* Appends queries that only a terminal with sixels gets, when it has said that it is one. */
void handshake_ask_more(struct handshake *h, struct buf *out);

/* The terminal draws images whose cells are placeholders (ui/term/kitty_graphics.h). */
bool handshake_draws_images(const struct handshake *h);

/* How to display emoji, according to the replies so far. */
struct utf8_profile handshake_profile(const struct handshake *h);

#endif
