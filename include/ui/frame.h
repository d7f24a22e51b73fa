/*
 * Frames on their way to the terminal: tidied bytes, and the queue of what the terminal has not taken yet.
 */
#ifndef WEIR_UI_FRAME_H
#define WEIR_UI_FRAME_H

#include "base/text.h"
#include "ui/pen.h"

/* What outlives a frame: the terminal keeps its pen. At the start and after others have written `have` is unknown. */
struct tidy { struct pen have, want; };

/*
 * Appends what ncurses wrote, without what does harm: the switch to ASCII (three bytes at every change of style, for a line
 * drawing set that is never used), OSC 104 (it would reset a palette that the user has changed), REP (not every terminal
 * has it: the characters are written out), and with the pen changed only where it matters (ui/pen.h).
 */
void frame_tidy(struct tidy *tidy, struct str raw, const struct palette *palette, struct buf *out);

struct frame_queue {
	int fd;              /* borrowed; may be non-blocking */
	struct buf pending;
	size_t sent;         /* of pending */
	size_t bytes;        /* written in all */
};

void frame_queue_init(struct frame_queue *queue, int fd);
void frame_queue_fini(struct frame_queue *queue);
bool frame_queue_is_empty(const struct frame_queue *queue);
/* One write(2) of all that is pending; what does not fit stays. A terminal that is gone takes everything. */
void frame_queue_send(struct frame_queue *queue);
/* The same until all is out, for leaving: at most a second. */
void frame_queue_drain(struct frame_queue *queue);

#endif
