/*
 * Sixel pictures: a terminal that knows sixels draws over half blocks that stand still. The cells stay what they are for the screen's
 * diff: a cell that is written again loses its pixels, so moving pictures are half blocks.
 *
 * Encoding takes long, 80 ns a pixel, so a picture is drawn in steps of whole rows of cells: keys are read and frames are made between
 * them. No descriptor, no clock.
 */
#ifndef WEIR_UI_SIXEL_GRAPHICS_H
#define WEIR_UI_SIXEL_GRAPHICS_H

#include "ui/canvas.h"
#include "ui/picture.h"

#define SIXEL_STILL_MS 150              /* a picture that has not changed for this long is still */
#define SIXEL_MOVED_MS 600              /* one that has moved */
#define SIXEL_STEP_PIXELS 240000u       /* of one step, about 20 ms; a picture with more in one row of cells stays half blocks */
#define SIXEL_BYTES_MOST ((size_t)2 << 20) /* of one step */
#define SIXEL_NEVER INT64_MAX

struct sixel_place {
	struct placed at;
	bool drawn;      /* the terminal may show pixels there */
	bool changed;    /* in the last frame */
	unsigned done;   /* rows of cells that the steps so far have drawn */
	int64_t wait_ms; /* how long it must be still */
	int64_t due_ms;  /* SIXEL_NEVER: it needs no drawing */
};

struct sixels { struct sixel_place places[CANVAS_PLACED]; unsigned count; };

/*
 * Takes the places of the next frame. Calls `gone` with each place whose pixels the frame must write over: it is no longer there, or
 * elsewhere. True: there was one.
 */
typedef void sixel_gone(const struct placed *place);
bool sixels_follow(struct sixels *s, const struct canvas *canvas, sixel_gone *gone);
/* The frame writes rows of a place again: `differs` has a flag for each row of the screen. */
void sixels_note_rows(struct sixels *s, const bool *differs);
void sixels_forget(struct sixels *s);            /* the terminal shows no pixels any more */

void sixels_note_time(struct sixels *s, int64_t now_ms); /* the last frame was shown now */
int64_t sixels_due(const struct sixels *s);              /* when sixels_draw() has something to draw */
/*
 * Appends one step of a place that is due, with the cursor's motion to it, with at most `colours` colours. `cell` is in pixels. The cursor is
 * anywhere afterwards. Nothing reaches the last row of the screen, where terminals would scroll. False: nothing to draw, also
 * where the picture is not the one that was placed any more.
 */
bool sixels_draw(struct sixels *s, const struct canvas *canvas, struct image_size cell, unsigned colours, int64_t now_ms, struct buf *out);

#endif
