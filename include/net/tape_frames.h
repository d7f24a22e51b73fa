/*
 * The frames of a whole body as ranges of bytes, by the framing that the body will get (wire/framer.h). Adjacent ranges leave nothing out:
 * a frame includes the blank lines behind it. A body that is one JSON value, an array or a document is one frame.
 */
#ifndef WEIR_NET_TAPE_FRAMES_H
#define WEIR_NET_TAPE_FRAMES_H

#include "base/text.h"

struct tape_frames { /* borrows the body */
	struct str rest;
	size_t (*length)(struct str text); /* private */
};

struct tape_frames tape_frames_of(struct str body);
bool tape_frames_next(struct tape_frames *frames, struct str *frame); /* false behind the last one */

#endif
