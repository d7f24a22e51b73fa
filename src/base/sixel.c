#include "base/sixel.h"

#include <sixel.h>

#define BEGIN "\x1BP0;1q" /* 1: pixels that are not named stay as they are */
#define BEGIN_OF_LIBRARY "\x1BPq"

struct sixel_sink { struct buf *out; bool full; };

static int sixel_take(char *bytes, int len, void *sink)
{
	struct sixel_sink *s = sink;

	s->full |= len < 0 || !buf_add(s->out, str_of(bytes, (size_t)len));
	return len;
}

/* The library counts colours of five bits: its white is 248. */
static void sixel_stretch(sixel_dither_t *dither)
{
	uint8_t *palette = sixel_dither_get_palette(dither);
	int count = sixel_dither_get_num_of_palette_colors(dither) * 3;

	for (int i = 0; i < count; i++)
		palette[i] = palette[i] < 248 ? (uint8_t)(palette[i] * 255 / 248) : 255;
}

static bool sixel_write(uint8_t *rgb, struct image_size size, sixel_dither_t *dither, sixel_output_t *output)
{
	int width = (int)size.width, height = (int)size.height;

	if (SIXEL_FAILED(sixel_dither_initialize(dither, rgb, width, height, SIXEL_PIXELFORMAT_RGB888, SIXEL_LARGE_NORM,
	                                         SIXEL_REP_AVERAGE_PIXELS, SIXEL_QUALITY_LOW)))
		return false;
	sixel_stretch(dither);
	sixel_dither_set_diffusion_type(dither, SIXEL_DIFFUSE_FS);
	return SIXEL_SUCCEEDED(sixel_encode(rgb, width, height, 3, dither, output));
}

/* The library takes the pixels as its own to change, so the cast only says what it does: with RGB888 it changes a copy. */
bool sixel_encode_rgb(const uint8_t *rgb, struct image_size size, unsigned colours, struct buf *out)
{
	struct buf made;
	struct sixel_sink sink = { &made, false };
	sixel_dither_t *dither = NULL;
	sixel_output_t *output = NULL;

	buf_init(&made, buf_limit(out) - out->len);
	bool good = size.height >= SIXEL_HEIGHT_LEAST && SIXEL_SUCCEEDED(sixel_dither_new(&dither, (int)colours, NULL)) &&
	            SIXEL_SUCCEEDED(sixel_output_new(&output, sixel_take, &sink, NULL)) &&
	            sixel_write((uint8_t *)(uintptr_t)rgb, size, dither, output) && !sink.full && str_starts(buf_str(&made), BEGIN_OF_LIBRARY);
	if (good)
		good = buf_add(out, STR(BEGIN)) && buf_add(out, str_skip(buf_str(&made), sizeof BEGIN_OF_LIBRARY - 1));
	sixel_output_unref(output);
	sixel_dither_unref(dither);
	buf_fini(&made);
	return good;
}
