/* Images by kitty's protocol: commands as a terminal reads them, and placeholders on the screen, whatever is drawn and scrolled. */
#include "screen_stage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "support/check.h"
#include "ui/term/kitty_graphics.h"

#define PLACEHOLDER 0x10EEEEu
#define FIRST_ID 0x776500u

/* --- a terminal's side of the protocol --- */

struct image { bool whole; uint32_t width, height, columns, rows; struct buf pixels; };
struct terminal {
	struct image images[KITTY_IMAGES + 1];
	unsigned loading, deletions;
};

static unsigned value_of(struct str keys, const char *name)
{
	struct str item, key;
	long long value = 0;

	while (str_split(&keys, ',', &item))
		if (str_split(&item, '=', &key) && str_is(key, name))
			return str_to_int(item, &value) ? (unsigned)value : 0;
	return 0;
}

static bool has_key(struct str keys, const char *text)
{
	struct str item;
	bool has = false;

	while (str_split(&keys, ',', &item))
		has |= str_is(item, text);
	return has;
}

static void delete_image(struct terminal *t, struct str keys)
{
	unsigned number = value_of(keys, "i") - FIRST_ID;

	CHECK(has_key(keys, "d=I") && number >= 1 && number <= KITTY_IMAGES, "%.*s", (int)keys.len, keys.ptr);
	CHECK(!t->loading, "a command between the chunks of an image");
	buf_clear(&t->images[number].pixels);
	t->images[number].whole = false;
	t->deletions++;
}

static void load(struct terminal *t, struct str keys, struct str data)
{
	struct image *image;

	if (has_key(keys, "a=T")) {
		CHECK(!t->loading, "a new image before the last one is whole");
		CHECK(has_key(keys, "U=1") && has_key(keys, "t=d") && has_key(keys, "f=24"), "%.*s", (int)keys.len, keys.ptr);
		t->loading = value_of(keys, "i") - FIRST_ID;
		CU_ASSERT_FATAL(t->loading >= 1 && t->loading <= KITTY_IMAGES);
		image = &t->images[t->loading];
		buf_clear(&image->pixels);
		image->whole = false;
		image->width = value_of(keys, "s");
		image->height = value_of(keys, "v");
		image->columns = value_of(keys, "c");
		image->rows = value_of(keys, "r");
	}
	CU_ASSERT_FATAL(t->loading != 0);
	image = &t->images[t->loading];
	CHECK(data.len <= 4096 && (has_key(keys, "m=0") || data.len % 4 == 0), "%zu bytes", data.len);
	CU_ASSERT(base64_decode(data, &image->pixels));
	if (has_key(keys, "m=1"))
		return;
	image->whole = image->pixels.len == (size_t)image->width * image->height * 3;
	t->loading = 0;
}

/* Every byte belongs to a command. */
static void read_commands(struct terminal *t, struct str bytes)
{
	while (bytes.len) {
		size_t end = str_find(bytes, STR("\x1B\\"));
		struct str command = str_head(bytes, end), keys;

		CU_ASSERT_FATAL(str_starts(command, "\x1B_G") && end < bytes.len);
		command = str_skip(command, 3);
		str_split(&command, ';', &keys);
		CHECK(has_key(keys, "q=2"), "a reply is asked for: %.*s", (int)keys.len, keys.ptr);
		if (has_key(keys, "a=d"))
			delete_image(t, keys);
		else
			load(t, keys, command);
		bytes = str_skip(bytes, end + 2);
	}
}

static void forget(struct terminal *t)
{
	for (unsigned n = 0; n <= KITTY_IMAGES; n++)
		buf_fini(&t->images[n].pixels);
}

/* --- commands --- */

static uint8_t *any_pixels(struct image_size size, unsigned *seed)
{
	size_t len = (size_t)size.width * size.height * 3;
	uint8_t *rgb = malloc(len);

	for (size_t i = 0; i < len; i++)
		rgb[i] = (uint8_t)check_random(seed);
	return rgb;
}

