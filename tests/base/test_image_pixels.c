/* Images that the libraries' own encoders wrote, whole and damaged. */
#include "base/image_pixels.h"

#include <gif_lib.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <webp/encode.h>

#include "support/check.h"

#define WIDTH 48
#define HEIGHT 32

enum format { PNG, JPEG, GIF, WEBP, FORMATS };
static const char *const names[] = { "png", "jpeg", "gif", "webp" };

/* Red at the left, blue at the right; `alpha`: the upper half is transparent. */
static void paint(uint8_t rgba[WIDTH * HEIGHT * 4], bool alpha)
{
	for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
		bool right = i % WIDTH >= WIDTH / 2;

		memcpy(rgba + i * 4, (const uint8_t[]){ right ? 0 : 255, 0, right ? 255 : 0, alpha && i < WIDTH * HEIGHT / 2 ? 0 : 255 }, 4);
	}
}

static int take_gif(GifFileType *gif, const GifByteType *bytes, int count)
{
	buf_add(gif->UserData, str_of((const char *)bytes, (size_t)count));
	return count;
}

static void encode_gif(bool alpha, bool interlaced, struct buf *out)
{
	const GifColorType colours[] = { { 255, 0, 0 }, { 0, 0, 255 }, { 0, 0, 0 }, { 0, 0, 0 } };
	const int rows_of_passes[4][2] = { { 0, 8 }, { 4, 8 }, { 2, 4 }, { 1, 2 } };
	GifFileType *gif = EGifOpen(out, take_gif, NULL);
	ColorMapObject *map = GifMakeMapObject(4, colours);
	GraphicsControlBlock control = { .TransparentColor = 3 };
	GifByteType block[4];

	EGifSetGifVersion(gif, true);
	EGifPutScreenDesc(gif, WIDTH, HEIGHT, 8, 0, map);
	EGifGCBToExtension(&control, block);
	EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, 4, block);
	EGifPutImageDesc(gif, 0, 0, WIDTH, HEIGHT, interlaced, NULL);
	for (int pass = 0; pass < (interlaced ? 4 : 1); pass++)
		for (int y = interlaced ? rows_of_passes[pass][0] : 0; y < HEIGHT; y += interlaced ? rows_of_passes[pass][1] : 1) {
			GifPixelType line[WIDTH];

			for (int x = 0; x < WIDTH; x++)
				line[x] = alpha && y < HEIGHT / 2 ? 3 : x >= WIDTH / 2;
			EGifPutLine(gif, line, WIDTH);
		}
	EGifCloseFile(gif, NULL);
	GifFreeMapObject(map);
}

static void encode(enum format format, bool alpha, struct buf *out)
{
	static uint8_t rgba[WIDTH * HEIGHT * 4];
	png_image png = { .version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGBA };
	unsigned char *jpeg = NULL;
	uint8_t *webp = NULL;
	unsigned long size = 0;
	png_alloc_size_t room = 65536;
	static char bytes[65536];
	tjhandle handle;

	paint(rgba, alpha);
	switch (format) {
	case PNG:
		CU_ASSERT(png_image_write_to_memory(&png, bytes, &room, 0, rgba, 0, NULL));
		buf_add(out, str_of(bytes, room));
		break;
	case JPEG:
		handle = tjInitCompress();
		CU_ASSERT(tjCompress2(handle, rgba, WIDTH, 0, HEIGHT, TJPF_RGBA, &jpeg, &size, TJSAMP_444, 95, 0) == 0);
		buf_add(out, str_of((const char *)jpeg, size));
		tjFree(jpeg);
		tjDestroy(handle);
		break;
	case GIF:
		encode_gif(alpha, false, out);
		break;
	case WEBP:
		size = WebPEncodeLosslessRGBA(rgba, WIDTH, HEIGHT, WIDTH * 4, &webp);
		buf_add(out, str_of((const char *)webp, size));
		WebPFree(webp);
		break;
	case FORMATS:
		break;
	}
}

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

	for (int f = 0; f < FORMATS; f++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			struct buf bytes = { 0 }, rgb = { 0 };
			struct image_size size = { 0 };
			struct error err = { "" };

			encode((enum format)f, false, &bytes);
			CHECK(image_pixels(buf_str(&bytes), sizes[i].most, &size, &rgb, &err), "%s: %s", names[f], err.text);
			CHECK(size.width == sizes[i].is.width && size.height == sizes[i].is.height, "%s: %u x %u", names[f], size.width, size.height);
			CU_ASSERT_EQUAL_FATAL(rgb.len, (size_t)size.width * size.height * 3);
			CHECK(is_near(&rgb, size, 0, 0, 255, 0, 0), "%s", names[f]);
			CHECK(is_near(&rgb, size, size.width - 1, size.height - 1, 0, 0, 255), "%s", names[f]);
			buf_fini(&bytes);
			buf_fini(&rgb);
		}
}

static void what_is_transparent_is_white(void)
{
	static const enum format formats[] = { PNG, GIF, WEBP };

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		struct buf bytes = { 0 }, rgb = { 0 };
		struct image_size size;
		struct error err;

		encode(formats[i], true, &bytes);
		CU_ASSERT(image_pixels(buf_str(&bytes), (struct image_size){ 48, 32 }, &size, &rgb, &err));
		CHECK(is_near(&rgb, size, 1, 1, 255, 255, 255) && is_near(&rgb, size, 1, 30, 255, 0, 0), "%s", names[formats[i]]);
		buf_fini(&bytes);
		buf_fini(&rgb);
	}
}

static void interlaced_frames_are_put_together(void)
{
	struct buf plain = { 0 }, interlaced = { 0 }, a = { 0 }, b = { 0 };
	struct image_size size;
	struct error err;

	encode_gif(true, false, &plain);
	encode_gif(true, true, &interlaced);
	CU_ASSERT(image_pixels(buf_str(&plain), (struct image_size){ 48, 32 }, &size, &a, &err));
	CU_ASSERT(image_pixels(buf_str(&interlaced), (struct image_size){ 48, 32 }, &size, &b, &err));
	CU_ASSERT(str_equal(buf_str(&a), buf_str(&b)));
	buf_fini(&plain);
	buf_fini(&interlaced);
	buf_fini(&a);
	buf_fini(&b);
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

	for (int f = 0; f < FORMATS; f++) {
		struct buf bytes = { 0 };

		encode((enum format)f, false, &bytes);
		for (size_t len = 0; len < bytes.len; len++)
			check_damaged(str_head(buf_str(&bytes), len), names[f]);
		for (int i = 0; i < 300; i++) {
			size_t at = check_random(&seed) % bytes.len;
			char was = bytes.ptr[at];

			bytes.ptr[at] = (char)check_random(&seed);
			check_damaged(buf_str(&bytes), names[f]);
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
	TEST(every_format_is_decoded_and_scaled), TEST(what_is_transparent_is_white), TEST(interlaced_frames_are_put_together),
	TEST(damaged_images_do_no_harm), TEST(too_many_pixels_are_refused_before_decoding), { 0 } } };
