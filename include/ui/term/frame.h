/*
 * Frames on their way to the terminal: tidied bytes, and the queue of what the terminal has not taken yet.
 */
#ifndef WEIR_UI_FRAME_H
#define WEIR_UI_FRAME_H

#include "base/text.h"
#include "ui/term/links.h"
#include "ui/term/pen.h"
#include "ui/term/stand_in.h"

/*
 * Marks in ncurses' cells, right behind the base, for what it has no attribute for: struck through, and the number of a link. They
 * take no room, and no text has them (utf8_cell() drops them). As part of a cell they make it differ where only the link does.
 */
#define MARK_STRIKE 0xE0100u
#define MARK_LINK(number) (0xE0100u + (number)) /* 1 to LINKS_MOST */

/* What outlives a frame: the terminal keeps its pen. At the start and after others have written `have` is unknown. */
struct tidy {
	struct pen have, want;
	unsigned link;                     /* under way */
	const struct stand_ins *stand_ins; /* NULL: none */
	const struct links *links;         /* the same */
};

/*
 * Appends what ncurses wrote, without what does harm: the switch to ASCII (three bytes at every change of style, for a line
 * drawing set that is never used), OSC 104 (it would reset a palette that the user has changed), REP (not every terminal
 * has it: the characters are written out), and with the pen changed only where it matters (ui/term/pen.h). Marks become
 * strikethrough and links (none is left open at the end), stand-ins the clusters that they stand for.
 */
void frame_tidy(struct tidy *tidy, struct str raw, const struct palette *palette, struct buf *out);

struct frame_queue {
	int fd;              /* borrowed; may be non-blocking */
	struct buf pending;
	size_t sent;         /* of pending */
};

void frame_queue_init(struct frame_queue *queue, int fd);
void frame_queue_fini(struct frame_queue *queue);
bool frame_queue_is_empty(const struct frame_queue *queue);
/* One write(2) of all that is pending; what does not fit stays. A terminal that is gone takes everything. */
void frame_queue_send(struct frame_queue *queue);
/* The same until all is out, or the terminal has taken nothing for 400 ms: for leaving. */
void frame_queue_drain(struct frame_queue *queue);

#endif
