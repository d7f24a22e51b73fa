/*
 * Drawings: the images of the page at the sizes that it draws them in.
 *
 * Each is decoded by the helper (app/system/picture_helper.h), one at a time, written to and read from in the loop. It has 6 s. The newest
 * DRAWINGS_MOST are kept. For a terminal that draws images itself they are decoded larger, and sent to it or drawn over half blocks. An
 * image is known by its bytes' address, length and a few of its bytes, so that no frame reads all of them.
 */
#ifndef WEIR_APP_DRAWINGS_H
#define WEIR_APP_DRAWINGS_H

#include "app/screen/host.h"
#include "base/child.h"
#include "ui/term/kitty_graphics.h"

#define DRAWINGS_MOST KITTY_IMAGES

/* How the terminal shows it. */
enum drawn { DRAWN_BLOCKS, DRAWN_KITTY, DRAWN_SIXELS };

struct drawing_key {
	const char *ptr;
	size_t len;
	uint64_t sample;
	struct image_size size;
	enum drawn drawn;
	unsigned sharp;          /* pixels of a column, and of half a row */
};
enum drawing_state { DRAWING_NONE, DRAWING_WANTED, DRAWING_RUNNING, DRAWING_DONE };

struct drawing {
	enum drawing_state state;
	struct drawing_key key;
	struct picture picture;  /* rgb: heap */
	uint64_t used;           /* when it was asked for last */
};

struct drawings {
	const struct host *host;
	struct pictures found;   /* what panes ask */
	struct drawing all[DRAWINGS_MOST];
	uint64_t clock;
	uint64_t versions;       /* pictures so far */
	struct drawing *running; /* NULL: none */
	struct child child;
	int input, output;       /* of the helper; -1: closed */
	struct buf bytes, result;
	size_t written;
	int64_t deadline_ms;
	struct buf wanted;       /* the bytes of the image that is decoded next: those of the page may be gone by then */
	struct drawing *next;    /* NULL: none */
};

void drawings_init(struct drawings *d, const struct host *host);
void drawings_fini(struct drawings *d);
struct loop_member drawings_member(struct drawings *d);

#endif
