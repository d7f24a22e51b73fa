#include "base/image_pixels.h"

#include <gif_lib.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <webp/decode.h>

#include "base/array.h"
#include "base/libraries.h"

/* Decoded pixels: four bytes each, red, green, blue and alpha. */
struct raster { uint32_t width, height; uint8_t *rgba; };

static bool raster_alloc(struct raster *r, uint32_t width, uint32_t height)
{
	bool good = width && height && (uint64_t)width * height <= IMAGE_PIXELS_MOST;

	r->width = width;
	r->height = height;
	r->rgba = good ? calloc((size_t)width * height, 4) : NULL; /* the size is the file's: no memory is an error of the file */
	return r->rgba != NULL;
}

/* --- formats --- */

static bool png_pixels(struct str bytes, struct image_size most, struct raster *r)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	bool good = png_image_begin_read_from_memory(&image, bytes.ptr, bytes.len) != 0;

	(void)most;
	image.format = PNG_FORMAT_RGBA;
	good = good && raster_alloc(r, image.width, image.height) && png_image_finish_read(&image, NULL, r->rgba, 0, NULL) != 0;
	png_image_free(&image);
	return good;
}

/* The decoder scales by eighths. */
static bool jpeg_pixels(struct str bytes, struct image_size most, struct raster *r)
{
	tjhandle handle = tjInitDecompress();
	const unsigned char *data = (const unsigned char *)bytes.ptr;
	int width = 0, height = 0, sampling, space, count = 0;
	const tjscalingfactor *factors = tjGetScalingFactors(&count);
	bool good = handle && tjDecompressHeader3(handle, data, bytes.len, &width, &height, &sampling, &space) == 0 && width > 0 && height > 0;
	int best_width = width, best_height = height;

	for (int i = 0; good && i < count; i++) {
		int w = TJSCALED(width, factors[i]), h = TJSCALED(height, factors[i]);

		if (w < best_width && w >= (int)most.width && h >= (int)most.height) {
			best_width = w;
			best_height = h;
		}
	}
	good = good && raster_alloc(r, (uint32_t)best_width, (uint32_t)best_height);
	/* A file that is cut off is a warning: what there is of it is shown. */
	if (good && tjDecompress2(handle, data, bytes.len, r->rgba, best_width, 0, best_height, TJPF_RGBA, 0) != 0)
		good = tjGetErrorCode(handle) == TJERR_WARNING;
	if (handle)
		tjDestroy(handle);
	return good;
}

static bool webp_pixels(struct str bytes, struct image_size most, struct raster *r)
{
	const uint8_t *data = (const uint8_t *)bytes.ptr;
	int width = 0, height = 0;
	bool good = WebPGetInfo(data, bytes.len, &width, &height) && width > 0 && height > 0 && raster_alloc(r, (uint32_t)width, (uint32_t)height);

	(void)most;
	return good && WebPDecodeRGBAInto(data, bytes.len, r->rgba, (size_t)width * (size_t)height * 4, width * 4) != NULL;
}

static int gif_read(GifFileType *gif, GifByteType *out, int count)
{
	struct str *rest = gif->UserData;
	size_t taken = count > 0 && (size_t)count < rest->len ? (size_t)count : count > 0 ? rest->len : 0;

	memcpy(out, rest->ptr, taken);
	*rest = str_skip(*rest, taken);
	return (int)taken;
}

static void gif_put_row(const GifFileType *gif, const ColorMapObject *colours, const GifPixelType *line, int row, int transparent, struct raster *r)
{
	const GifImageDesc *at = &gif->Image;
	uint8_t *to = r->rgba + ((size_t)(at->Top + row) * r->width + (size_t)at->Left) * 4;

	for (int x = 0; x < at->Width; x++, to += 4) {
		const GifColorType *c = line[x] < colours->ColorCount ? &colours->Colors[line[x]] : &colours->Colors[0];

		if (line[x] != transparent)
			memcpy(to, (const uint8_t[]){ c->Red, c->Green, c->Blue, 255 }, 4);
	}
}

static bool gif_frame(GifFileType *gif, int transparent, struct raster *r)
{
	static const struct { int first, step; } passes[] = { { 0, 8 }, { 4, 8 }, { 2, 4 }, { 1, 2 }, { 0, 1 } };
	const GifImageDesc *at = &gif->Image;

	if (DGifGetImageDesc(gif) == GIF_ERROR)
		return false;
	const ColorMapObject *colours = at->ColorMap ? at->ColorMap : gif->SColorMap;
	bool fits = at->Left >= 0 && at->Top >= 0 && at->Width > 0 && at->Height > 0 && at->Left + at->Width <= gif->SWidth &&
	            at->Top + at->Height <= gif->SHeight;
	GifPixelType *line = fits && colours && colours->ColorCount > 0 ? calloc((size_t)at->Width, sizeof *line) : NULL;
	bool good = line != NULL;
	size_t first = at->Interlace ? 0 : 4, last = at->Interlace ? 4 : 5;
	for (size_t p = first; good && p < last; p++)
		for (int row = passes[p].first; good && row < at->Height; row += passes[p].step) {
			good = DGifGetLine(gif, line, at->Width) != GIF_ERROR;
			if (good)
				gif_put_row(gif, colours, line, row, transparent, r);
		}
	free(line);
	return good;
}

