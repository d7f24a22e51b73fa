/* Pictures on a terminal: their colours arrive, whatever else is drawn, scrolled or taken away. */
#include "base/image_size.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/turn.h"
#include "screen_stage.h"
#include "support/check.h"
#include "ui/page/page.h"
#include "ui/picture.h"

#define HALF_BLOCK 0x2580u

static void colours_survive_the_marks(void)
{
	static const uint32_t colours[] = { 0x000000, 0xFFFFFF, 0xFF0000, 0x00FF00, 0x0000FF, 0x808080, 0x123456, 0xFEDCBA };

	for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
		for (size_t j = 0; j < sizeof colours / sizeof *colours; j++) {
			uint16_t marks[4];
			uint32_t upper, lower, loss = 0x010001; /* the last bit of red and blue */

			picture_mark_colours(colours[i], colours[j], marks);
			for (unsigned m = 0; m < 4; m++)
				CHECK(marks[m] >= (PICTURE_MARKS & 0xFFFF) && marks[m] < (PICTURE_MARKS_END & 0xFFFF), "%x", marks[m]);
			picture_read_marks(marks, &upper, &lower);
			CHECK((upper | loss) == (colours[i] | loss) && (lower | loss) == (colours[j] | loss), "%06x %06x", upper, lower);
		}
}

static void an_image_fits(void)
{
	static const struct { struct image_size image; unsigned columns, rows; struct image_size fits; } cases[] = {
		{ { 10, 10 }, 80, 0, { 10, 10 } }, { { 800, 400 }, 80, 0, { 80, 40 } }, { { 400, 800 }, 80, 0, { 20, 40 } }, { { 4000, 10 }, 80, 0, { 80, 1 } },
		{ { 1, 100000 }, 80, 0, { 1, 40 } }, { { 4000, 200 }, 300, 0, { 200, 10 } }, { { 5, 5 }, 0, 0, { 1, 1 } },
		{ { 64, 48 }, 80, 12, { 32, 24 } }, { { 64, 48 }, 80, 50, { 53, 40 } }, { { UINT32_MAX, UINT32_MAX }, 30, 0, { 30, 30 } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct image_size fits = picture_fit(cases[i].image, cases[i].columns, cases[i].rows);

		CHECK(fits.width == cases[i].fits.width && fits.height == cases[i].fits.height, "case %zu: %u x %u", i, fits.width, fits.height);
	}
}

static bool has_colour(const VTermColor *colour, uint32_t rgb)
{
	return VTERM_COLOR_IS_RGB(colour) && colour->rgb.red == (rgb >> 16 & 255) && colour->rgb.green == (rgb >> 8 & 255) && colour->rgb.blue == (rgb & 255);
}

/* Where the canvas has a picture's cell the terminal has a half block with its colours, and nowhere else. */
static void check_pictures(struct stage *s, unsigned step)
{
	for (unsigned row = 0; row < s->canvas->rows; row++)
		for (unsigned column = 0; column < s->canvas->columns; column++) {
			const struct cell *want = canvas_cell(s->canvas, row, column);
			VTermScreenCell have = stage_cell(s, row, column);
			uint32_t upper, lower;

			CHECK((have.chars[0] == HALF_BLOCK) == (want->colours[0] != 0), "step %u, %u %u: %x", step, row, column, have.chars[0]);
			if (!want->colours[0])
				continue;
			picture_read_marks(want->colours, &upper, &lower);
			CHECK(has_colour(&have.fg, upper) && has_colour(&have.bg, lower), "step %u, %u %u", step, row, column);
		}
}

static uint32_t any_colour(unsigned *seed, unsigned step)
{
	uint32_t even = 0x336699; /* runs of one colour, which ncurses may write by repetition */

	return step % 3 == 0 ? even : check_random(seed) & 0xFFFFFF;
}

static void draw_picture(struct canvas *canvas, unsigned *seed, unsigned step)
{
	unsigned top = check_random(seed) % canvas->rows, left = check_random(seed) % canvas->columns;

	for (unsigned row = top; row < top + 6; row++)
		for (unsigned column = left; column < left + 20; column++)
			canvas_put_picture(canvas, row, column, ROLE_TEXT, any_colour(seed, step), any_colour(seed, step));
}

static void pictures_and_text_do_not_fight(void)
{
	static const char *const types[] = { "xterm-256color", "tmux-256color", "screen-256color" };

	for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
		unsigned seed = 3;
		struct stage s;

		stage_open(&s, types[t], 16, 60, COLOUR_TRUE, "dark");
		for (unsigned step = 0; step < 80; step++) {
			if (step % 4 == 0)
				canvas_clear(s.canvas);
			if (step % 4 != 3)
				draw_picture(s.canvas, &seed, step);
			canvas_put(s.canvas, check_random(&seed) % 16, check_random(&seed) % 60, 60, ROLE_ACCENT, STR("text over the picture"));
			stage_show(&s);
			check_pictures(&s, step);
		}
		stage_close(&s);
	}
}

