/*
 * The handshake: what the terminal is asked with the first frame, and what it has answered.
 *
 * Nobody waits for answers. They come through the key decoder (KEY_REPLY) whenever they come; a terminal that gives none is
 * treated as one of which nothing is known. Bytes in, bytes out: no descriptor, no clock.
 *
 * Widths are measured: an emoji is put on the empty screen, hidden, and the terminal says where its cursor went.
 */
#ifndef WEIR_UI_HANDSHAKE_H
#define WEIR_UI_HANDSHAKE_H

#include <stdint.h>

#include "base/utf8.h"

enum handshake_probe { PROBE_JOINED, PROBE_TONE, PROBE_VARIANT, PROBE_FLAG, PROBE_RECENT, PROBES };

struct handshake {
	bool asked;
	bool answered;               /* what is asked last, and every terminal answers: nothing more will come */
	bool no_sync;                /* it does not know synchronized output */
	bool has_background;
	int r, g, b;                 /* of the background, 0 to 255 */
	unsigned columns[PROBES];    /* that each took; 0: not known */
};

/* False for types of terminals that would show the questions, or parts of them. */
bool handshake_may_ask(const char *type);

/* Appends the questions. The terminal's screen is empty, and is cleared right behind them. */
void handshake_ask(struct handshake *h, unsigned rows, unsigned columns, struct buf *out);

/* Takes an answer, without its ESC; false when it says nothing new. */
bool handshake_take(struct handshake *h, struct str reply);

/* How emoji are to be shown, by what is known so far. */
struct utf8_profile handshake_profile(const struct handshake *h);

#endif
