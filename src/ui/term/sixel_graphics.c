#include "ui/term/sixel_graphics.h"

#include <string.h>

#include "base/mem.h"
#include "base/sixel.h"

/* --- places --- */

static bool sixel_same_place(const struct placed *a, const struct placed *b)
{
	return a->picture == b->picture && a->version == b->version && a->row == b->row && a->column == b->column && a->rows == b->rows &&
	       a->columns == b->columns && a->first == b->first;
}

/* A page that goes on moving every few hundred milliseconds would flicker. */
static int64_t sixels_wait_ms(const struct sixels *s, const struct placed *at)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->places[i].at.picture == at->picture && s->places[i].at.version == at->version)
			return SIXEL_MOVED_MS;
	return SIXEL_STILL_MS;
}

static struct sixel_place *sixels_find(struct sixels *s, const struct placed *at)
{
	for (unsigned i = 0; i < s->count; i++)
		if (sixel_same_place(&s->places[i].at, at))
			return &s->places[i];
	return NULL;
}

bool sixels_follow(struct sixels *s, const struct canvas *canvas, sixel_gone *gone)
{
	struct sixels next = { .count = canvas->placed_count };
	bool some = false;

	for (unsigned i = 0; i < next.count; i++) {
		struct sixel_place *old = sixels_find(s, &canvas->placed[i]);

		next.places[i] = old ? *old : (struct sixel_place){ .at = canvas->placed[i], .changed = true, .due_ms = SIXEL_NEVER,
		                                                    .wait_ms = sixels_wait_ms(s, &canvas->placed[i]) };
		if (old)
			old->drawn = false;
	}
	for (unsigned i = 0; i < s->count; i++)
		if (s->places[i].drawn) {
			gone(&s->places[i].at);
			some = true;
		}
	*s = next;
	return some;
}

void sixels_note_rows(struct sixels *s, const bool *differs)
{
	for (unsigned i = 0; i < s->count; i++)
		for (unsigned row = 0; row < s->places[i].at.rows; row++)
			s->places[i].changed |= differs[s->places[i].at.row + row];
}

void sixels_forget(struct sixels *s)
{
	s->count = 0;
}

/* --- time --- */

void sixels_note_time(struct sixels *s, int64_t now_ms)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->places[i].changed) {
			s->places[i].changed = false;
			s->places[i].due_ms = now_ms + s->places[i].wait_ms;
			s->places[i].done = 0;
		}
}

int64_t sixels_due(const struct sixels *s)
{
	int64_t due_ms = SIXEL_NEVER;

	for (unsigned i = 0; i < s->count; i++)
		due_ms = s->places[i].due_ms < due_ms ? s->places[i].due_ms : due_ms;
	return due_ms;
}

/* --- drawing --- */

/* Something is over a part of it: a card. Its going away changes the rows, so the picture is drawn then. */
static bool sixel_is_covered(const struct placed *at, const struct canvas *canvas)
{
	for (unsigned row = 0; row < at->rows; row++)
		for (unsigned column = 0; column < at->columns; column++)
			if (!canvas_cell(canvas, at->row + row, at->column + column)->colours[0])
				return true;
	return false;
}

/* A part of the pixels of a place. */
struct sixel_step { unsigned row; struct image_size size; };

/* The nearest pixels of the picture, which is drawn in size.width columns and size.height half rows. */
static uint8_t *sixel_scale(const struct placed *at, struct image_size cell, const struct sixel_step *step)
{
	const struct picture *from = at->picture;
	uint64_t width = (uint64_t)from->size.width * cell.width * 2, height = (uint64_t)from->size.height * cell.height;
	uint64_t above = (uint64_t)(at->first + step->row) * cell.height;
	uint8_t *rgb = mem_new((size_t)step->size.width * step->size.height * 3), *to = rgb;

	for (uint64_t y = above; y < above + step->size.height; y++) {
		uint64_t line = (2 * y + 1) * from->fine_size.height / height;

		for (uint64_t x = 0; x < step->size.width; x++, to += 3)
			memcpy(to, from->fine + (line * from->fine_size.width + (2 * x + 1) * from->fine_size.width / width) * 3, 3);
	}
	return rgb;
}

/* The pixels on the screen. A picture may end in the upper half of its last row. */
static struct image_size sixel_size(const struct placed *at, const struct canvas *canvas, struct image_size cell)
{
	unsigned rows = at->row + at->rows < canvas->rows ? at->rows : canvas->rows - 1 - at->row;
	uint32_t all = at->picture->size.height * cell.height / 2, above = at->first * cell.height, most = rows * cell.height;

	all = all > above ? all - above : 0;
	return (struct image_size){ at->columns * cell.width, all < most ? all : most };
}

/* The next rows; false: there are no more, or one has too many pixels. A rest that is too low to be encoded belongs to the step before. */
static bool sixel_next_step(const struct sixel_place *place, struct image_size all, struct image_size cell, struct sixel_step *step)
{
	unsigned rows = SIXEL_STEP_PIXELS / cell.height / all.width;
	uint32_t left = all.height > place->done * cell.height ? all.height - place->done * cell.height : 0;
	uint32_t height = rows * cell.height;

	*step = (struct sixel_step){ place->done, { all.width, left < height + SIXEL_HEIGHT_LEAST ? left : height } };
	return rows && left;
}

static bool sixel_add(const struct sixel_place *place, struct image_size cell, const struct sixel_step *step, unsigned colours, struct buf *out)
{
	size_t before = out->len;
	struct buf made;

	buf_init(&made, SIXEL_BYTES_MOST);
	uint8_t *rgb = sixel_scale(&place->at, cell, step);
	bool good = sixel_encode_rgb(rgb, step->size, colours, &made);
	if (good) {
		buf_printf(out, "\x1B[%u;%uH", place->at.row + step->row + 1, place->at.column + 1);
		good = buf_add(out, buf_str(&made));
	}
	if (!good)
		buf_remove(out, before, out->len - before);
	mem_free(rgb);
	buf_fini(&made);
	return good;
}

/* Whether it is where the screen has it, and still the picture that was placed there. */
static bool sixel_is_there(const struct sixels *s, unsigned i, const struct canvas *canvas)
{
	const struct placed *at = &s->places[i].at;

	return i < canvas->placed_count && sixel_same_place(at, &canvas->placed[i]) && at->picture->version == at->version && at->picture->fine &&
	       !sixel_is_covered(at, canvas);
}

bool sixels_draw(struct sixels *s, const struct canvas *canvas, struct image_size cell, unsigned colours, int64_t now_ms, struct buf *out)
{
	for (unsigned i = 0; i < s->count; i++) {
		struct sixel_place *place = &s->places[i];
		struct sixel_step step;

		if (place->due_ms > now_ms)
			continue;
		place->due_ms = SIXEL_NEVER;
		place->wait_ms = SIXEL_STILL_MS;
		if (!sixel_is_there(s, i, canvas))
			continue;
		struct image_size all = sixel_size(&place->at, canvas, cell);
		if (!sixel_next_step(place, all, cell, &step) || !sixel_add(place, cell, &step, colours, out))
			continue;
		place->done += (step.size.height + cell.height - 1) / cell.height;
		place->due_ms = place->done * cell.height < all.height ? now_ms : SIXEL_NEVER;
		return place->drawn = true;
	}
	return false;
}
