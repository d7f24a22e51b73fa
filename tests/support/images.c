#include "support/images.h"

#include <gif_lib.h>
#include <png.h>
#include <string.h>
#include <turbojpeg.h>
#include <webp/encode.h>

#include "support/check.h"

#define WIDTH IMAGES_WIDTH
#define HEIGHT IMAGES_HEIGHT

static bool is_right(size_t i)
{
	return i % WIDTH >= WIDTH / 2;
}

static bool is_upper(size_t i)
{
	return i < (size_t)WIDTH * HEIGHT / 2;
}

static uint8_t *paint(bool alpha)
{
	static uint8_t rgba[WIDTH * HEIGHT * 4];

	for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
		memcpy(rgba + i * 4, (const uint8_t[]){ is_right(i) ? 0 : 255, 0, is_right(i) ? 255 : 0, alpha && is_upper(i) ? 0 : 255 }, 4);
	return rgba;
}

/* --- PNG --- */

static void write_png(png_uint_32 format, const void *pixels, const void *colours, struct buf *out)
{
	png_image image = { .version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = format, .colormap_entries = colours ? 3 : 0 };
	static char bytes[65536];
	png_alloc_size_t room = sizeof bytes;

	CHECK(png_image_write_to_memory(&image, bytes, &room, 0, pixels, 0, colours), "%s", image.message);
	buf_add(out, str_of(bytes, room));
}

static void encode_png(bool alpha, struct buf *out)
{
	write_png(PNG_FORMAT_RGBA, paint(alpha), NULL, out);
}

static void encode_png_palette(bool alpha, struct buf *out)
{
	static const uint8_t colours[3][4] = { { 255, 0, 0, 255 }, { 0, 0, 255, 255 }, { 0, 0, 0, 0 } };
	uint8_t pixels[WIDTH * HEIGHT];

	for (size_t i = 0; i < sizeof pixels; i++)
		pixels[i] = alpha && is_upper(i) ? 2 : is_right(i);
	write_png(PNG_FORMAT_RGBA_COLORMAP, pixels, colours, out);
}

/* 16 bits a colour. */
static void encode_png_deep(bool alpha, struct buf *out)
{
	static uint16_t pixels[WIDTH * HEIGHT][4];

	for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
		uint16_t opaque = alpha && is_upper(i) ? 0 : 0xFFFF;

		memcpy(pixels[i], (const uint16_t[]){ is_right(i) ? 0 : opaque, 0, is_right(i) ? opaque : 0, opaque }, sizeof pixels[i]);
	}
	write_png(PNG_FORMAT_LINEAR_RGB_ALPHA, pixels, NULL, out);
}

/* --- JPEG --- */

static void write_jpeg(int sampling, int flags, struct buf *out)
{
	unsigned char *jpeg = NULL;
	unsigned long size = 0;
	tjhandle handle = tjInitCompress();

	CU_ASSERT_EQUAL(tjCompress2(handle, paint(false), WIDTH, 0, HEIGHT, TJPF_RGBA, &jpeg, &size, sampling, 95, flags), 0);
	buf_add(out, str_of((const char *)jpeg, size));
	tjFree(jpeg);
	tjDestroy(handle);
}

static void encode_jpeg(bool alpha, struct buf *out)
{
	(void)alpha;
	write_jpeg(TJSAMP_444, 0, out);
}

static void encode_jpeg_progressive(bool alpha, struct buf *out)
{
	(void)alpha;
	write_jpeg(TJSAMP_420, TJFLAG_PROGRESSIVE, out);
}

/* --- GIF --- */

static int take_gif(GifFileType *gif, const GifByteType *bytes, int count)
{
	buf_add(gif->UserData, str_of((const char *)bytes, (size_t)count));
	return count;
}

static void write_gif(bool alpha, bool interlaced, struct buf *out)
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
				line[x] = alpha && y < HEIGHT / 2 ? 3 : is_right((size_t)x);
			EGifPutLine(gif, line, WIDTH);
		}
	EGifCloseFile(gif, NULL);
	GifFreeMapObject(map);
}

static void encode_gif(bool alpha, struct buf *out)
{
	write_gif(alpha, false, out);
}

static void encode_gif_interlaced(bool alpha, struct buf *out)
{
	write_gif(alpha, true, out);
}

/* --- WebP --- */

static void encode_webp(bool alpha, struct buf *out)
{
	uint8_t *webp = NULL;
	size_t size = WebPEncodeLosslessRGBA(paint(alpha), WIDTH, HEIGHT, WIDTH * 4, &webp);

	buf_add(out, str_of((const char *)webp, size));
	WebPFree(webp);
}

static void encode_webp_lossy(bool alpha, struct buf *out)
{
	uint8_t *webp = NULL;
	size_t size = WebPEncodeRGBA(paint(alpha), WIDTH, HEIGHT, WIDTH * 4, 100, &webp);

	buf_add(out, str_of((const char *)webp, size));
	WebPFree(webp);
}

const struct images_form images_forms[] = {
	{ "png", true, encode_png }, { "png with a palette", true, encode_png_palette }, { "png of 16 bits", true, encode_png_deep },
	{ "jpeg", false, encode_jpeg }, { "progressive jpeg", false, encode_jpeg_progressive },
	{ "gif", true, encode_gif }, { "interlaced gif", true, encode_gif_interlaced },
	{ "webp", true, encode_webp }, { "lossy webp", true, encode_webp_lossy }, { 0 },
};