/* Row by row upwards, as a page is scrolled. */
static void pictures_scroll(void)
{
	struct stage s;

	stage_open(&s, "xterm-256color", 16, 60, COLOUR_TRUE, "dark");
	for (unsigned step = 0; step < 40; step++) {
		canvas_clear(s.canvas);
		for (unsigned row = 0; row < 15; row++)
			for (unsigned column = 0; column < 60; column++) {
				unsigned line = row + step;

				if (line % 20 < 10 && column < 30)
					canvas_put_picture(s.canvas, row, column, ROLE_TEXT, line * 0x050301 & 0xFFFFFF, column * 0x010508);
				else if (column == 0)
					canvas_put(s.canvas, row, 0, 60, ROLE_TEXT, line % 2 ? STR("an odd line") : STR("an even line"));
			}
		canvas_put(s.canvas, 15, 0, 60, ROLE_MUTED, STR("the status bar"));
		stage_show(&s);
		check_pictures(&s, step);
	}
	stage_close(&s);
}

static void few_colours_show_shades(void)
{
	static const struct { enum colour_mode mode; uint32_t shown; } cases[] = { { COLOUR_NEVER, 0x2588 }, { COLOUR_16, 0x2588 }, { COLOUR_256, HALF_BLOCK } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stage s;

		stage_open(&s, "xterm-256color", 4, 20, cases[i].mode, "dark");
		canvas_put_picture(s.canvas, 1, 1, ROLE_TEXT, 0xFFFFFF, 0xFFFFFF);
		canvas_put_picture(s.canvas, 1, 2, ROLE_TEXT, 0x000000, 0x000000);
		stage_show(&s);
		VTermScreenCell light = stage_cell(&s, 1, 1), dark = stage_cell(&s, 1, 2);
		CHECK(light.chars[0] == cases[i].shown, "case %zu: %x", i, light.chars[0]);
		if (cases[i].mode == COLOUR_256)
			CHECK(VTERM_COLOR_IS_INDEXED(&light.fg) && VTERM_COLOR_IS_INDEXED(&dark.bg), "case %zu", i);
		else
			CHECK(dark.chars[0] == ' ' || !dark.chars[0], "case %zu: %x", i, dark.chars[0]);
		stage_close(&s);
	}
}

/* A decoder that is slow: it has the picture of some bytes, and gives it for others only as the one that they take the place of. */
struct slow { char of; struct picture picture; };

static const struct picture *slow_find(void *ctx, struct str bytes, struct blob *blob, struct image_size size, uint64_t before)
{
	const struct slow *slow = ctx;

	(void)blob, (void)size;
	return bytes.ptr[bytes.len - 1] == slow->of || before == slow->picture.version ? &slow->picture : NULL;
}

static bool draws(struct page *page, struct turn *t, const char *last)
{
	static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\2\0\0\0\2\x08\2\0\0\0";
	struct canvas *canvas = canvas_new(8, 30);
	struct buf bytes = { 0 };
	size_t count = 0;

	buf_add(&bytes, str_of(png, sizeof png - 1));
	buf_add_z(&bytes, last);
	turn_delta(t, &(struct delta){ .kind = DELTA_MEDIA, .media = { .is_partial = true, .data = buf_str(&bytes), .facts =
	           { .kind = MEDIA_IMAGE, .type = STR("image/png"), .bytes = bytes.len } } });
	page_update(page, t, true, 30);
	for (size_t piece = 0; piece < page_pieces(page); piece++)
		for (size_t row = 0, rows = page_piece_rows(page, piece); row < rows; row++)
			page_draw_row(page, piece, row, canvas, (unsigned)row, 0, 30);
	for (unsigned row = 0; row < 8; row++)
		count += canvas_cell(canvas, row, 0)->colours[0] != 0;
	canvas_free(canvas);
	buf_fini(&bytes);
	return count == 1;
}

