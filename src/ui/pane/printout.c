#include "ui/pane/printout.h"

#include "chat/conversation/conversation.h"
#include "ui/page/page.h"
#include "ui/pane/transcript_inside.h"
#include "ui/term/pen.h"

#define ROW_LIMIT ((size_t)1 << 20)

/* A placeholder of the palette stands for its colour. */
static int32_t printout_colour(const struct palette *palette, int32_t colour)
{
	return colour != COLOUR_DEFAULT && palette->rgb[colour] ? palette->rgb[colour] : colour;
}

static struct pen printout_pen(const struct palette *palette, const struct cell *cell)
{
	struct style style = palette->styles[cell->role];
	bool has_background = palette->styles[ROLE_TEXT].bg != COLOUR_DEFAULT;

	style.fg = has_background ? COLOUR_DEFAULT : printout_colour(palette, style.fg);
	style.bg = has_background ? COLOUR_DEFAULT : printout_colour(palette, style.bg);
	return pen_of(&style, cell->attributes);
}

static unsigned printout_row_length(const struct canvas *canvas, unsigned row)
{
	unsigned length = canvas->columns;

	while (length && canvas_cell(canvas, row, length - 1)->len == 1 && *canvas_cell(canvas, row, length - 1)->text == ' ')
		length--;
	return length;
}

void printout_row(const struct canvas *canvas, unsigned row, const struct palette *palette, struct buf *out)
{
	struct pen have = { 0 };

	for (unsigned c = 0, length = printout_row_length(canvas, row); c < length; c++) {
		const struct cell *cell = canvas_cell(canvas, row, c);
		struct pen want = printout_pen(palette, cell);

		pen_change(&have, &want, out);
		buf_add(out, str_of(cell->text, cell->len));
	}
	pen_change(&have, &(struct pen){ 0 }, out);
	buf_add_byte(out, '\n');
}

/* Sets `*at` to the first row to print: the start of turn `first`, or later because of `most`. True if it is later. */
static bool printout_start(struct transcript *p, const struct view *view, const struct printout *what, struct place *at)
{
	struct place first = { what->first, 0, 0 };

	*at = (struct place){ view->conversation->count - 1, 0, 0 };
	at->piece = page_pieces(transcript_page(p, view, at->turn)) - 1;
	transcript_walk(p, view, -(long)what->most, at);
	bool later = what->most && place_is_before(&first, at);
	*at = later ? *at : first;
	return later;
}

void printout_conversation(const struct printout *what, const struct view *view, printout_sink *sink, void *ctx)
{
	struct transcript *p = transcript_new();
	struct canvas *canvas = canvas_new(1, what->columns);
	struct palette palette;
	struct place at;
	struct buf line;

	buf_init(&line, ROW_LIMIT);
	palette_make(&palette, what->theme, what->colours);
	transcript_set_form(p, PAGE_PRINTED);
	transcript_set_width(p, view, what->columns);
	if (printout_start(p, view, what, &at))
		sink(ctx, STR(" ...\n"));
	do {
		struct page *page = transcript_page(p, view, at.turn);
		/* the blank row after the last turn separates nothing */
		bool last = at.turn + 1 == view->conversation->count && at.piece + 1 == page_pieces(page);

		for (; !last && at.row < page_piece_rows(page, at.piece); at.row++) {
			canvas_clear(canvas);
			page_draw_row(page, at.piece, at.row, canvas, 0, what->columns > 2, what->columns - (what->columns > 2));
			buf_clear(&line);
			printout_row(canvas, 0, &palette, &line);
			sink(ctx, buf_str(&line));
		}
	} while (transcript_next_piece(p, view, &at));
	buf_fini(&line);
	canvas_free(canvas);
	transcript_free(p);
}
