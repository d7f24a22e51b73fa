/*
 * The pieces of a whole body, as ranges of bytes: what a server would send at once. An event, a comment, a line of JSON with the blank
 * lines behind it; a body that is one JSON value, an array or a document is one piece. Adjacent ranges leave nothing out. Not the frames
 * of the body, which the framer finds (wire/framer.h): pieces are where a body without times is cut.
 */
#ifndef WEIR_NET_TAPE_PIECES_H
#define WEIR_NET_TAPE_PIECES_H

#include "base/text.h"

struct tape_pieces { /* borrows the body */
	struct str rest;
	size_t (*length)(struct str text); /* private */
};

struct tape_pieces tape_pieces_of(struct str body);
bool tape_pieces_next(struct tape_pieces *pieces, struct str *piece); /* false behind the last one */

#endif