static void a_partial_picture_stays_until_the_next_is_decoded(void)
{
	static const uint8_t rgb[12] = { 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 };
	struct slow slow = { 'a', { .size = { 2, 2 }, .pixels = { 2, 2 }, .rgb = rgb, .version = 7 } };
	struct pictures pictures = { slow_find, &slow };
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
	struct page page;

	page_init(&page);
	page_set_images(&page, IMAGES_ASK, &pictures, 0);
	CHECK(!draws(&page, t, "b"), "the first one is not there");
	CHECK(draws(&page, t, "a"), "decoded");
	CHECK(draws(&page, t, "c"), "the next one is not there");
	slow.picture.version = 8;
	CHECK(!draws(&page, t, "d"), "the one before is no longer kept");
	page_fini(&page);
	conversation_free(c);
}

static void picture_comes(struct turn *t, char width, char height, bool partial)
{
	char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\2\0\0\0\2\x08\2\0\0\0";

	png[19] = width;
	png[23] = height;
	turn_delta(t, &(struct delta){ .kind = DELTA_MEDIA, .media = { .is_partial = partial, .data = str_of(png, sizeof png - 1), .facts =
	           { .kind = MEDIA_IMAGE, .type = STR("image/png"), .bytes = sizeof png - 1, .partials = 1 } } });
}

/* The size that is asked for, and no picture. */
static const struct picture *noting_find(void *ctx, struct str bytes, struct blob *blob, struct image_size size, uint64_t before)
{
	(void)bytes, (void)blob, (void)before;
	*(struct image_size *)ctx = size;
	return NULL;
}

static void a_picture_of_another_size_keeps_the_rows_of_the_first(void)
{
	static const struct { char width, height; uint32_t fit_width, fit_height; } finals[] = { { 8, 16, 4, 8 }, { 8, 4, 8, 4 }, { 8, 8, 8, 8 } };

	for (size_t i = 0; i < sizeof finals / sizeof *finals; i++) {
		struct image_size asked = { 0 };
		struct pictures pictures = { noting_find, &asked };
		struct conversation *c = conversation_new();
		struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
		struct canvas *canvas = canvas_new(8, 30);
		struct page page;

		page_init(&page);
		page_set_images(&page, IMAGES_ASK, &pictures, 0);
		picture_comes(t, 8, 8, true);
		page_update(&page, t, true, 30);
		CHECK(page_piece_rows(&page, 1) == 5, "a line and four rows, not %zu", page_piece_rows(&page, 1));
		picture_comes(t, finals[i].width, finals[i].height, false);
		page_update(&page, t, true, 30);
		CHECK(page_piece_rows(&page, 1) == 5, "case %zu: %zu rows", i, page_piece_rows(&page, 1));
		for (size_t row = 0; row < 5; row++)
			page_draw_row(&page, 1, row, canvas, (unsigned)row, 0, 30);
		CHECK(asked.width == finals[i].fit_width && asked.height == finals[i].fit_height, "case %zu: %ux%u", i, asked.width, asked.height);
		canvas_free(canvas);
		page_fini(&page);
		conversation_free(c);
	}
}

/* Beyond the text, where the window leaves room; not in a prompt, which is a band. */
static void a_picture_may_be_as_wide_as_the_window(void)
{
	static const struct { unsigned wide; bool prompt; uint32_t width; } cases[] = {
		{ 0, false, 30 }, { 60, false, 60 }, { 90, false, 80 }, { 60, true, 29 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct image_size asked = { 0 };
		struct pictures pictures = { noting_find, &asked };
		struct markdown_options options = { .wide = cases[i].wide };
		struct conversation *c = conversation_new();
		struct turn *t = cases[i].prompt ? conversation_ask(c) : conversation_answer(c, STR("p"), NULL, STR("m"));
		struct canvas *canvas = canvas_new(8, 90);
		struct page page;

		page_init(&page);
		page_set_images(&page, IMAGES_YES, &pictures, 0);
		page_set_options(&page, &options);
		picture_comes(t, 80, 4, false);
		page_update(&page, t, false, 30);
		for (size_t piece = 0, at = 0; piece < page_pieces(&page); piece++)
			for (size_t row = 0; row < page_piece_rows(&page, piece); row++)
				page_draw_row(&page, piece, row, canvas, (unsigned)at++ % 8, 0, 90);
		CHECK(asked.width == cases[i].width, "case %zu: %u", i, asked.width);
		canvas_free(canvas);
		page_fini(&page);
		conversation_free(c);
	}
}

const struct suite suite_picture = { "picture", (const struct test[]){
	TEST(colours_survive_the_marks), TEST(an_image_fits), TEST(pictures_and_text_do_not_fight), TEST(pictures_scroll),
	TEST(few_colours_show_shades), TEST(a_partial_picture_stays_until_the_next_is_decoded),
	TEST(a_picture_of_another_size_keeps_the_rows_of_the_first), TEST(a_picture_may_be_as_wide_as_the_window), { 0 } } };