static void an_image_arrives_as_it_is(void)
{
	static const struct image_size sizes[] = { { 1, 1 }, { 12, 8 }, { 32, 32 }, { 33, 32 }, { 64, 16 }, { 800, 320 }, { 31, 33 } };
	unsigned seed = 5;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct kitty_images k = { 0 };
		struct terminal t = { 0 };
		struct buf out = { 0 };
		uint8_t *rgb = any_pixels(sizes[i], &seed);
		struct picture picture = { .size = { 10, 7 }, .pixels = sizes[i], .rgb = rgb, .image = 3 };
		bool complete = false;

		kitty_images_begin(&k, 3, &picture);
		CU_ASSERT(kitty_images_has_work(&k) && !kitty_images_has(&k, 3));
		for (int step = 0; kitty_images_has_work(&k) && step < 100; step++) {
			size_t before = out.len;

			complete = kitty_images_step(&k, &out);
			CHECK(out.len > before && out.len - before < 34000, "%zu bytes in a step", out.len - before);
			CHECK(complete == kitty_images_has(&k, 3), "size %zu", i);
		}
		CU_ASSERT(complete);
		read_commands(&t, buf_str(&out));
		CHECK(t.images[3].whole && memcmp(t.images[3].pixels.ptr, rgb, t.images[3].pixels.len) == 0, "size %zu", i);
		CHECK(t.images[3].columns == 10 && t.images[3].rows == 4, "%u %u", t.images[3].columns, t.images[3].rows);
		free(rgb);
		buf_fini(&out);
		kitty_images_fini(&k);
		forget(&t);
	}
}

/* Whatever is begun and dropped: the terminal has what is said to be there, and nothing at the end. */
static void nothing_is_left_in_the_terminal(void)
{
	struct image_size size = { 100, 50 };
	unsigned seed = 11;
	uint8_t *rgb = any_pixels(size, &seed);

	for (unsigned round = 0; round < 60; round++) {
		struct kitty_images k = { 0 };
		struct terminal t = { 0 };
		struct buf out = { 0 };

		for (unsigned step = 0; step < 40 + round % 5; step++) {
			unsigned number = 1 + check_random(&seed) % KITTY_IMAGES;

			if (check_random(&seed) % 3 == 0)
				kitty_images_drop(&k, number);
			else if (!kitty_images_has(&k, number))
				kitty_images_begin(&k, number, &(struct picture){ .size = { 5, 5 }, .pixels = size, .rgb = rgb });
			kitty_images_step(&k, &out);
			read_commands(&t, buf_str(&out));
			buf_clear(&out);
			for (unsigned n = 1; n <= KITTY_IMAGES; n++)
				CHECK(!kitty_images_has(&k, n) || t.images[n].whole, "round %u, step %u: %u", round, step, n);
		}
		for (int steps = 0; kitty_images_has_work(&k) && steps < 10; steps++)
			kitty_images_step(&k, &out);
		kitty_images_begin(&k, 7, &(struct picture){ .size = { 5, 5 }, .pixels = size, .rgb = rgb });
		if (round % 2)
			kitty_images_step(&k, &out);
		kitty_images_delete_all(&k, &out);
		read_commands(&t, buf_str(&out));
		CU_ASSERT(!kitty_images_has_work(&k) && !t.loading);
		for (unsigned n = 1; n <= KITTY_IMAGES; n++)
			CHECK(!t.images[n].whole && !t.images[n].pixels.len && !kitty_images_has(&k, n), "round %u: %u", round, n);
		kitty_images_fini(&k);
		buf_fini(&out);
		forget(&t);
	}
	free(rgb);
}

static void a_crash_deletes_every_number(void)
{
	char bytes[KITTY_DELETION_MOST];
	struct str all = str_of(bytes, kitty_write_deletion(bytes));
	struct terminal t = { .loading = 1 };

	CU_ASSERT(all.len < sizeof bytes);
	CU_ASSERT_FATAL(str_starts(all, "\x1B\\")); /* the end of a command that was cut short */
	read_commands(&t, str_skip(all, 2));
	CU_ASSERT(t.deletions == KITTY_IMAGES);
	forget(&t);
}

