#include <string.h>

#include "base/sixel.h"
#include "support/check.h"

#define WIDE 40u
#define TALL 20u
#define UNTOUCHED 0xEE

/* A decoder of what the library writes: colours in percent, repeats, rows of six pixels. */
struct canvas_of_sixels { uint8_t rgb[TALL][WIDE][3]; unsigned width, height; };

static unsigned read_number(struct str *rest)
{
	unsigned value = 0;

	for (; rest->len && *rest->ptr >= '0' && *rest->ptr <= '9'; *rest = str_skip(*rest, 1))
		value = value * 10 + (unsigned)(*rest->ptr - '0');
	return value;
}

static unsigned read_numbers(struct str *rest, unsigned numbers[8])
{
	unsigned count = 0;

	do {
		*rest = count ? str_skip(*rest, 1) : *rest;
		numbers[count++] = read_number(rest);
	} while (count < 8 && rest->len && *rest->ptr == ';');
	return count;
}

static bool decode(struct str text, struct canvas_of_sixels *c)
{
	static uint8_t palette[256][3];
	unsigned x = 0, top = 0, colour = 0, times = 1, n[8];

	memset(c, UNTOUCHED, sizeof *c);
	if (!str_starts(text, "\x1BP0;1q\"1;1;") || !str_ends(text, "\x1B\\"))
		return false;
	text = str_skip(text, sizeof "\x1BP0;1q\"1;1;" - 1);
	text.len -= 2;
	read_numbers(&text, n);
	c->width = n[0];
	c->height = n[1];
	while (text.len) {
		char byte = *text.ptr;

		text = str_skip(text, 1);
		if (byte == '#') {
			unsigned count = read_numbers(&text, n);

			colour = n[0] & 255;
			for (unsigned i = 0; count == 5 && i < 3; i++)
				palette[colour][i] = (uint8_t)((n[2 + i] * 255 + 50) / 100);
		} else if (byte == '!') {
			times = read_number(&text);
		} else if (byte == '$' || byte == '-') {
			x = 0;
			top += byte == '-' ? 6 : 0;
		} else if (byte >= '?' && byte <= '~') {
			for (; times; times--, x++)
				for (unsigned bit = 0; bit < 6; bit++)
					if ((byte - '?') >> bit & 1) {
						if (x >= WIDE || top + bit >= TALL)
							return false;
						memcpy(c->rgb[top + bit][x], palette[colour], 3);
					}
			times = 1;
		} else {
			return false;
		}
	}
	return true;
}

/* Stripes of four colours, which any palette of four can show. */
static void fill(uint8_t *rgb, struct image_size size)
{
	static const uint8_t colours[4][3] = { { 255, 0, 0 }, { 0, 255, 0 }, { 0, 0, 255 }, { 255, 255, 255 } };

	for (uint32_t i = 0; i < size.width * size.height; i++)
		memcpy(rgb + (size_t)i * 3, colours[(i % size.width / 3 + i / size.width / 5) % 4], 3);
}

static void pixels_come_back(void)
{
	static const struct image_size sizes[] = { { 12, 12 }, { 13, 7 }, { 40, 20 }, { 40, 6 }, { 1, 20 }, { 40, 8 } };

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		uint8_t rgb[WIDE * TALL * 3], before[WIDE * TALL * 3];
		struct canvas_of_sixels c;
		struct buf out;

		buf_init(&out, 1 << 20);
		fill(rgb, sizes[s]);
		memcpy(before, rgb, sizeof rgb);
		CHECK(sixel_encode_rgb(rgb, sizes[s], 256, &out) && decode(buf_str(&out), &c), "size %zu: %s", s, buf_z(&out));
		CHECK(c.width == sizes[s].width && c.height == sizes[s].height, "size %zu: %ux%u", s, c.width, c.height);
		for (uint32_t y = 0; y < TALL; y++)
			for (uint32_t x = 0; x < WIDE; x++) {
				bool inside = x < sizes[s].width && y < sizes[s].height;
				static const uint8_t untouched[3] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };
				const uint8_t *wanted = inside ? before + ((size_t)y * sizes[s].width + x) * 3 : untouched;

				if (memcmp(c.rgb[y][x], wanted, 3) != 0)
					CHECK(false, "size %zu: pixel %u,%u", s, x, y);
			}
		buf_fini(&out);
	}
}

static void the_colours_and_the_bytes_have_limits(void)
{
	uint8_t rgb[WIDE * TALL * 3];
	struct image_size size = { WIDE, TALL };
	struct buf out, small;

	for (size_t i = 0; i < sizeof rgb; i++)
		rgb[i] = (uint8_t)(i * 7);
	buf_init(&out, 1 << 20);
	CHECK(sixel_encode_rgb(rgb, size, 4, &out), "four");
	CHECK(str_find(buf_str(&out), STR("#3;2;")) < out.len && str_find(buf_str(&out), STR("#4;2;")) == out.len, "four: %s", buf_z(&out));
	buf_init(&small, 100);
	CHECK(!sixel_encode_rgb(rgb, size, 256, &small), "too long");
	CHECK(!sixel_encode_rgb(rgb, (struct image_size){ WIDE, 5 }, 256, &out), "five rows");
	buf_fini(&out);
	buf_fini(&small);
}

const struct suite suite_sixel = { "sixel", (const struct test[]){
	TEST(pixels_come_back), TEST(the_colours_and_the_bytes_have_limits), { 0 } } };
