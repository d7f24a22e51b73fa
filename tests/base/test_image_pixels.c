/* Images that the libraries' own encoders wrote, whole and damaged. */
#include "base/image_pixels.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/images.h"

static bool is_near(const struct buf *rgb, struct image_size size, unsigned x, unsigned y, int red, int green, int blue)
{
	const uint8_t *p = (const uint8_t *)rgb->ptr + ((size_t)y * size.width + x) * 3;

	return abs(p[0] - red) < 8 && abs(p[1] - green) < 8 && abs(p[2] - blue) < 8;
}

static void every_format_is_decoded_and_scaled(void)
{
	static const struct { struct image_size most, is; } sizes[] = {
		{ { 100, 100 }, { 48, 32 } }, { { 48, 32 }, { 48, 32 } }, { { 12, 100 }, { 12, 8 } }, { { 100, 4 }, { 6, 4 } }, { { 2, 2 }, { 2, 1 } },
	};

	for (const struct images_form *form = images_forms; form->name; form++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			struct buf bytes = { 0 }, rgb = { 0 };
			struct image_size size = { 0 };
			struct error err = { "" };

			form->encode(false, &bytes);
			CHECK(image_pixels(buf_str(&bytes), sizes[i].most, &size, &rgb, &err), "%s: %s", form->name, err.text);
			CHECK(size.width == sizes[i].is.width && size.height == sizes[i].is.height, "%s: %u x %u", form->name, size.width, size.height);
			CU_ASSERT_EQUAL_FATAL(rgb.len, (size_t)size.width * size.height * 3);
			CHECK(is_near(&rgb, size, 0, 0, 255, 0, 0), "%s", form->name);
			CHECK(is_near(&rgb, size, size.width - 1, size.height - 1, 0, 0, 255), "%s", form->name);
			buf_fini(&bytes);
			buf_fini(&rgb);
		}
}

static void what_is_transparent_is_white(void)
{
	for (const struct images_form *form = images_forms; form->name; form++) {
		struct buf bytes = { 0 }, rgb = { 0 };
		struct image_size size;
		struct error err;

		if (!form->has_alpha)
			continue;
		form->encode(true, &bytes);
		CU_ASSERT(image_pixels(buf_str(&bytes), (struct image_size){ 48, 32 }, &size, &rgb, &err));
		for (unsigned y = 0; y < IMAGES_HEIGHT; y++) {
			int white = y < IMAGES_HEIGHT / 2 ? 255 : 0;

			CHECK(is_near(&rgb, size, 1, y, 255, white, white), "%s: row %u", form->name, y);
		}
		buf_fini(&bytes);
		buf_fini(&rgb);
	}
}

/* A result is whole, or there is none. */
static void check_damaged(struct str bytes, const char *name)
{
	struct buf rgb = { 0 };
	struct image_size size = { 0 };
	struct error err;
	bool good = image_pixels(bytes, (struct image_size){ 20, 20 }, &size, &rgb, &err);

	CHECK(rgb.len == (good ? (size_t)size.width * size.height * 3 : 0), "%s", name);
	CHECK(!good || (size.width <= 20 && size.height <= 20), "%s", name);
	buf_fini(&rgb);
}

static void damaged_images_do_no_harm(void)
{
	unsigned seed = 7;

	for (const struct images_form *form = images_forms; form->name; form++) {
		struct buf bytes = { 0 };

		form->encode(false, &bytes);
		for (size_t len = 0; len < bytes.len; len++)
			check_damaged(str_head(buf_str(&bytes), len), form->name);
		for (int i = 0; i < 300; i++) {
			size_t at = check_random(&seed) % bytes.len;
			char was = bytes.ptr[at];

			bytes.ptr[at] = (char)check_random(&seed);
			check_damaged(buf_str(&bytes), form->name);
			bytes.ptr[at] = i % 3 ? was : bytes.ptr[at];
		}
		buf_fini(&bytes);
	}
}

static void too_many_pixels_are_refused_before_decoding(void)
{
	struct image_size size;
	struct buf rgb = { 0 };
	struct error err;
	char head[] = "GIF89a\xff\xff\xff\xff\0\0";

	CU_ASSERT_FALSE(image_pixels(str_of(head, sizeof head - 1), (struct image_size){ 20, 20 }, &size, &rgb, &err));
	CHECK_STR(str_from(err.text), "the image has more than 40 million pixels");
	CU_ASSERT_FALSE(image_pixels(STR("no image"), (struct image_size){ 20, 20 }, &size, &rgb, &err));
	CHECK_STR(str_from(err.text), "this is not an image that can be drawn");
}

const struct suite suite_image_pixels = { "image_pixels", (const struct test[]){
	TEST(every_format_is_decoded_and_scaled), TEST(what_is_transparent_is_white), TEST(damaged_images_do_no_harm), TEST(too_many_pixels_are_refused_before_decoding), { 0 } } };