/* --- on a screen --- */

/* From the protocol's list, the first and some others. */
static void rows_and_columns_are_those_of_the_protocol(void)
{
	static const struct { unsigned number; uint32_t code; } known[] = {
		{ 0, 0x305 }, { 1, 0x30D }, { 2, 0x30E }, { 10, 0x34B }, { 17, 0x363 }, { 30, 0x483 }, { 35, 0x592 }, { 53, 0x5C4 }, { 54, 0x610 }, { 99, 0x74A }, { 100, 0x7EB }, { 129, 0x951 },
		{ 199, 0x1DE9 },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct buf out = { 0 };

		kitty_add_placeholder(&out, known[i].number, 199 - known[i].number);
		struct str rest = buf_str(&out);
		CHECK(utf8_next(&rest) == PLACEHOLDER && utf8_next(&rest) == known[i].code, "%u", known[i].number);
		utf8_next(&rest);
		CU_ASSERT(rest.len == 0);
		buf_fini(&out);
	}
}

static bool is_asked_colour(const VTermColor *colour, unsigned image)
{
	return VTERM_COLOR_IS_RGB(colour) && colour->rgb.red == 0x77 && colour->rgb.green == 0x65 && colour->rgb.blue == image;
}

/* Where the canvas has a part of an image, the terminal has its placeholder in the image's colour, and nowhere else. */
static void check_parts(struct stage *s, unsigned step)
{
	for (unsigned row = 0; row < s->canvas->rows; row++)
		for (unsigned column = 0; column < s->canvas->columns; column++) {
			const struct cell *want = canvas_cell(s->canvas, row, column);
			VTermScreenCell have = stage_cell(s, row, column);
			struct buf cluster = { 0 };

			CHECK((have.chars[0] == PLACEHOLDER) == (want->colours[0] != 0), "step %u, %u %u: %x", step, row, column, have.chars[0]);
			if (!want->colours[0])
				continue;
			kitty_add_placeholder(&cluster, picture_read_part(want->colours[1]), picture_read_part(want->colours[2]));
			struct str rest = buf_str(&cluster);
			for (unsigned i = 0; i < 3; i++)
				CHECK(have.chars[i] == utf8_next(&rest), "step %u, %u %u: %u", step, row, column, i);
			CHECK(is_asked_colour(&have.fg, picture_read_part(want->colours[0])) && !have.attrs.reverse, "step %u, %u %u", step, row, column);
			buf_fini(&cluster);
		}
}

static void images_and_text_do_not_fight(void)
{
	unsigned seed = 4;
	struct stage s;

	stage_open(&s, "xterm-256color", 16, 60, COLOUR_TRUE, "dark");
	for (unsigned step = 0; step < 80; step++) {
		unsigned top = check_random(&seed) % 16, left = check_random(&seed) % 60, image = 1 + check_random(&seed) % KITTY_IMAGES;

		if (step % 4 == 0)
			canvas_clear(s.canvas);
		for (unsigned row = 0; row < 6; row++)
			for (unsigned column = 0; column < 20; column++)
				canvas_put_image(s.canvas, top + row, left + column, step % 2 ? ROLE_PROMPT : ROLE_TEXT, image, row, column);
		canvas_put(s.canvas, check_random(&seed) % 16, check_random(&seed) % 60, 60, ROLE_SELECTED, STR("text over the image"));
		stage_show(&s);
		check_parts(&s, step);
	}
	stage_close(&s);
}

