/*
 * The frame view: one row of a trace (chat/player/trace.h) as it came, and what it became, as lines of text.
 *
 * Fields of an event stand on lines of their own, JSON is pretty-printed or folded, bytes that are not UTF-8 are shown by their value.
 * What is laid out is bounded, however large the frame is.
 */
#ifndef WEIR_UI_FRAME_VIEW_H
#define WEIR_UI_FRAME_VIEW_H

#include "chat/player/trace.h"
#include "render/flow.h"
#include "ui/canvas.h"

struct frame_line { size_t start; uint8_t role; bool is_json; };

struct frame_view {
	struct buf text;          /* lines, each with its LF */
	struct frame_line *lines;
	size_t count, capacity;
	struct flow flow;         /* rows of `text` */
	bool is_invalid;          /* some bytes are not UTF-8 */
	/* What it shows: */
	const struct trace *trace;
	size_t row, length, deltas, findings; /* the row, its bytes and deltas when it was made; findings of all rows */
	bool folded;
};

void frame_view_init(struct frame_view *v);
void frame_view_fini(struct frame_view *v);
void frame_view_forget(struct frame_view *v);  /* the trace goes */

/* Makes the lines of a row, if it shows another one or the row has grown. True: it does show another one. */
bool frame_view_show(struct frame_view *v, const struct trace *trace, size_t row, bool folded);

size_t frame_view_rows(struct frame_view *v, unsigned columns);
/* Draws the rows from `first` on. Occurrences of the needle are marked; "": none. */
void frame_view_draw(struct frame_view *v, struct canvas *canvas, struct area area, size_t first, struct str needle);

#endif
