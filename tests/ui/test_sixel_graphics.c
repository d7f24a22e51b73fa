/* Pictures drawn over half blocks: in steps, and only where the placed picture still is. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/sixel.h"
#include "support/check.h"
#include "ui/term/sixel_graphics.h"

#define ROWS 24u
#define COLUMNS 110u

struct bench {
	struct canvas *canvas;
	struct sixels sixels;
	struct picture picture;
	struct buf out;
};

static void make_picture(struct picture *picture, uint64_t version, uint32_t columns, uint32_t rows)
{
	struct image_size fine = { columns * 2, rows * 4 };
	uint8_t *pixels = mem_new((size_t)fine.width * fine.height * 3);

	for (size_t i = 0; i < (size_t)fine.width * fine.height * 3; i++)
		pixels[i] = (uint8_t)(i * 7);
	*picture = (struct picture){ .size = { columns, rows * 2 }, .fine = pixels, .fine_size = fine, .version = version };
}

static void drop_picture(struct picture *picture)
{
	mem_free((uint8_t *)(uintptr_t)picture->fine);
	*picture = (struct picture){ 0 };
}

static void ignore(const struct placed *place)
{
	(void)place;
}

/* A frame with the picture at the top, which is due at time 0. */
static void begin(struct bench *b, uint32_t columns, uint32_t rows)
{
	*b = (struct bench){ .canvas = canvas_new(ROWS, COLUMNS) };
	make_picture(&b->picture, 1, columns, rows);
	for (unsigned row = 0; row < rows; row++) {
		canvas_place_row(b->canvas, &(struct placed){ &b->picture, 1, row, 0, 1, columns, row });
		for (unsigned column = 0; column < columns; column++)
			canvas_put_picture(b->canvas, row, column, ROLE_TEXT, 0xFF0000, 0x00FF00);
	}
	sixels_follow(&b->sixels, b->canvas, ignore);
	sixels_note_time(&b->sixels, -SIXEL_STILL_MS);
}

static void end(struct bench *b)
{
	drop_picture(&b->picture);
	canvas_free(b->canvas);
	buf_fini(&b->out);
}

/* The rows in pixels of the picture that begins at `*at`, and the row of the screen that it begins in. */
static bool next_sixels(struct str *rest, unsigned *row, unsigned *height)
{
	unsigned width;
	bool found = sscanf(rest->ptr, "\x1B[%u;1H\x1BP0;1q\"1;1;%u;%u#", row, &width, height) == 3;

	*rest = str_skip(*rest, str_find(*rest, STR("\x1B\\")));
	*rest = str_skip(*rest, rest->len < 2 ? rest->len : 2);
	return found;
}

static void a_large_picture_is_drawn_in_steps(void)
{
	static const struct { struct image_size cell; uint32_t columns, rows; unsigned steps; } cases[] = {
		{ { 10, 20 }, 40, 10, 1 }, { { 10, 20 }, 100, 20, 2 }, { { 20, 40 }, 100, 20, 7 }, { { 32, 64 }, 100, 20, 20 }, { { 10, 20 }, 12, 4, 1 },
		{ { 64, 64 }, 100, 20, 0 }, /* one row is too much */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unsigned steps = 0, row, height, covered = 0;
		struct bench b;

		begin(&b, cases[i].columns, cases[i].rows);
		while (sixels_due(&b.sixels) <= 0 && steps <= cases[i].rows)
			if (sixels_draw(&b.sixels, b.canvas, cases[i].cell, SIXEL_COLOURS_MOST, 0, &b.out))
				steps++;
		CHECK(steps == cases[i].steps, "case %zu: %u steps", i, steps);
		struct str rest = buf_str(&b.out);
		for (unsigned n = 0; n < steps; n++) {
			CHECK(next_sixels(&rest, &row, &height) && (row - 1) * cases[i].cell.height == covered, "case %zu, step %u: row %u", i, n, row);
			CHECK(height * cases[i].columns * cases[i].cell.width <= SIXEL_STEP_PIXELS, "case %zu: %u rows of pixels", i, height);
			covered += height;
		}
		CHECK(!rest.len && covered == (steps ? cases[i].rows * cases[i].cell.height : 0), "case %zu: %u rows of pixels", i, covered);
		end(&b);
	}
}

/* A change of its rows overwrites the steps so far. */
static void a_change_begins_again(void)
{
	bool differs[ROWS] = { [15] = true };
	unsigned row, height;
	struct bench b;

	begin(&b, 100, 20);
	CU_ASSERT(sixels_draw(&b.sixels, b.canvas, (struct image_size){ 10, 20 }, 16, 0, &b.out));
	sixels_follow(&b.sixels, b.canvas, ignore);
	sixels_note_rows(&b.sixels, differs);
	sixels_note_time(&b.sixels, 0);
	buf_clear(&b.out);
	CU_ASSERT(!sixels_draw(&b.sixels, b.canvas, (struct image_size){ 10, 20 }, 16, SIXEL_STILL_MS - 1, &b.out));
	CU_ASSERT(sixels_draw(&b.sixels, b.canvas, (struct image_size){ 10, 20 }, 16, SIXEL_STILL_MS, &b.out));
	struct str rest = buf_str(&b.out);
	CHECK(next_sixels(&rest, &row, &height) && row == 1, "row %u", row);
	end(&b);
}

/* The pictures that the program keeps are few: the memory of one may hold another one, or none, when the next step is drawn. */
static void a_picture_that_was_dropped_is_not_drawn(void)
{
	for (int other = 0; other < 2; other++) {
		struct bench b;

		begin(&b, 100, 20);
		CU_ASSERT(sixels_draw(&b.sixels, b.canvas, (struct image_size){ 10, 20 }, 16, 0, &b.out));
		drop_picture(&b.picture);
		if (other)
			make_picture(&b.picture, 2, 3, 20); /* narrower */
		CHECK(!sixels_draw(&b.sixels, b.canvas, (struct image_size){ 10, 20 }, 16, 0, &b.out), "%s", other ? "another" : "none");
		end(&b);
	}
}

const struct suite suite_sixel_graphics = { "sixel_graphics", (const struct test[]){
	TEST(a_large_picture_is_drawn_in_steps), TEST(a_change_begins_again), TEST(a_picture_that_was_dropped_is_not_drawn), { 0 } } };