static void images_scroll(void)
{
	struct stage s;

	stage_open(&s, "xterm-256color", 16, 60, COLOUR_TRUE, "dark");
	for (unsigned step = 0; step < 40; step++) {
		canvas_clear(s.canvas);
		for (unsigned row = 0; row < 15; row++)
			for (unsigned column = 0, line = row + step; column < 60; column++) {
				if (line % 20 < 10 && column < 30)
					canvas_put_image(s.canvas, row, column, ROLE_TEXT, 1 + line / 20, line % 20, column);
				else if (column == 0)
					canvas_put(s.canvas, row, 0, 60, ROLE_TEXT, line % 2 ? STR("an odd line") : STR("an even line"));
			}
		canvas_put(s.canvas, 15, 0, 60, ROLE_MUTED, STR("the status bar"));
		stage_show(&s);
		check_parts(&s, step);
	}
	stage_close(&s);
}

/* A model may write what looks like a part of an image. */
static void text_is_no_image(void)
{
	struct stage s;

	stage_open(&s, "xterm-256color", 4, 20, COLOUR_TRUE, "dark");
	canvas_put(s.canvas, 1, 1, 10, ROLE_TEXT, STR("\U0010EEEE\u0305\u0305"));
	canvas_put(s.canvas, 2, 1, 10, ROLE_TEXT, STR("a\U000E0C01\U000E0C00\U000E0C00"));
	stage_show(&s);
	CU_ASSERT(stage_cell(&s, 1, 1).chars[0] == 0xFFFD);
	CU_ASSERT(stage_cell(&s, 2, 1).chars[0] == 'a');
	check_parts(&s, 0);
	stage_close(&s);
}

static void images_are_sent_between_frames(void)
{
	uint8_t rgb[12 * 8 * 3] = { 1, 2, 3 };
	struct picture picture = { .size = { 12, 8 }, .pixels = { 12, 8 }, .rgb = rgb, .image = 2 };
	struct stage s;

	stage_open(&s, "xterm-256color", 16, 60, COLOUR_256, "dark");
	stage_show(&s);
	CU_ASSERT(!screen_draws_images(s.screen));
	CU_ASSERT(handshake_take(screen_handshake(s.screen), STR("_Gi=31;OK")));
	CU_ASSERT(handshake_take(screen_handshake(s.screen), STR("P>|ghostty 1.2.0")));
	CU_ASSERT(screen_draws_images(s.screen));
	CU_ASSERT(!screen_wants_to_send(s.screen) && !screen_has_image(s.screen, &picture));
	CU_ASSERT(screen_wants_to_send(s.screen) && !screen_has_unsent(s.screen));
	CU_ASSERT(screen_send(s.screen));
	CU_ASSERT(!screen_wants_to_send(s.screen) && screen_has_image(s.screen, &picture));
	CU_ASSERT(stage_wrote(&s, s.read_to, "\x1B_Ga=T,U=1,i=7824642,t=d,f=24,s=12,v=8,c=12,r=4,q=2,m=0;AQID"));
	screen_drop_image(s.screen, 2);
	CU_ASSERT(screen_wants_to_send(s.screen) && !screen_send(s.screen) && !screen_wants_to_send(s.screen));
	CU_ASSERT(stage_wrote(&s, s.read_to, "\x1B_Ga=d,d=I,i=7824642,q=2\x1B\\"));
	CU_ASSERT(!screen_has_image(s.screen, &picture) && screen_send(s.screen));
	off_t before = s.read_to = lseek(s.fd, 0, SEEK_END);
	screen_suspend(s.screen);
	CU_ASSERT(stage_wrote(&s, before, "\x1B_Ga=d,d=I,i=7824642,q=2\x1B\\"));
	CU_ASSERT(!screen_has_image(s.screen, &picture));
	stage_close(&s);
}

const struct suite suite_kitty_graphics = { "kitty_graphics", (const struct test[]){
	TEST(an_image_arrives_as_it_is), TEST(nothing_is_left_in_the_terminal), TEST(a_crash_deletes_every_number),
	TEST(rows_and_columns_are_those_of_the_protocol), TEST(images_and_text_do_not_fight), TEST(images_scroll), TEST(text_is_no_image),
	TEST(images_are_sent_between_frames), { 0 } } };
