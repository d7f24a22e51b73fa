/*
 * Output frames: post-processing of the bytes that ncurses writes, and the queue of bytes that the terminal has not accepted yet.
 */
#ifndef WEIR_UI_FRAME_H
#define WEIR_UI_FRAME_H

#include "base/text.h"
#include "ui/term/cell_substitute.h"
#include "ui/term/links.h"
#include "ui/term/pen.h"

/*
 * Marks: code points in the cells given to ncurses, right after the base character, for what ncurses has no attribute for:
 * strikethrough, and the number of a link. They have width 0 and never occur in text (utf8_cell() drops them). Being part of the
 * cell, they also make ncurses redraw a cell in which only the link has changed.
 * The cell of a picture has four marks, which are its colours, or three, which are its part of an image (ui/picture.h).
 */
#define MARK_STRIKE 0xE0100u
#define MARK_LINK(number) (0xE0100u + (number)) /* 1 to LINKS_MOST */

/*
 * State that lasts from frame to frame, because the terminal keeps its attributes. `have` is unknown at the start and after another
 * program has written to the terminal.
 */
struct tidy {
	struct pen have;                   /* attributes of the terminal */
	struct pen want;                   /* attributes for the next text */
	unsigned link;                     /* number of the open link; 0: none */
	bool true_colour;                  /* pictures have all colours, else the 256 of the palette */
	const struct cell_substitutes *substitutes; /* borrowed; NULL: none */
	const struct links *links;         /* borrowed; NULL: none */
};

/*
 * Appends the output of ncurses to `out`, with these changes:
 * - The switch to ASCII (ESC ( B) is removed: three bytes at every change of attributes, for a line-drawing set that is never used.
 * - OSC 104 is removed: it would reset a palette that the user has changed.
 * - REP is replaced by the repeated characters: not every terminal supports it.
 * - Attributes are changed only where they matter (ui/term/pen.h).
 * - Marks become strikethrough and OSC 8 links. No link is left open at the end.
 * - Stand-ins are replaced by their clusters, cells of images by their placeholders (ui/term/kitty_graphics.h).
 */
void frame_tidy(struct tidy *tidy, struct str raw, const struct palette *palette, struct buf *out);

struct frame_queue {
	int fd;              /* borrowed; may be non-blocking */
	struct buf pending;
	size_t sent;         /* bytes of `pending` already written */
};

void frame_queue_init(struct frame_queue *queue, int fd);
void frame_queue_fini(struct frame_queue *queue);
bool frame_queue_is_empty(const struct frame_queue *queue);
/* Calls write(2) once with all pending bytes. Unwritten bytes stay pending. If the terminal is gone, they are discarded. */
void frame_queue_send(struct frame_queue *queue);
/* Sends until the queue is empty or the terminal has accepted nothing for 400 ms. For leaving the screen. */
void frame_queue_drain(struct frame_queue *queue);

#endif