/* Skips extensions; the one with the transparent colour may stand before the frame. */
static bool gif_first_frame(GifFileType *gif, struct raster *r)
{
	GifRecordType type = UNDEFINED_RECORD_TYPE;
	int transparent = NO_TRANSPARENT_COLOR;

	while (DGifGetRecordType(gif, &type) != GIF_ERROR && type == EXTENSION_RECORD_TYPE) {
		GifByteType *block;
		GraphicsControlBlock control;
		int code;

		if (DGifGetExtension(gif, &code, &block) == GIF_ERROR)
			return false;
		if (code == GRAPHICS_EXT_FUNC_CODE && block && DGifExtensionToGCB(block[0], block + 1, &control) != GIF_ERROR)
			transparent = control.TransparentColor;
		while (block)
			if (DGifGetExtensionNext(gif, &block) == GIF_ERROR)
				return false;
	}
	return type == IMAGE_DESC_RECORD_TYPE && gif_frame(gif, transparent, r);
}

static bool gif_pixels(struct str bytes, struct image_size most, struct raster *r)
{
	struct str rest = bytes;
	GifFileType *gif = DGifOpen(&rest, gif_read, NULL);
	bool good = gif && gif->SWidth > 0 && gif->SHeight > 0 && raster_alloc(r, (uint32_t)gif->SWidth, (uint32_t)gif->SHeight) &&
	            gif_first_frame(gif, r);

	(void)most;
	if (gif)
		DGifCloseFile(gif, NULL);
	return good;
}

/* --- scaling --- */

/* The mean colour of the raster's pixels that a pixel of the result covers, on white. */
static void raster_add_mean(const struct raster *r, struct image_size size, uint32_t x, uint32_t y, struct buf *rgb)
{
	uint32_t left = (uint32_t)((uint64_t)x * r->width / size.width), right = (uint32_t)((uint64_t)(x + 1) * r->width / size.width);
	uint32_t top = (uint32_t)((uint64_t)y * r->height / size.height), bottom = (uint32_t)((uint64_t)(y + 1) * r->height / size.height);
	uint64_t sums[3] = { 0 }, count = 0;

	right = right > left ? right : left + 1;
	bottom = bottom > top ? bottom : top + 1;
	for (uint32_t row = top; row < bottom; row++)
		for (uint32_t column = left; column < right; column++, count++) {
			const uint8_t *p = r->rgba + ((size_t)row * r->width + column) * 4;

			for (unsigned i = 0; i < 3; i++)
				sums[i] += (uint64_t)p[i] * p[3] + 255u * (255u - p[3]);
		}
	for (unsigned i = 0; i < 3; i++)
		buf_add_byte(rgb, (char)(uint8_t)(sums[i] / (count * 255)));
}

bool image_pixels(struct str bytes, struct image_size most, struct image_size *size, struct buf *rgb, struct error *err)
{
	const struct { struct str mark; bool (*decode)(struct str bytes, struct image_size most, struct raster *r); } formats[] = {
		{ STR("\x89PNG"), png_pixels }, { STR("\xff\xd8\xff"), jpeg_pixels }, { STR("GIF8"), gif_pixels }, { STR("RIFF"), webp_pixels },
	};
	struct raster r = { 0 };
	struct image_size whole;
	bool good = false;

	if (!image_size_read(bytes, &whole) || !most.width || !most.height)
		return error_set(err, "this is not an image that can be drawn");
	if ((uint64_t)whole.width * whole.height > IMAGE_PIXELS_MOST)
		return error_set(err, "the image has more than %u million pixels", IMAGE_PIXELS_MOST / 1000000);
	*size = image_size_fit(whole, most);
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (str_equal(str_head(bytes, formats[i].mark.len), formats[i].mark))
			good = formats[i].decode(bytes, *size, &r);
	for (uint32_t y = 0; good && y < size->height; y++)
		for (uint32_t x = 0; x < size->width; x++)
			raster_add_mean(&r, *size, x, y, rgb);
	free(r.rgba);
	return good || error_set(err, "the image cannot be decoded");
}

void image_pixels_write_libraries(struct buf *out)
{
	int webp = WebPGetDecoderVersion();

	buf_printf(out, "libpng %s\n", png_get_libpng_ver(NULL));
	buf_printf(out, "libwebp %d.%d.%d\n", webp >> 16, webp >> 8 & 0xff, webp & 0xff);
}
